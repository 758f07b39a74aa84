//! What the help lists.

use std::process::Command;

use crate::harness::wug;

/// The standard output of a command that must succeed.
pub(crate) fn output_of(arguments: &[&str]) -> String {
    wug(arguments).succeeds().stdout
}

/// The names of all commands, as the help lists them.
pub(crate) fn commands() -> Vec<String> {
    let help = output_of(&["--help"]);
    let list =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A description that goes on in the next line is indented further.
    let list = list.filter(|line| !line.starts_with("   "));
    let names: Vec<String> =
        list.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect();
    assert!(names.len() > 10 && names.iter().any(|name| name == "help"), "{help}");
    names.into_iter().filter(|name| name != "help").collect()
}

/// The long options of a command, as its help lists them.
pub(crate) fn options(command: &str) -> Vec<String> {
    let help = output_of(&[command, "--help"]);
    let options: Vec<String> = help
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'))
        .filter_map(|line| {
            line.split([' ', ',', '<', '[']).find(|part| part.starts_with("--")).map(str::to_owned)
        })
        .collect();
    assert!(options.iter().any(|option| option == "--quiet"), "{help}");
    options
}

/// Whether a program is there.
pub(crate) fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}
