//! The Python package: a wheel by maturin, its tests in a virtual environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, root, run, target};

/// Prints nothing and fails if Python is too old.
const NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

/// Builds the wheel into a folder; without a name into `target/python/wheels`. It is the one for others: optimised.
pub(crate) fn build(folder: Option<&Path>) -> Outcome {
    let environment = environment()?;
    let folder = folder.map_or_else(|| target().join("python/wheels"), Path::to_path_buf);
    wheel(&environment, "release", &folder)
}

/// Builds a wheel with what the other tests have compiled already, installs it, and tests it.
pub(crate) fn test() -> Outcome {
    let environment = environment()?;
    let folder = target().join("python/test-wheels");
    // Only the new one is to be found there.
    let _ = std::fs::remove_dir_all(&folder);
    wheel(&environment, "dev", &folder)?;
    let program = |name| Command::new(environment.join("bin").join(name));
    run(program("pip")
        .args(["install", "--quiet", "--force-reinstall", "--no-deps", "--no-index", "--find-links"])
        .arg(&folder)
        .arg("wug"))?;
    run(program("python").args(["-m", "pytest", "--quiet", "--import-mode=importlib"]).current_dir(root()))
}

fn wheel(environment: &Path, profile: &str, folder: &Path) -> Outcome {
    run(Command::new(environment.join("bin/maturin"))
        .args(["build", "--profile", profile, "--out"])
        .arg(folder)
        .arg("--interpreter")
        .arg(environment.join("bin/python"))
        .current_dir(root()))
}

/// The virtual environment with everything that tests need, made anew if that has changed.
fn environment() -> Result<PathBuf, String> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    run(Command::new(&python).args(["-c", NEW_ENOUGH])).map_err(|_| {
        "Python 3.11 or newer is needed: install it, or name the program in PYTHON".to_owned()
    })?;
    let folder = target().join("python/environment");
    let (wanted, stamp) = (root().join("python/requirements-test.txt"), folder.join("requirements.txt"));
    let read = |path: &Path| std::fs::read(path).ok();
    if read(&wanted) != read(&stamp) {
        run(Command::new(&python).args(["-m", "venv", "--clear"]).arg(&folder))?;
        run(Command::new(folder.join("bin/pip"))
            .args(["install", "--quiet", "--disable-pip-version-check", "--requirement"])
            .arg(&wanted))?;
        std::fs::copy(&wanted, &stamp).map_err(|error| error.to_string())?;
    }
    Ok(folder)
}
