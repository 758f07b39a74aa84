//! A small model and its file.

use std::path::Path;

use wug::lexicon::{Alphabet, Lexicon};
use wug::model::Model;
use wug::{Config, Provenance, StoredList, TrainedModel};

/// A model with made-up parameters.
pub(crate) fn trained(overrides: &[&str]) -> TrainedModel {
    let alphabet = Alphabet::from_letters(["a", "e\u{301}", "ж"]).expect("an alphabet");
    let lexicon = Lexicon::from_counts([("aé", 3), ("жa", 300)]).expect("words");
    trained_on(&lexicon, alphabet, overrides)
}

/// The same for a list.
pub(crate) fn trained_on(lexicon: &Lexicon, alphabet: Alphabet, overrides: &[&str]) -> TrainedModel {
    let small = [
        "kind=state-space",
        "state=3",
        "generative.hidden=[4]",
        "flow_hidden=[2]",
        "inference.hidden=[3]",
        "encoder=2",
    ];
    let config = Config::default()
        .with_overrides(&small)
        .and_then(|config| config.with_overrides(overrides))
        .expect("a valid configuration");
    let model = Model::new(&config.model, alphabet.symbol_count()).expect("a valid configuration");
    let mut parameters = model.initial_parameters(3);
    // Far from the start, so that every tensor matters.
    parameters.iter_mut().enumerate().for_each(|(i, x)| *x = 3.0 * *x + 0.1 * (i as f32).sin());
    let provenance = Provenance {
        lexicon: "made up".into(),
        lexicon_digest: lexicon.digest(),
        words_seen: 7,
        version: "0.1.0".into(),
    };
    let list = Some(StoredList::of(lexicon).into());
    TrainedModel::new(config, model.into(), parameters, alphabet, provenance, list)
}

/// The content of its file.
pub(crate) fn bytes(model: &TrainedModel) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.safetensors");
    model.save(&path).expect("the folder can be written");
    std::fs::read(&path).expect("the file is there")
}

/// The header of a file, and where the tensors begin.
pub(crate) fn header(bytes: &[u8]) -> (serde_json::Value, usize) {
    let length = u64::from_le_bytes(*bytes.first_chunk().expect("a length")) as usize;
    (serde_json::from_slice(&bytes[8..8 + length]).expect("a header"), 8 + length)
}

/// The same tensors under another header.
pub(crate) fn with_header(bytes: &[u8], change: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
    let (mut value, data) = header(bytes);
    change(&mut value);
    let text = serde_json::to_vec(&value).expect("JSON");
    [&(text.len() as u64).to_le_bytes(), text.as_slice(), &bytes[data..]].concat()
}

/// What the reader says to this content.
pub(crate) fn error(bytes: &[u8]) -> String {
    TrainedModel::from_bytes(bytes, "it").expect_err("no valid model").to_string()
}

pub(crate) fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/numpy").join(name)
}
