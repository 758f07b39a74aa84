//! The report on all results of a folder, in three forms: a page, Markdown and JSON.

mod beyond;
mod definitions;
mod figures;
mod first_page;
mod html;
mod markdown;
mod paper;
mod runs;
mod samples;
mod setting;
mod table;
mod tables;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use wug::AtomicFile;

pub(crate) use figures::Drawing;
pub(crate) use first_page::FirstPage;
pub(crate) use samples::SampleList;
pub(crate) use setting::Setting;
pub(crate) use table::{Cell, Here, Table};

use crate::{Claim, Error, Folder, Result, RunResult, Summary, claims};

/// Everything that the report says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What a reader has to know.
    pub first_page: FirstPage,
    /// What was run.
    pub setting: Setting,
    /// The paper's claims, judged.
    pub claims: Vec<Claim>,
    /// The paper's tables beside what was found, and one that it does not have.
    pub tables: Vec<Table>,
    /// The paper's figures, and one on the estimator.
    pub figures: Vec<Drawing>,
    /// Words of each model.
    pub samples: Vec<SampleList>,
}

impl Report {
    /// The report on some results. What none of them says anything about is left out.
    pub fn of(results: &[RunResult]) -> Self {
        let summary = Summary::of(results);
        let mut tables =
            vec![tables::table1(&summary), definitions::definitions(&summary), tables::table2(&summary)];
        tables.extend(tables::table3(&summary));
        tables.extend(beyond::beyond(&summary));
        let claims = claims(&summary);
        Self {
            first_page: FirstPage::of(results, &summary, &claims),
            setting: Setting::of(results),
            claims,
            tables: tables.into_iter().filter_map(Table::pruned).collect(),
            figures: figures::figures(&summary),
            samples: samples::samples(&summary),
        }
    }

    /// As one page that needs nothing else.
    pub fn to_html(&self) -> String {
        html::page(self)
    }

    /// As Markdown.
    pub fn to_markdown(&self) -> String {
        markdown::document(self)
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        // Strings and numbers can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// Writes `report.html`, `report.md` and `report.json` from the folder's results, and `runs.tsv`, which has their times.
///
/// # Errors
/// When a result cannot be read or a file cannot be written.
pub fn write_report(folder: &Folder) -> Result<()> {
    let results = folder.load()?;
    let report = Report::of(&results);
    for (name, text) in [
        ("report.html", report.to_html()),
        ("report.md", report.to_markdown()),
        ("report.json", report.to_json()),
        ("runs.tsv", runs::list(&results)),
    ] {
        let path = folder.file(name);
        write(&path, &text).map_err(|source| Error::io("cannot write", &path, source))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.commit()
}
