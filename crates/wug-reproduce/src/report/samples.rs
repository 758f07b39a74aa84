//! Words of each model.

use serde::Serialize;

use crate::{Sample, Summary};

/// Words that the first run of a row made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SampleList {
    /// What the row is called.
    pub label: String,
    /// Its row.
    pub row: &'static str,
    /// The words.
    pub words: Vec<Sample>,
}

pub(super) fn samples(summary: &Summary<'_>) -> Vec<SampleList> {
    let list = |row: &crate::Row<'_>| {
        let findings = row.findings().next()?;
        Some(SampleList {
            label: row.spec.label.clone(),
            row: &row.spec.name,
            words: findings.samples.clone(),
        })
    };
    summary.rows().iter().filter_map(list).collect()
}
