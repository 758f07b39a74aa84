//! Writes the models that are in the page: `pack_models FOLDER`.
//!
//! English is in the WebAssembly module, with what else is known of it. The other languages are model files with their lists, which the page
//! opens when they are chosen. `languages.json` tells what there is.

use std::error::Error;
use std::path::PathBuf;

use serde_json::{Value, json};
use wug::languages::{self, DEFAULT_MODEL};
use wug::{Precision, TrainedModel};

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = std::env::args_os().nth(1).ok_or("usage: pack_models FOLDER")?.into();
    std::fs::create_dir_all(&folder)?;
    let mut found = Vec::new();
    for language in languages::languages() {
        let code = language.code();
        for name in language.models() {
            let title = match name.strip_prefix(code).and_then(|rest| rest.strip_prefix('-')) {
                Some(kind) => format!("{} ({kind})", language.name()),
                None => language.name().to_owned(),
            };
            let file = (!["en", "classics-en"].contains(&code)).then(|| format!("{name}.safetensors"));
            if let Some(file) = &file {
                let model = TrainedModel::named(name)?.with_list()?;
                std::fs::write(folder.join(file), model.to_bytes_in(Precision::Half)?)?;
            }
            found.push((name != DEFAULT_MODEL, json!({ "code": name, "name": title, "file": file })));
        }
    }
    // The model that the command takes without being told comes first, and needs no more than its language's name.
    found.sort_by_key(|(other, _)| *other);
    let mut found: Vec<Value> = found.into_iter().map(|(_, found)| found).collect();
    if let Some(first) = found.first_mut() {
        first["name"] = json!("English");
    }
    std::fs::write(folder.join("languages.json"), serde_json::to_vec(&found)?)?;
    Ok(())
}
