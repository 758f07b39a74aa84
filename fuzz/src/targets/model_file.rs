//! Any bytes give a model or an error. A model survives writing and reading, prints nothing that steers a terminal, and makes and
//! scores words.

use wug::evaluate::log_probabilities;
use wug::generate::{MAX_LETTERS, SymbolChoice, draw};
use wug::lexicon::{Alphabet, END, Lexicon};
use wug::model::Model;
use wug::{Config, Execution, Precision, Provenance, StoredList, TrainedModel};

use super::safetensors::file_of;

/// Models beyond these sizes are read but not used: that takes long, as it should.
const MAX_NUMBERS: usize = 20_000;
const MAX_SYMBOLS: usize = 500;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let model = match TrainedModel::from_bytes(&file_of(bytes), "fuzz") {
        Ok(model) => model,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let written = model.to_bytes().unwrap();
    let again = TrainedModel::from_bytes(&written, "again").unwrap();
    assert_eq!((&again.config, &again.alphabet), (&model.config, &model.alphabet));
    assert_eq!((&again.parameters, &again.provenance), (&model.parameters, &model.provenance));
    assert_eq!(again.to_bytes().unwrap(), written);
    assert_eq!(again.list, model.list);
    if let Ok(words) = model.training_list() {
        assert_eq!(again.training_list().unwrap().types(), words.types());
    }
    if let Ok(lexicon) = model.lexicon() {
        assert_eq!(lexicon.digest(), model.provenance.lexicon_digest);
    }
    assert!(!model.alphabet.letters().flat_map(str::chars).any(|c| c.is_control() || c.is_whitespace()));
    if model.parameters.len() <= MAX_NUMBERS && model.alphabet.symbol_count() <= MAX_SYMBOLS {
        make_and_score(&model);
    }
}

fn make_and_score(trained: &TrainedModel) {
    let (fitted, alphabet) = (trained.fitted(), &trained.alphabet);
    let words = draw(fitted, SymbolChoice::Sampled, 3, Execution::default()).unwrap();
    assert_eq!(words.len(), 3);
    for word in words {
        assert!(word.len() <= MAX_LETTERS);
        assert!(word.iter().all(|&symbol| symbol != END && usize::from(symbol) < alphabet.symbol_count()));
        let whole = [&word[..], &[END]].concat();
        log_probabilities(fitted, &[&whole], 8, Execution::default(), &mut |_| ()).unwrap();
    }
}

/// The file of a small model with changes to its settings, to begin a corpus with.
pub fn seed(changes: &[&str], precision: Precision) -> Vec<u8> {
    let small = [
        "state=2",
        "generative.flow=2xtril",
        "generative.hidden=[2]",
        "choice_hidden=[2]",
        "flow_hidden=[2]",
        "inference.hidden=[2]",
        "encoder=2",
        "embedding=2",
    ];
    let config = Config::default().with_overrides(&small).unwrap().with_overrides(changes).unwrap();
    let alphabet = Alphabet::from_letters(["a", "x\u{301}", "ж"]).unwrap();
    let model = Model::new(&config.model, alphabet.symbol_count()).unwrap();
    let parameters = model.initial_parameters(1);
    let lexicon = Lexicon::from_counts([("ax\u{301}", 3), ("ж", 200)]).unwrap();
    let provenance =
        Provenance { lexicon: "list".into(), lexicon_digest: lexicon.digest(), ..Provenance::default() };
    let list = Some(StoredList::of(&lexicon).into());
    let model = TrainedModel::new(config, model.into(), parameters, alphabet, provenance, list);
    model.to_bytes_in(precision).unwrap()
}
