//! The page: WebAssembly by cargo, TypeScript by npm, one file of both; its tests in a real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, cargo, root, run, target, works};

const TARGET: &str = "wasm32-unknown-unknown";
/// Browsers, by their usual names.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Where Chrome is on macOS and Windows.
const PLACES: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
];
/// The program npm; on Windows it is a script, which is found only by its whole name.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Builds the page into a file; without a name into `target/page/wug.html`.
pub(crate) fn build(file: Option<&Path>) -> Outcome {
    let (page, output) = (root().join("page"), target().join("page"));
    let wasm = build_wasm(&output)?;
    let models = output.join("models");
    let pack =
        built(&["--example", "pack_models", "--features", "wug-web/languages"], "examples/pack_models")?;
    run(Command::new(pack).arg(&models))?;
    install(&page)?;
    let file = file.map_or_else(|| output.join("wug.html"), Path::to_path_buf);
    let file = std::path::absolute(file).map_err(|error| error.to_string())?;
    run(Command::new(NPM).args(["run", "--silent", "check"]).current_dir(&page))?;
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
    let browser = browser()?;
    build(None)?;
    let command = built(&["--bin", "wug"], "wug")?;
    run(Command::new(NPM)
        .args(["test", "--silent"])
        .current_dir(root().join("page"))
        .env("WUG_PAGE", target().join("page/wug.html"))
        .env("WUG_COMMAND", command)
        .env("WUG_BROWSER", browser))
}

/// Builds a program with the features that `cargo test --workspace` builds with, so that the library is not compiled again.
fn built(what: &[&str], name: &str) -> Result<PathBuf, String> {
    run(cargo().args(["build", "--locked", "--workspace"]).args(what).current_dir(root()))?;
    Ok(target().join("debug").join(name).with_extension(std::env::consts::EXE_EXTENSION))
}

/// The library as WebAssembly. Its target folder is its own, so that nothing else is built anew because of other flags.
fn build_wasm(output: &Path) -> Result<PathBuf, String> {
    if !has_wasm() {
        if !works(Command::new("rustup").arg("--version")) {
            return Err(format!(
                "rustc lacks the target {TARGET}: install it with the packages of your system"
            ));
        }
        run(Command::new("rustup").args(["target", "add", TARGET]))?;
    }
    let folder = output.join("wasm");
    run(cargo()
        .args(["build", "--locked", "--release", "--package", "wug-web", "--target", TARGET, "--target-dir"])
        .arg(&folder)
        .current_dir(root())
        .env("RUSTFLAGS", "-C target-feature=+simd128 -C strip=symbols"))?;
    Ok(folder.join(TARGET).join("release/wug_web.wasm"))
}

/// Whether the standard library is there for WebAssembly.
fn has_wasm() -> bool {
    let found = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    found.is_ok_and(|found| Path::new(String::from_utf8_lossy(&found.stdout).trim()).is_dir())
}

/// Brings the packages that the page is built with, if they are not those of the lock file.
fn install(page: &Path) -> Outcome {
    let (lock, stamp) = (page.join("package-lock.json"), page.join("node_modules/.lock"));
    let read = |path: &Path| std::fs::read(path).ok();
    if read(&lock).is_some() && read(&lock) == read(&stamp) {
        return Ok(());
    }
    // `npm ci` wants the packages of all platforms to be there, which mirrors of the registry may lack.
    run(Command::new(NPM).args(["install", "--no-save", "--no-audit", "--no-fund"]).current_dir(page))?;
    std::fs::copy(&lock, &stamp).map(|_| ()).map_err(|error| error.to_string())
}

/// A browser to test with: the one of `WUG_BROWSER`, one that is there, or Debian's if it can be installed.
fn browser() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("WUG_BROWSER") {
        return Ok(named.into());
    }
    if let Some(found) = installed_browser() {
        return Ok(found);
    }
    let user = Command::new("id").arg("--user").output();
    let is_root = user.is_ok_and(|user| user.stdout.trim_ascii() == b"0");
    if is_root && works(Command::new("apt-get").arg("--version")) {
        run(Command::new("apt-get").arg("update"))?;
        run(Command::new("apt-get").args(["install", "--yes", "--no-install-recommends", "chromium"]))?;
    }
    installed_browser().ok_or_else(|| {
        "no browser to test the page with: install Chromium (Debian: `sudo apt-get install chromium`), or name the program of \
         Chromium or Chrome in WUG_BROWSER"
            .to_owned()
    })
}

fn installed_browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| BROWSERS.map(|name| folder.join(name)))
        .chain(PLACES.map(PathBuf::from))
        .find(|program| program.is_file())
}
