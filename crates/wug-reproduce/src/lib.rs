//! The tables and figures of Schmidt & Hofmann, *Deep State Space Models for Unconditional Word Generation* (2018), run
//! again.
//!
//! [`rows()`] are the rows of the paper's tables with the paper's figures. A [`Plan`] turns them into runs,
//! [`run_all`] trains and measures what a [`Folder`] lacks, and a report sets the results beside the paper.

mod claims;
mod error;
mod execute;
mod figure;
mod folder;
mod plan;
mod profile;
mod report;
mod result;
mod row;
mod rows;
mod schedule;
mod statistics;
mod summary;
mod svg;
#[cfg(test)]
mod synthetic;

pub use error::{Error, Result};
pub use folder::Folder;
pub use plan::{Plan, PlannedRun, selectable, share_out};
pub use profile::{Effort, Profile};
pub use report::{Report, write_report};
pub use result::{Findings, RunOutcome, RunResult};
pub use row::{RowSpec, Subject};
pub use rows::{row, rows};
pub use schedule::{Event, run_all};

pub(crate) use claims::{Claim, Verdict, claims};
pub(crate) use execute::execute;
pub(crate) use figure::Figure;
pub(crate) use plan::run_name;
pub(crate) use result::{Known, LexiconFacts, Moment, Sample};
pub(crate) use row::{Oracle, Part, SYMBOLS, Table1Row, Table3Cell};
pub(crate) use statistics::{Interval, Statistics, Variance};
pub(crate) use summary::{Basis, Contrast, Quantity, Row, Summary};
