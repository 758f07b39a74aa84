use std::io::Write;
use std::process::{Command, Stdio};

use super::help::{commands, has, options, output_of};
use crate::harness::wug;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// Options as the shell's script writes them.
fn written(shell: &str, option: &str) -> String {
    match shell {
        "fish" => format!("-l {}", option.trim_start_matches("--")),
        _ => option.to_owned(),
    }
}

#[test]
fn every_shell_gets_all_commands_and_options() {
    let scripts = SHELLS.map(|shell| (shell, output_of(&["completions", shell])));
    for command in commands() {
        let options = options(&command);
        for (shell, script) in &scripts {
            assert!(script.contains(&command), "{shell}: {command}");
            for option in &options {
                assert!(script.contains(&written(shell, option)), "{shell}: {command} {option}");
            }
        }
    }
}

#[test]
fn names_are_offered_where_there_are_some() {
    let script = output_of(&["completions", "bash"]);
    for name in ["gru-16d", "table3", "types-2xtril-k10", "log-probability", "quick", "full", "paper", "tsv"]
    {
        assert!(script.contains(name), "{name}");
    }
}

#[test]
fn bash_can_read_its_script_and_complete_with_it() {
    if !has("bash") {
        return;
    }
    let script = output_of(&["completions", "bash"]);
    let complete = "COMP_WORDS=(wug sam); COMP_CWORD=1; _wug wug sam wug; echo \"found: ${COMPREPLY[*]}\"";
    let mut bash =
        Command::new("bash").arg("-s").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    bash.stdin.take().unwrap().write_all(format!("{script}\n{complete}\n").as_bytes()).unwrap();
    let output = bash.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), "found: sample");
}

#[test]
fn an_unknown_shell_is_wrong_usage() {
    wug(&["completions", "bsh"]).fails(2, &["a similar value exists: 'bash'"]);
}
