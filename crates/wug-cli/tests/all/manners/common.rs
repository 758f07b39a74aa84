//! Running the command.

use std::path::Path;
use std::process::{Command, Output};

/// The command in a folder, in an environment that says nothing about colours.
pub(crate) fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wug"));
    command.args(arguments).current_dir(folder);
    without_wishes(&mut command);
    command
}

/// Takes away what the surroundings of the tests say of colours.
pub(crate) fn without_wishes(command: &mut Command) {
    ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"].iter().for_each(|name| {
        command.env_remove(name);
    });
}

/// Runs it: exit code, standard output, standard error.
pub(crate) fn wug(arguments: &[&str], folder: &Path) -> (Option<i32>, String, String) {
    finish(&mut command(arguments, folder))
}

pub(crate) fn finish(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

/// The standard output of a command that must succeed.
pub(crate) fn output_of(arguments: &[&str]) -> String {
    let (code, stdout, stderr) = wug(arguments, Path::new("."));
    assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
    stdout
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
