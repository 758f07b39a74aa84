use crate::harness::{Ended, Place, WUG, end, without_wishes, wug};

const ESCAPE: char = '\u{1b}';
/// A run with help, results with a heading, and an error each.
const RUNS: [&[&str]; 3] = [&["--help"], &["-v", "lexicon", "--top", "1"], &["lexicon", "nothing.txt"]];

#[test]
fn pipes_get_no_colours() {
    for arguments in RUNS {
        let Ended { stdout, stderr, .. } = wug(arguments);
        assert!(!stdout.contains(ESCAPE) && !stderr.contains(ESCAPE), "{arguments:?}");
    }
}

#[test]
fn colours_can_be_forced_and_refused() {
    let place = Place::new();
    for arguments in RUNS {
        let mut command = place.command(arguments);
        let Ended { stdout, stderr, .. } = end(command.env("CLICOLOR_FORCE", "1"));
        assert!(stdout.contains(ESCAPE) || stderr.contains(ESCAPE), "{arguments:?}: {stdout}{stderr}");
        let Ended { stdout, stderr, .. } = end(command.env("NO_COLOR", "1"));
        assert!(!stdout.contains(ESCAPE) && !stderr.contains(ESCAPE), "{arguments:?}");
    }
}

/// What the command writes to a terminal, with `script` as the terminal.
#[cfg(target_os = "linux")]
fn on_a_terminal(arguments: &str, variables: &[(&str, &str)]) -> Option<String> {
    if !super::help::has("script") {
        return None;
    }
    let mut terminal = std::process::Command::new("script");
    let line = format!("'{}' {arguments}", WUG);
    terminal.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    without_wishes(&mut terminal);
    terminal.env("TERM", "xterm").envs(variables.iter().copied()).stdin(std::process::Stdio::null());
    Some(String::from_utf8(terminal.output().expect("a terminal").stdout).expect("UTF-8"))
}

#[cfg(target_os = "linux")]
#[test]
fn terminals_get_colours_unless_they_are_refused() {
    for arguments in RUNS.map(|arguments| arguments.join(" ")) {
        let Some(plain) = on_a_terminal(&arguments, &[]) else { return };
        assert!(plain.contains("\u{1b}["), "{arguments}: {plain}");
        // A log of continuous integration may be shown in colours, but a wish still counts there.
        for surroundings in [("CI", "true"), ("LANG", "C")] {
            for wish in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
                let found = on_a_terminal(&arguments, &[surroundings, wish]).unwrap();
                assert!(!found.contains(ESCAPE) && !found.is_empty(), "{arguments}, {wish:?}: {found}");
            }
        }
    }
}

/// A bar is redrawn with control sequences, which a dumb terminal does not understand.
#[cfg(target_os = "linux")]
#[test]
fn bars_are_drawn_on_terminals_that_can_redraw_and_nowhere_else() {
    let arguments = "eval --metrics oracles";
    let Some(drawn) = on_a_terminal(arguments, &[("NO_COLOR", "1")]) else { return };
    assert!(drawn.contains('░') || drawn.contains('█'), "{drawn}");
    for (arguments, variables) in
        [("-q eval --metrics oracles", ("TERM", "xterm")), (arguments, ("TERM", "dumb"))]
    {
        let found = on_a_terminal(arguments, &[variables]).unwrap();
        assert!(!found.contains('░') && !found.contains('█') && !found.contains("\u{1b}[2K"), "{found}");
    }
}
