//! Random arguments: whatever is asked for, the command ends soon, with an exit code it has and a message if it failed.
//!
//! Commands and options are those that `--help` lists. `WUG_ARGUMENT_CASES=5000 cargo test -p wug-cli --test all
//! hostile::arguments` tries longer.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::run::{MEMORY, TRAIN, place, run};
use crate::harness::{Place, wug};

/// Values that no one should give, and some that one may.
const VALUES: [&str; 38] = [
    "",
    " ",
    "-",
    "--",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "12",
    "007",
    "0.5",
    "-0.0",
    "1e308",
    "1e-308",
    "NaN",
    "inf",
    "18446744073709551615",
    "18446744073709551616",
    "0x10",
    "1k",
    "ada",
    "wug",
    "\u{1b}[2J",
    "a\nb",
    "\u{202e}",
    "🦀",
    "٣",
    "[",
    "[!a]*",
    "?*?",
    "names.txt",
    "run",
    "run/config.toml",
    "no/such",
    "/dev/null",
    "/dev/full",
    "=",
];

/// Values that may mean much work: the command may still be at it at the deadline.
const GIGANTIC: [&str; 6] = ["99999999999", "1e15", "1000000", "1G", "1024", "/dev/zero"];

/// Settings for `--set`.
const SETTINGS: [&str; 12] = [
    "state=0",
    "state=4097",
    "particles=32768",
    "batch=65536",
    "learning_rate=nan",
    "generative.flow=64xnvp",
    "kind=gru",
    "x=1",
    "=",
    "hidden=[]",
    "generative.hidden=[]",
    "words=9223372036854775807",
];

/// How long a command may take that was not asked for much.
const DEADLINE: Duration = Duration::from_secs(30);
/// How long a command is watched that may have been asked for much.
const WATCH: Duration = Duration::from_millis(500);

/// One argument after the command's name.
#[derive(Debug, Clone)]
enum Argument {
    Option(usize, Value),
    Word(Value),
}

#[derive(Debug, Clone)]
enum Value {
    Usual(usize),
    Gigantic(usize),
    Setting(usize),
    Bytes(Vec<u8>),
    Long,
}

impl Value {
    fn text(&self) -> OsString {
        match self {
            Self::Usual(number) => VALUES[*number].into(),
            Self::Gigantic(number) => GIGANTIC[*number].into(),
            Self::Setting(number) => SETTINGS[*number].into(),
            Self::Bytes(bytes) => OsString::from_vec(bytes.clone()),
            Self::Long => "a".repeat(20_000).into(),
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => (0..VALUES.len()).prop_map(Value::Usual),
        2 => (0..GIGANTIC.len()).prop_map(Value::Gigantic),
        2 => (0..SETTINGS.len()).prop_map(Value::Setting),
        // Anything but NUL, which no argument can have.
        1 => prop::collection::vec(1..=255_u8, 0..6).prop_map(Value::Bytes),
        1 => Just(Value::Long),
    ]
}

fn argument() -> impl Strategy<Value = Argument> {
    prop_oneof![
        3 => (any::<usize>(), value()).prop_map(|(option, value)| Argument::Option(option, value)),
        1 => value().prop_map(Argument::Word),
    ]
}

/// Options of a command, and whether they take a value.
type Options = Vec<(String, bool)>;

/// The commands that `--help` lists, with their options.
fn commands() -> BTreeMap<String, Options> {
    let help = |arguments: &[&str]| wug(arguments).succeeds().stdout;
    let all = help(&["--help"]);
    let (_, list) = all.split_once("Commands:\n").expect("a list of commands");
    let names = list.lines().take_while(|line| !line.trim().is_empty());
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next())
        .map(|name| {
            let text = if name == "help" { String::new() } else { help(&[name, "--help"]) };
            let options = text.lines().filter_map(|line| {
                let (short, rest) = line.trim_start().split_once("--")?;
                if !short.chars().all(|c| c == '-' || c == ',' || c == ' ' || c.is_ascii_alphabetic())
                    || short.len() > 4
                {
                    return None;
                }
                let option = rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next()?;
                Some((format!("--{option}"), rest[option.len()..].contains('<')))
            });
            (name.to_owned(), options.collect())
        })
        .collect()
}

/// Arguments that keep a command's work small, unless a random one takes their place.
fn base(command: &str) -> Vec<&'static str> {
    match command {
        "train" => [&TRAIN[..], &["--output", "new"]].concat(),
        "sample" => vec!["--model", "english", "--words", "5", "--threads", "2"],
        "eval" => vec!["--model", "run", "--trajectories", "100", "--draws", "10", "--particles", "8"],
        "score" => vec!["--model", "english", "--particles", "8", "--threads", "2"],
        "between" | "match" | "name" | "noise" => vec!["--model", "english"],
        "reproduce" => vec!["--list"],
        _ => Vec::new(),
    }
}

/// The whole command line, and whether it may ask for much.
fn command_line(command: &str, options: &Options, arguments: &[Argument]) -> (Vec<OsString>, bool) {
    let mut random: Vec<OsString> = Vec::new();
    let mut gigantic = false;
    for argument in arguments {
        let value = match argument {
            Argument::Option(number, value) if !options.is_empty() => {
                let (option, takes_value) = &options[number % options.len()];
                random.push(option.into());
                if !takes_value {
                    continue;
                }
                value
            }
            Argument::Option(_, value) | Argument::Word(value) => value,
        };
        gigantic |= matches!(value, Value::Gigantic(_) | Value::Setting(_) | Value::Bytes(_));
        random.push(value.text());
    }
    let mut line: Vec<OsString> = vec![command.into()];
    let mut own = base(command).into_iter().peekable();
    while let Some(argument) = own.next() {
        let takes_value = argument.starts_with("--") && !argument.contains('=') && argument != "--list";
        let value = if takes_value { own.next() } else { None };
        if takes_value && random.iter().any(|other| other == argument) {
            continue;
        }
        line.push(argument.into());
        line.extend(value.map(OsString::from));
    }
    line.extend(random);
    (line, gigantic)
}

#[test]
fn any_arguments_end_well() {
    let cases = std::env::var("WUG_ARGUMENT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(120);
    let place = place();
    place.write("english", Place::english().read("english"));
    let commands: Vec<(String, Options)> = commands().into_iter().collect();
    assert!(commands.len() >= 10 && commands.iter().any(|(_, options)| options.len() > 10), "{commands:?}");
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(8),
        failure_persistence: None,
        max_shrink_iters: 60,
        ..Config::default()
    };
    let limit = format!("ulimit -v {MEMORY}");
    let strategy = (any::<prop::sample::Index>(), prop::collection::vec(argument(), 0..5));
    let outcome = TestRunner::new(config).run(&strategy, |(command, arguments)| {
        let (command, options) = command.get(&commands);
        let (line, gigantic) = command_line(command, options, &arguments);
        // What an earlier case has written is not to be in the way.
        let _ = std::fs::remove_dir_all(place.path("new"));
        let ended = run(&place, &limit, &line, if gigantic { WATCH } else { DEADLINE });
        prop_assert!(!ended.stderr.contains("panicked"), "{line:?}: {ended:?}");
        if ended.late {
            prop_assert!(gigantic, "{line:?} does not end");
            return Ok(());
        }
        prop_assert!(matches!(ended.code, Some(0..=3)), "{line:?}: {ended:?}");
        prop_assert!(ended.code == Some(0) || !ended.stderr.trim().is_empty(), "{line:?}: {ended:?}");
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
