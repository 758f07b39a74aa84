//! The Python package: a wheel by maturin, its tests in a virtual environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, root, run, target};

/// Prints the version, and fails if it is too old.
const VERSION: &str =
    "import sys; print('%d.%d' % sys.version_info[:2]); sys.exit(sys.version_info < (3, 11))";

/// Builds the wheel into a folder; without a name into `target/python/wheels`. It is the one for others: optimised.
pub(crate) fn build(folder: Option<&Path>) -> Outcome {
    let environment = environment()?;
    let folder = folder.map_or_else(|| target().join("python/wheels"), Path::to_path_buf);
    run(environment
        .program("maturin")
        .args(["build", "--release", "--out"])
        .arg(folder)
        .arg("--interpreter")
        .arg(environment.programs().join("python")))
}

/// Builds a wheel as `pip install .` does, but with what other tests have compiled already, installs it, and tests it.
pub(crate) fn test() -> Outcome {
    let environment = environment()?;
    let wheels = target().join("python/test-wheels");
    // Only the new one is to be found there.
    let _ = std::fs::remove_dir_all(&wheels);
    run(environment
        .program("pip")
        .args(["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--config-settings"])
        .args(["build-args=--profile dev", "--wheel-dir"])
        .arg(&wheels)
        .arg("."))?;
    run(environment
        .program("pip")
        .args(["install", "--quiet", "--force-reinstall", "--no-deps", "--no-index", "--find-links"])
        .arg(&wheels)
        .arg("wug"))?;
    // Two at a time: most tests wait for other programs.
    run(environment.program("python").args([
        "-m",
        "pytest",
        "--quiet",
        "--import-mode=importlib",
        "--numprocesses=2",
    ]))
}

/// A virtual environment.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The folder of its programs.
    fn programs(&self) -> PathBuf {
        self.folder.join(if cfg!(windows) { "Scripts" } else { "bin" })
    }

    /// A program of it, which runs in the checkout.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs().join(name));
        // Programs that it starts, such as maturin, are its own.
        let own = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect::<Vec<_>>();
        let paths = std::env::join_paths([self.programs()].into_iter().chain(own));
        command
            .current_dir(root())
            .env("PATH", paths.unwrap_or_default())
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        command
    }
}

/// The virtual environment of this Python with everything that tests need, made anew if that has changed.
fn environment() -> Result<Environment, String> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let found = Command::new(&python).args(["-c", VERSION]).output();
    let found = found.ok().filter(|found| found.status.success()).ok_or_else(|| {
        "Python 3.11 or newer is needed: install it, or name the program in PYTHON".to_owned()
    })?;
    let version = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    let folder = target().join("python").join(format!("environment-{version}"));
    let (wanted, stamp) = (root().join("python/requirements-test.txt"), folder.join("requirements.txt"));
    let read = |path: &Path| std::fs::read(path).ok();
    let environment = Environment { folder };
    if read(&wanted) != read(&stamp) {
        run(Command::new(&python).args(["-m", "venv", "--clear"]).arg(&environment.folder))?;
        run(environment.program("pip").args(["install", "--quiet", "--requirement"]).arg(&wanted))?;
        std::fs::copy(&wanted, &stamp).map_err(|error| error.to_string())?;
    }
    Ok(environment)
}
