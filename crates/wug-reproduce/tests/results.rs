//! The results in the repository are those of today's rows, and the report beside them is made of them.

use std::path::Path;

use wug_reproduce::{Folder, Plan, Profile, Report, rows};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results");

/// The plan of the profile that the results were made with, told by the words that runs see.
fn plan(words: u64) -> Plan {
    let profiles = Profile::BUNDLED.map(|(_, text)| Profile::from_toml(text).expect("a profile"));
    let profile = profiles.into_iter().find(|profile| profile.words == words).expect("a bundled profile");
    Plan { profile: Profile { seeds: None, ..profile }, overrides: Vec::new(), selection: Vec::new() }
}

#[test]
fn every_run_has_its_rows_configuration() {
    let folder = Folder::at(Path::new(ROOT));
    let results = folder.load().expect("results");
    let plan = plan(results.first().expect("a result").config.train.words);
    let mut runs = plan.runs().expect("runs");
    runs.retain(|run| results.iter().any(|result| result.name() == run.name()));
    assert_eq!(runs.len(), results.len(), "a result is of no run of the full profile");
    let missing = folder.missing(runs, plan.profile.evaluation).expect("the same settings");
    assert!(missing.is_empty(), "{missing:?}");
    for row in rows().iter().filter(|row| ["table1", "table2", "table3"].iter().any(|table| row.is_in(table)))
    {
        let is_there = results.iter().any(|result| result.row == row.name);
        assert!(is_there || row.config().is_none(), "{} has no result", row.name);
    }
}

#[test]
fn the_report_is_made_of_the_results() {
    let report = Report::of(&Folder::at(Path::new(ROOT)).load().expect("results"));
    for (name, text) in [("html", report.to_html()), ("md", report.to_markdown()), ("json", report.to_json())]
    {
        let kept = std::fs::read_to_string(format!("{ROOT}/report.{name}")).expect("a report");
        assert!(
            kept == text,
            "results/report.{name} is out of date: `wug reproduce --profile full --merge results -o results` makes it anew"
        );
    }
}
