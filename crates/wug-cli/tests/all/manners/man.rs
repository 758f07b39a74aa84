use std::fs;
use std::process::Command;

use super::help::{commands, has, options, output_of};
use crate::harness::Place;

/// A page as it is read, without the markup.
fn plain(page: &str) -> String {
    page.replace("\\-", "-")
        .replace("\\fB", "")
        .replace("\\fI", "")
        .replace("\\fR", "")
        .replace("\\*(Aq", "'")
}

#[test]
fn every_command_has_a_page_that_names_its_options() {
    let place = Place::new();
    assert_eq!(place.wug(&["man", "pages"]).succeeds().stdout, "");
    let read = |name: &str| place.text(&format!("pages/{name}"));
    let commands = commands();
    assert_eq!(fs::read_dir(place.path("pages")).unwrap().count(), commands.len() + 1);
    for command in &commands {
        let page = plain(&read(&format!("wug-{command}.1")));
        for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "ENVIRONMENT", "FILES"] {
            assert!(page.contains(&format!(".SH {heading}\n")), "wug-{command}.1 has no {heading}");
        }
        assert!(page.contains(".SH \"EXIT STATUS\"") && page.contains("NO_COLOR"), "{page}");
        assert!(page.contains(&format!("\nwug {command}")), "wug-{command}.1 has no example");
        for option in options(command) {
            assert!(page.contains(&option), "wug-{command}.1 does not name {option}");
        }
    }
    let main = read("wug.1");
    assert_eq!(main, output_of(&["man"]));
    let main = plain(&main);
    for command in &commands {
        assert!(main.contains(&format!("wug-{command}(1)")), "{command}");
    }
}

#[test]
fn pages_are_set_without_warnings() {
    if !has("groff") {
        return;
    }
    let place = Place::new();
    place.wug(&["man", "."]).succeeds();
    for page in fs::read_dir(place.path("")).unwrap() {
        let page = page.unwrap().path();
        let output =
            Command::new("groff").args(["-man", "-Tutf8", "-K", "utf8", "-ww"]).arg(&page).output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty(), "{}", page.display());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{}", page.display());
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    Place::with("file", "").wug(&["man", "file/pages"]).fails(1, &["cannot create file/pages"]);
}
