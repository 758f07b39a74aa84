//! Which definition of Ī and of w∈V gives which figure.

use super::table::{Cell, Table, TableRow};
use crate::{Figure, Quantity, Row, Summary, Table1Row};

/// The rows that are shown.
const MODELS: [&str; 4] = ["2xtril-k10", "2xtril-k10-d16", "2xtril-k10-d32", "choice-d32"];

/// A definition; with the paper's figure where it is the paper's.
struct Definition {
    name: &'static str,
    quantity: Quantity,
    paper: Option<fn(&Table1Row) -> Option<&Figure>>,
}

const fn own(name: &'static str, quantity: Quantity) -> Definition {
    Definition { name, quantity, paper: None }
}

const DEFINITIONS: [Definition; 14] = [
    Definition {
        name: "Ī, all states, 20 noise vectors (as we read the paper)",
        quantity: Quantity::Information,
        paper: Some(|paper| paper.information.as_ref()),
    },
    own("Ī, all states, bias of 20 noise vectors taken away", Quantity::UnbiasedInformation),
    own("Ī, living words, 20 noise vectors", Quantity::LivingInformation),
    own("Ī, living words, bias taken away", Quantity::UnbiasedLivingInformation),
    Definition {
        name: "w∈V, training words, sampled letters (as we read the paper)",
        quantity: Quantity::InVocabulary,
        paper: Some(|paper| Some(&paper.in_vocabulary)),
    },
    own("w∈V, whole list, sampled letters", Quantity::InList),
    own("w∈V, training words, half the temperature", Quantity::CoolInVocabulary),
    own("w∈V, whole list, half the temperature", Quantity::CoolInList),
    own("w∈V, training words, argmax letters", Quantity::ArgmaxInVocabulary),
    own("w∈V, whole list, argmax letters", Quantity::ArgmaxInList),
    Definition {
        name: "w∈V unique, training words, sampled letters (as we read the paper)",
        quantity: Quantity::InVocabularyUnique,
        paper: Some(|paper| Some(&paper.in_vocabulary_unique)),
    },
    own("w∈V unique, whole list, sampled letters", Quantity::InListUnique),
    own("w∈V unique, training words, argmax letters", Quantity::ArgmaxInVocabularyUnique),
    own("w∈V unique, whole list, argmax letters", Quantity::ArgmaxInListUnique),
];

pub(super) fn definitions(summary: &Summary<'_>) -> Table {
    let models: Vec<&Row<'_>> = MODELS.iter().filter_map(|name| summary.row(name)).collect();
    let line = |own: &Definition| {
        let cell = |row: &&Row<'_>| {
            let paper = own.paper.zip(row.spec.table1.as_ref()).and_then(|(pick, paper)| pick(paper));
            Cell::of(row, own.quantity, 2, paper.map(ToString::to_string))
        };
        TableRow { label: own.name.into(), cells: models.iter().map(cell).collect() }
    };
    Table {
        title: "Ī and w∈V by definition".into(),
        about: "Ī in bits. The entropy of the mean of 20 distributions is too small on average, and Ī with it; the bias is measured \
                with 1,000 noise vectors a state. All states: positions 1 to 10 whether or not the word has ended; living words: \
                those that have not. The paper's figure, from 20 noise vectors too, has about the same bias. w∈V is the share of 10,000 words that are in \
                the list, w∈V unique the number of distinct ones among them over 10,000. The whole list has the words of both parts and those that the filter dropped, 99,635 in \
                classics-en; the paper's vocabulary has 143 thousand words, and it trades precision against coverage by hand. Words that have ended and the \
                vocabulary explain most of what is lower here; docs/experiments/0007-paper.md takes the candidates one by one. In the choice flow the noise decides the letter, so Ī \
                has no bias and argmax letters are the sampled ones."
            .into(),
        columns: models.iter().map(|row| row.spec.label.clone()).collect(),
        rows: DEFINITIONS.iter().map(line).collect(),
    }
}
