//! `information`: `I(t)`, `Ī` and `H[w_t | h_t]`, with the bias of few noise vectors.

use super::{Metric, Progress, finite, section};
use crate::evaluate::information::{Information, InformationSettings, Spread, information};
use crate::evaluate::report::{Section, Table};
use crate::evaluate::{Context, EvaluateError};
use crate::model::Parts;

pub(super) const METRIC: Metric = Metric {
    name: "information",
    about: "I(t), Ī and H[w_t|h_t] in bits, with their spread over states",
    measure,
};

/// States and estimates for each of them that show the bias.
const BIAS_STATES: usize = 100;
const BIAS_REPEATS: usize = 50;

fn measure(context: &Context<'_>, progress: Progress<'_>) -> Result<Section, EvaluateError> {
    let fitted = context.model.fitted();
    let Parts::StateSpace(parts) = fitted.model().parts() else {
        let mut table = Table::new("information", &[], 3);
        table.notes.push("the baseline has no noise".into());
        return section(&None::<Information>, vec![table]);
    };
    let settings = InformationSettings { seed: context.settings.seed, ..Default::default() };
    let run = |settings| information(fitted, &parts.generative, settings, context.settings.threads);
    let mut found = run(settings)?;
    finite(found.mean_information, "information")?;
    progress(0.5);
    let many = InformationSettings { states: BIAS_STATES, repeats: BIAS_REPEATS, ..settings };
    let bias = run(many)?.bias;
    found.bias = bias;
    let columns = ["mean", "whisker", "quartile", "median", "quartile", "whisker"];
    let numbers = |spread: Spread| {
        let Spread { mean, lower_whisker, lower_quartile, median, upper_quartile, upper_whisker } = spread;
        [mean, lower_whisker, lower_quartile, median, upper_quartile, upper_whisker]
    };
    let mut table = Table::new("information, bits", &columns, 3);
    for own in &found.positions {
        table.row(format!("I({})", own.position), &numbers(own.information));
    }
    table.row("Ī", &[found.mean_information]);
    table.row("H[w_t|h_t]", &[found.mean_symbol_entropy]);
    if let Some(bias) = bias {
        table.notes.push(format!("bias of {} noise vectors per state: {bias:+.3} bits", settings.noise));
    }
    section(&found, vec![table])
}
