//! What cargo alone does not build or test: the front ends of the library that are not Rust. And all tests by one command.
//!
//! Each front end has a file here with the same two functions, `build` and `test`, which install what they need.

mod page;
mod python;
mod shell;

use std::process::ExitCode;

use shell::Outcome;

const HELP: &str = "\
cargo xtask page [--out FILE]   builds the page for browsers into one file (target/page/wug.html)
cargo xtask wheel [--out DIR]   builds the Python package (target/python/wheels)
cargo xtask test [FRONT END...]      all tests, or those of some of them: rust (cargo test --workspace), page, python
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["page"] => page::build(None),
        ["page", "--out", file] => page::build(Some(file.as_ref())),
        ["wheel"] => python::build(None),
        ["wheel", "--out", folder] => python::build(Some(folder.as_ref())),
        ["test", front_ends @ ..] => test(front_ends),
        ["help" | "--help"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// A front end's name and its tests.
type FrontEnd = (&'static str, fn() -> Outcome);

const FRONT_ENDS: [FrontEnd; 3] = [("rust", rust), ("page", page::test), ("python", python::test)];

/// What cargo tests by itself.
fn rust() -> Outcome {
    shell::run(shell::cargo().args(["test", "--workspace"]).current_dir(shell::root()))
}

fn test(names: &[&str]) -> Outcome {
    if let Some(unknown) = names.iter().find(|name| !FRONT_ENDS.iter().any(|(known, _)| known == *name)) {
        let known: Vec<&str> = FRONT_ENDS.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no front end `{unknown}`; there are: {}", known.join(", ")));
    }
    for (name, test) in FRONT_ENDS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)) {
        eprintln!("== {name}");
        test()?;
    }
    Ok(())
}
