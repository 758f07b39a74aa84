//! The pairs of a match as a table.

use super::super::column::Column;
use super::super::value::Value;
use super::{Match, Matched, MatchedTarget};

/// What is told of each pseudoword, beside what was matched on.
const TOLD: [&str; 4] = ["length", "lexicon_percentile", "skeleton", "nearest"];

impl Matched {
    /// The columns of the [rows](Self::rows): their names, and a missing value, which has the type of the others.
    pub fn columns(&self) -> Vec<(String, Value)> {
        let text = || Value::Text(None);
        let first = [("word", text()), ("pseudoword", text()), ("match_distance", Value::Number(None))];
        let first = first.map(|(name, missing)| (name.to_owned(), missing));
        let told = told().map(|column| (column.name().into_owned(), column.missing()));
        let both = |column: Column| {
            ["word", "pseudoword"].map(|side| (format!("{side}_{}", column.name()), column.missing()))
        };
        // The percentile of a log-probability is found under another name.
        let ranks = |column: Column| {
            let named = |side| (format!("{side}_{}_percentile", column.name()), Value::Number(None));
            column.percentile().map(|_| ["word", "pseudoword"].map(named)).into_iter().flatten()
        };
        let matched = self.matched_on().flat_map(|column| both(column).into_iter().chain(ranks(column)));
        first.into_iter().chain(told).chain(matched).collect()
    }

    /// A row for each pseudoword.
    pub fn rows(&self) -> impl Iterator<Item = Vec<Value>> {
        let pairs = |own: &'_ MatchedTarget| own.pseudowords.len();
        self.targets
            .iter()
            .flat_map(move |own| (0..pairs(own)).map(move |place| self.row(own, &own.pseudowords[place])))
    }

    fn row(
        &self,
        MatchedTarget { target, .. }: &MatchedTarget,
        Match { candidate, match_distance }: &Match,
    ) -> Vec<Value> {
        let mut row: Vec<Value> = [target, candidate].map(|word| Value::Text(Some(word.word.clone()))).into();
        row.push(Value::Number(Some(*match_distance)));
        let value = |word: &super::MeasuredWord, column: Column| {
            word.value(column).cloned().unwrap_or_else(|| column.missing())
        };
        row.extend(told().map(|column| value(candidate, column)));
        for column in self.matched_on() {
            let percentile = column.percentile();
            for column in [Some(column), percentile].into_iter().flatten() {
                row.extend([target, candidate].map(|word| value(word, column)));
            }
        }
        row
    }

    /// The criteria that are numbers.
    fn matched_on(&self) -> impl Iterator<Item = Column> {
        self.quality.iter().map(|quality| quality.measure).filter(|measure| !measure.is_profile())
    }
}

/// All columns that the table has of words.
pub(super) fn columns_for(criteria: impl Iterator<Item = Column> + Clone) -> impl Iterator<Item = Column> {
    let percentiles = criteria.clone().filter_map(Column::percentile);
    criteria.chain(percentiles).chain(told())
}

fn told() -> impl Iterator<Item = Column> {
    TOLD.iter().filter_map(|name| Column::named(name).ok())
}
