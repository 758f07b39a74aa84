//! `membership`: `w ∈ V` and `w ∈ V unique` of generated words.

use serde::Serialize;

use super::{Metric, Progress, section};
use crate::evaluate::membership::Membership;
use crate::evaluate::report::{Section, Table};
use crate::evaluate::{Context, EvaluateError};
use crate::generate::SymbolChoice;
use crate::model::Kind;

pub(super) const METRIC: Metric = Metric {
    name: "membership",
    about: "the share of generated words that are in the training vocabulary",
    measure,
};

#[derive(Debug, Serialize)]
struct Found {
    sampled: Membership,
    /// None for the baseline: its most probable symbols make one word only.
    argmax: Option<Membership>,
}

fn measure(context: &Context<'_>, _: Progress<'_>) -> Result<Section, EvaluateError> {
    let measure = |choice| -> Result<Membership, EvaluateError> {
        Ok(Membership::of(&context.generate(choice)?, &context.split.train))
    };
    let sampled = measure(SymbolChoice::Sampled)?;
    let has_noise = context.model.model.config().kind == Kind::StateSpace;
    let argmax = has_noise.then(|| measure(SymbolChoice::Argmax)).transpose()?;
    let mut table = Table::new(format!("of {} generated words", sampled.words), &["w∈V", "w∈V unique"], 3);
    for (name, found) in [("sampled symbols", Some(sampled)), ("argmax symbols", argmax)] {
        if let Some(found) = found {
            table.row(name, &[found.in_vocabulary, found.in_vocabulary_unique]);
        }
    }
    section(&Found { sampled, argmax }, vec![table])
}
