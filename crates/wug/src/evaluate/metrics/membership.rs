//! `membership`: `w ∈ V` and `w ∈ V unique` of generated words.

use serde::{Deserialize, Serialize};

use super::{Metric, Metrics, Progress};
use crate::evaluate::membership::Membership;
use crate::evaluate::report::Table;
use crate::evaluate::{Context, EvaluateError};
use crate::generate::SymbolChoice;

pub(super) const METRIC: Metric = Metric {
    name: "membership",
    about: "the share of generated words that are in the training vocabulary, and in the whole list",
    measure,
};

/// Membership for all ways from states to symbols.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memberships {
    /// Symbols drawn from `P(w_t | h_t)`.
    pub sampled: Membership,
    /// Symbols drawn at half the temperature, from `P(w_t | h_t)²` up to a constant.
    #[serde(default)]
    pub half_temperature: Option<Membership>,
    /// The most probable symbols of states that noise moves; none if it picks symbols.
    pub argmax: Option<Membership>,
}

impl Memberships {
    pub(super) fn table(&self) -> Table {
        let title = format!("of {} generated words", self.sampled.words);
        let columns = ["w∈V", "±", "w∈V unique", "in the list", "unique"];
        let mut table = Table::new(title, &columns, 3);
        for (name, found) in [
            ("sampled symbols", Some(self.sampled)),
            ("at half the temperature", self.half_temperature),
            ("argmax symbols", self.argmax),
        ] {
            let Some(found) = found else { continue };
            let Membership { in_vocabulary, in_vocabulary_error, in_vocabulary_unique, .. } = found;
            let own = [in_vocabulary, in_vocabulary_error, in_vocabulary_unique].map(Some);
            table.row(name, [&own[..], &[found.in_list, found.in_list_unique]].concat());
        }
        table
    }
}

fn measure(context: &Context<'_>, _: Progress<'_>, found: &mut Metrics) -> Result<(), EvaluateError> {
    let known = context.known();
    let measure =
        |choice| -> Result<Membership, EvaluateError> { Ok(known.membership(&context.generate(choice)?)) };
    let is_moved = !context.model.model.noise().picks_symbols;
    found.membership = Some(Memberships {
        sampled: measure(SymbolChoice::Sampled)?,
        half_temperature: Some(measure(SymbolChoice::Tempered(0.5))?),
        argmax: is_moved.then(|| measure(SymbolChoice::Argmax)).transpose()?,
    });
    Ok(())
}
