//! Metrics by name, and their results. A new metric is a file with a [`Metric`] and the type of its result, a line in [`Metric::ALL`], a
//! field of [`Metrics`], and its test.

mod information;
mod log_probability;
mod membership;
mod ngram_baselines;
mod ngrams;
mod oracles;
mod shared_trajectories;

use serde::{Deserialize, Serialize};

pub(crate) use log_probability::Sample;
pub use log_probability::{CrossEntropy, Estimator};
pub use membership::Memberships;
pub use ngram_baselines::NgramBaseline;
pub use ngrams::{GeneratedWords, Perplexities};
pub use oracles::Oracles;
pub use shared_trajectories::{CurvePoint, SharedCrossEntropy, TrajectoryKind};

use super::report::{Report, Table};
use super::{Context, EvaluateError, Information};
use crate::Result;
use crate::suggest::UnknownName;

/// Gets the share of the work that is done, from 0 to 1.
pub type Progress<'a> = &'a mut dyn FnMut(f64);

/// Something that can be measured.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    measure: fn(&Context<'_>, Progress<'_>, &mut Metrics) -> Result<(), EvaluateError>,
}

impl Metric {
    /// All metrics, in the order of reports.
    pub const ALL: [Metric; 7] = [
        shared_trajectories::METRIC,
        log_probability::METRIC,
        oracles::METRIC,
        ngram_baselines::METRIC,
        membership::METRIC,
        information::METRIC,
        ngrams::METRIC,
    ];

    /// A metric by its name.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn find(name: &str) -> Result<Self, UnknownName> {
        let unknown = || UnknownName::new("metric", name, Metric::ALL.map(|metric| metric.name));
        Self::ALL.into_iter().find(|metric| metric.name == name).ok_or_else(unknown)
    }

    /// Measures it and enters the result into `found`.
    ///
    /// # Errors
    /// When it cannot be measured.
    pub fn measure(
        &self,
        context: &Context<'_>,
        progress: Progress<'_>,
        found: &mut Metrics,
    ) -> Result<(), EvaluateError> {
        (self.measure)(context, progress, found)
    }
}

/// What was measured; none for what was not asked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Metrics {
    /// Cross entropy from shared trajectories: the paper's estimator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cross_entropy: Option<SharedCrossEntropy>,
    /// Cross entropy from the log-probabilities of words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_probability: Option<CrossEntropy>,
    /// What independent symbols and draws from the data reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracles: Option<Oracles>,
    /// What n-grams of the training part reach, by their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ngram_baselines: Option<Vec<NgramBaseline>>,
    /// The share of generated words that are words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub membership: Option<Memberships>,
    /// What the noise decides; none for the baseline, which has no noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub information: Option<Information>,
    /// The baseline's counterpart to `H[w_t | h_t]`: the mean entropy of its next symbol in bits, measured in place of `information`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_symbol_entropy: Option<f64>,
    /// Perplexities under n-grams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ngrams: Option<Vec<Perplexities>>,
}

impl Metrics {
    /// For people.
    pub fn tables(&self) -> Vec<Table> {
        let Self { cross_entropy, log_probability, oracles, membership, .. } = self;
        let mut tables = Vec::new();
        tables.extend(cross_entropy.iter().flat_map(SharedCrossEntropy::tables));
        tables.extend(log_probability.as_ref().map(CrossEntropy::table));
        tables.extend(oracles.as_ref().map(Oracles::table));
        tables.extend(self.ngram_baselines.as_deref().map(ngram_baselines::table));
        tables.extend(membership.as_ref().map(Memberships::table));
        tables.extend(self.information.as_ref().map(Information::table));
        tables.extend(self.ngrams.as_deref().map(ngrams::table));
        tables
    }
}

/// Measures what is asked for. `progress` gets the name of the metric at work and the share that is done.
///
/// # Errors
/// When a metric cannot be measured.
pub fn evaluate(
    context: &Context<'_>,
    metrics: &[Metric],
    mut progress: impl FnMut(&'static str, f64),
) -> Result<Report> {
    let mut found = Metrics::default();
    for metric in metrics {
        progress(metric.name, 0.0);
        metric.measure(context, &mut |share| progress(metric.name, share), &mut found)?;
    }
    Ok(Report::new(context, found))
}

/// The number, unless a model's parameters have made it something else.
fn finite(number: f64, what: &'static str) -> Result<f64, EvaluateError> {
    if number.is_finite() { Ok(number) } else { Err(EvaluateError::NotFinite { what }) }
}
