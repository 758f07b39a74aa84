//! Words of each model.

use serde::Serialize;

use crate::{Known, Summary};

/// Words that the first run of a row made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SampleList {
    /// What the row is called.
    pub label: String,
    /// Its row.
    pub row: &'static str,
    /// The words.
    pub words: Vec<SampledWord>,
}

/// A word, and where it occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SampledWord {
    /// The word.
    pub word: String,
    /// Where it occurs.
    pub known: Known,
}

pub(super) fn samples(summary: &Summary<'_>) -> Vec<SampleList> {
    let list = |row: &crate::Row<'_>| {
        let findings = row.findings().next()?;
        let words = findings.samples.iter();
        Some(SampleList {
            label: row.spec.label.clone(),
            row: &row.spec.name,
            words: words.map(|own| SampledWord { word: own.word.clone(), known: own.known }).collect(),
        })
    };
    summary.rows().iter().filter_map(list).collect()
}
