//! The results in the repository are those of today's rows, and the report beside them is made of them.

use std::path::Path;

use wug_reproduce::{Folder, Plan, Profile, Report};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results");

fn quick() -> Plan {
    let (_, text) = Profile::BUNDLED.into_iter().find(|profile| profile.0 == "quick").expect("a profile");
    let profile = Profile { seeds: 3, ..Profile::from_toml(text).expect("a profile") };
    Plan { profile, overrides: Vec::new(), selection: Vec::new() }
}

#[test]
fn every_run_has_its_rows_configuration() {
    let plan = quick();
    let runs = plan.runs().expect("runs");
    assert_eq!(runs.len(), 94);
    let missing =
        Folder::at(Path::new(ROOT)).missing(runs, plan.profile.evaluation).expect("the same settings");
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_report_is_made_of_the_results() {
    let report = Report::of(&Folder::at(Path::new(ROOT)).load().expect("results"));
    for (name, text) in [("html", report.to_html()), ("md", report.to_markdown()), ("json", report.to_json())]
    {
        let kept = std::fs::read_to_string(format!("{ROOT}/report.{name}")).expect("a report");
        assert!(
            kept == text,
            "results/report.{name} is out of date: `wug reproduce --seeds 3 -o results` makes it anew"
        );
    }
}
