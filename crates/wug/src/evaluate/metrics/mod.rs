//! Metrics by name. A new one is a file with a [`Metric`], its line in [`Metric::ALL`], and its test.

mod information;
mod membership;
mod ngrams;
mod oracles;
mod particle_filter;
mod shared_trajectories;

use serde::Serialize;
use thiserror::Error;

use super::report::{Report, Section, Table};
use super::{Context, EvaluateError};
use crate::suggest::{in_brackets, nearest_name};

/// Gets the share of the work that is done, from 0 to 1.
pub type Progress<'a> = &'a mut dyn FnMut(f64);

/// Something that can be measured.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    measure: fn(&Context<'_>, Progress<'_>) -> Result<Section, EvaluateError>,
}

/// A name that is no metric.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "there is no metric `{name}`{}; there are {}",
    in_brackets(nearest_name(name, Metric::ALL.map(|metric| metric.name))),
    Metric::ALL.map(|metric| metric.name).join(", ")
)]
pub struct UnknownMetric {
    name: String,
}

impl Metric {
    /// All metrics, in the order of reports.
    pub const ALL: [Metric; 6] = [
        shared_trajectories::METRIC,
        particle_filter::METRIC,
        oracles::METRIC,
        membership::METRIC,
        information::METRIC,
        ngrams::METRIC,
    ];

    /// A metric by its name.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn find(name: &str) -> Result<Self, UnknownMetric> {
        let unknown = || UnknownMetric { name: name.to_owned() };
        Self::ALL.into_iter().find(|metric| metric.name == name).ok_or_else(unknown)
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
) -> Result<Report, EvaluateError> {
    let mut report = Report::new(context);
    for metric in metrics {
        progress(metric.name, 0.0);
        let section = (metric.measure)(context, &mut |share| progress(metric.name, share))?;
        report.add(metric.name, section);
    }
    Ok(report)
}

/// A metric's result from what it found.
fn section(found: &impl Serialize, tables: Vec<Table>) -> Result<Section, EvaluateError> {
    Ok(Section { json: serde_json::to_value(found)?, tables })
}

/// The number, unless a model's parameters have made it something else.
fn finite(number: f64, what: &'static str) -> Result<f64, EvaluateError> {
    if number.is_finite() { Ok(number) } else { Err(EvaluateError::NotFinite { what }) }
}
