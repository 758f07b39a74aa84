//! `information`: `I(t)`, `Ī` and `H[w_t | h_t]`, with the bias of few noise vectors.

use super::{Metric, Metrics, Progress, finite};
use crate::evaluate::report::Table;
use crate::evaluate::{Context, EvaluateError, Information, InformationSettings, Spread, information};

pub(super) const METRIC: Metric = Metric {
    name: "information",
    about: "I(t), Ī and H[w_t|h_t] in bits, with their spread over states; for exact models the entropy of the next symbol",
    measure,
};

/// States and estimates for each of them that show the bias.
const BIAS_STATES: usize = 100;
const BIAS_REPEATS: usize = 50;

fn measure(
    context: &Context<'_>,
    progress: Progress<'_>,
    metrics: &mut Metrics,
) -> Result<(), EvaluateError> {
    let (fitted, threads) = (context.model.fitted(), context.settings.threads);
    let settings = InformationSettings { seed: context.settings.seed, ..Default::default() };
    let found = information(fitted, settings, threads)?;
    finite(found.mean_information, "information")?;
    progress(0.5);
    // Computed from the probabilities, and nothing is too small.
    if fitted.model().noise().picks_symbols {
        metrics.baseline_symbol_entropy = Some(found.mean_information);
        metrics.information = Some(found);
        return Ok(());
    }
    let many = InformationSettings { states: BIAS_STATES, repeats: BIAS_REPEATS, ..settings };
    let Information { bias, living_bias, .. } = information(fitted, many, threads)?;
    metrics.information = Some(Information { bias, living_bias, ..found });
    Ok(())
}

impl Information {
    pub(super) fn table(&self) -> Table {
        let columns = ["mean", "±", "whisker", "quartile", "median", "quartile", "whisker"];
        let mut table = Table::new("information, bits", &columns, 3);
        for own in &self.positions {
            let Spread { mean, lower_whisker, lower_quartile, median, upper_quartile, upper_whisker } =
                own.information;
            let spread = [lower_whisker, lower_quartile, median, upper_quartile, upper_whisker].map(Some);
            table.row(format!("I({})", own.position), [&[Some(mean), None], &spread[..]].concat());
        }
        table.row("Ī", [Some(self.mean_information), self.information_error]);
        table.row("Ī of living words", [self.living_information]);
        table.row("H[w_t|h_t]", [self.mean_symbol_entropy]);
        let noise = self.settings.noise;
        for (whose, bias) in [("", self.bias), (", living words", self.living_bias)] {
            let note = |bias| format!("bias of {noise} noise vectors per state{whose}: {bias:+.3} bits");
            table.notes.extend(bias.map(note));
        }
        table
    }
}
