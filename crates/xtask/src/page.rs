//! The page: WebAssembly by cargo, TypeScript by npm, one file of both; its tests in a real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, cargo, root, run, target, works};

const TARGET: &str = "wasm32-unknown-unknown";
/// Browsers, by their usual names.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Builds the page into a file; without a name into `target/page/wug.html`.
pub(crate) fn build(file: Option<&Path>) -> Outcome {
    let (page, output) = (root().join("page"), target().join("page"));
    let wasm = build_wasm(&output)?;
    let models = output.join("models");
    let mut pack = cargo();
    pack.args(["run", "--locked", "--package", "wug-web", "--features", "languages"]);
    run(pack.args(["--example", "pack_models"]).arg(&models).current_dir(root()))?;
    install(&page)?;
    let file = file.map_or_else(|| output.join("wug.html"), Path::to_path_buf);
    let file = std::path::absolute(file).map_err(|error| error.to_string())?;
    run(Command::new("npm").args(["run", "--silent", "check"]).current_dir(&page))?;
    run(Command::new("node")
        .args(["build.mjs", "--wasm"])
        .arg(wasm)
        .arg("--models")
        .arg(models)
        .arg("--out")
        .arg(file)
        .current_dir(&page))
}

/// Builds the page and the command, and drives the page in a browser as a person would.
pub(crate) fn test() -> Outcome {
    build(None)?;
    run(cargo().args(["build", "--locked", "--package", "wug-cli"]).current_dir(root()))?;
    let command = target().join("debug/wug").with_extension(std::env::consts::EXE_EXTENSION);
    run(Command::new("npm")
        .args(["test", "--silent"])
        .current_dir(root().join("page"))
        .env("WUG_PAGE", target().join("page/wug.html"))
        .env("WUG_COMMAND", command)
        .env("WUG_BROWSER", browser()?))
}

/// The library as WebAssembly. Its target folder is its own, so that nothing else is built anew because of other flags.
fn build_wasm(output: &Path) -> Result<PathBuf, String> {
    let known = |command: &mut Command| works(command.args(["--print", "target-libdir", "--target", TARGET]));
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let installed = installed.is_ok_and(|found| String::from_utf8_lossy(&found.stdout).contains(TARGET));
    // Without rustup, the system's packages bring the target or the build says so.
    if !installed && works(Command::new("rustup").arg("--version")) {
        run(Command::new("rustup").args(["target", "add", TARGET]))?;
    } else if !installed && !known(&mut Command::new("rustc")) {
        return Err(format!("rustc does not know {TARGET}"));
    }
    let folder = output.join("wasm");
    run(cargo()
        .args(["build", "--locked", "--release", "--package", "wug-web", "--target", TARGET, "--target-dir"])
        .arg(&folder)
        .current_dir(root())
        .env("RUSTFLAGS", "-C target-feature=+simd128 -C strip=symbols"))?;
    Ok(folder.join(TARGET).join("release/wug_web.wasm"))
}

/// Brings the packages that the page is built with, if they are not those of the lock file.
fn install(page: &Path) -> Outcome {
    let (lock, stamp) = (page.join("package-lock.json"), page.join("node_modules/.lock"));
    let read = |path: &Path| std::fs::read(path).ok();
    if read(&lock).is_some() && read(&lock) == read(&stamp) {
        return Ok(());
    }
    // `npm ci` wants the packages of all platforms to be there, which mirrors of the registry may lack.
    run(Command::new("npm").args(["install", "--no-save", "--no-audit", "--no-fund"]).current_dir(page))?;
    std::fs::copy(&lock, &stamp).map(|_| ()).map_err(|error| error.to_string())
}

/// A browser to test with: the one of `WUG_BROWSER`, one that is there, or Debian's.
fn browser() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("WUG_BROWSER") {
        return Ok(named.into());
    }
    if let Some(found) = installed_browser() {
        return Ok(found);
    }
    if works(Command::new("apt-get").arg("--version")) {
        run(Command::new("apt-get").arg("update"))?;
        run(Command::new("apt-get").args(["install", "--yes", "--no-install-recommends", "chromium"]))?;
    }
    installed_browser().ok_or_else(|| {
        "no browser to test with: install Chromium, or name the program in WUG_BROWSER".to_owned()
    })
}

fn installed_browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| BROWSERS.map(|name| folder.join(name)))
        .find(|program| program.is_file())
}
