//! `membership`: `w ∈ V` and `w ∈ V unique` of generated words.

use serde::{Deserialize, Serialize};

use super::{Metric, Metrics, Progress};
use crate::evaluate::membership::Membership;
use crate::evaluate::report::Table;
use crate::evaluate::{Context, EvaluateError};
use crate::generate::SymbolChoice;
use crate::model::Kind;

pub(super) const METRIC: Metric = Metric {
    name: "membership",
    about: "the share of generated words that are in the training vocabulary",
    measure,
};

/// Membership for both ways from states to symbols.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memberships {
    /// Symbols drawn from `P(w_t | h_t)`.
    pub sampled: Membership,
    /// The most probable symbols; none for the baseline, of which they make one word only.
    pub argmax: Option<Membership>,
}

impl Memberships {
    pub(super) fn table(&self) -> Table {
        let title = format!("of {} generated words", self.sampled.words);
        let mut table = Table::new(title, &["w∈V", "±", "w∈V unique"], 3);
        for (name, found) in [("sampled symbols", Some(self.sampled)), ("argmax symbols", self.argmax)] {
            if let Some(found) = found {
                let Membership { in_vocabulary, in_vocabulary_error, in_vocabulary_unique, .. } = found;
                table.row(name, [in_vocabulary, in_vocabulary_error, in_vocabulary_unique]);
            }
        }
        table
    }
}

fn measure(context: &Context<'_>, _: Progress<'_>, found: &mut Metrics) -> Result<(), EvaluateError> {
    let measure = |choice| -> Result<Membership, EvaluateError> {
        Ok(Membership::of(&context.generate(choice)?, &context.split.train))
    };
    let sampled = measure(SymbolChoice::Sampled)?;
    let has_noise = context.model.model.config().kind == Kind::StateSpace;
    let argmax = has_noise.then(|| measure(SymbolChoice::Argmax)).transpose()?;
    found.membership = Some(Memberships { sampled, argmax });
    Ok(())
}
