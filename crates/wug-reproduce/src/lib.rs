//! The tables and figures of Schmidt & Hofmann, *Deep State Space Models for Unconditional Word Generation* (2018), run
//! again.
//!
//! [`rows()`] are the rows of the paper's tables with the paper's figures. A [`Plan`] turns them into runs,
//! [`run_all`] trains and measures what a [`Folder`] lacks, and a report sets the results beside the paper.

mod claims;
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
pub mod svg;
#[cfg(test)]
mod synthetic;

pub use claims::{Claim, Verdict, claims};
pub use execute::{ExecuteError, execute};
pub use figure::{BadFigure, Figure};
pub use folder::{Folder, FolderError};
pub use plan::{Plan, PlanError, PlannedRun, Shard, longest_first, run_name, selectable};
pub use profile::{Effort, Profile, ProfileError};
pub use report::{
    Cell, Drawing, Here, Plot, Report, SampleList, SampledWord, Setting, Table, TableRow, write_report,
};
pub use result::{
    Findings, Known, LexiconFacts, Moment, ResultError, RunOutcome, RunResult, Sample, Seconds,
};
pub use row::{Oracle, Part, RowSpec, Subject, Table1Row, Table2Row, Table3Cell};
pub use rows::{row, rows};
pub use schedule::{Event, RunFailed, run_all};
pub use statistics::{Estimate, Statistics, Variance, slope};
pub use summary::{Basis, Contrast, Quantity, Row, Summary};
