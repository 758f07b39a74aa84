//! Any bytes give a result of `wug reproduce`, a profile, or an error. A result survives writing and reading, and a report can be
//! made of it in which nothing of it becomes part of the page.

use std::path::PathBuf;

use wug_reproduce::{Profile, Report, RunResult, row};

/// Runs the target.
pub fn run(bytes: &[u8]) {
    if bytes.first() != Some(&b'{') {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        if let Err(error) = Profile::from_toml(text) {
            assert!(!error.to_string().is_empty());
        }
        return;
    }
    // The name of the file must be that of the run.
    let name =
        serde_json::from_slice::<RunResult>(bytes).map_or_else(|_| String::new(), |result| result.name());
    let path = PathBuf::from(format!("{name}.json"));
    let result = match RunResult::from_bytes(bytes, &path) {
        Ok(result) => result,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let written = serde_json::to_vec(&result).unwrap();
    assert_eq!(RunResult::from_bytes(&written, &path).unwrap(), result);
    // A folder refuses results of rows that there are not.
    if row(&result.row).is_some() {
        let report = Report::of(&[result]);
        let page = report.to_html();
        assert!(!page.contains("<script") && page.ends_with("</html>\n"));
        assert!(!report.to_markdown().is_empty() && !report.to_json().is_empty());
    }
}
