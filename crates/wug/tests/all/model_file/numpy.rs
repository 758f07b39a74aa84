//! The numpy example and the library find the same states and probabilities.
//!
//! The fixtures are what the example printed, so that no Python is needed: `model-*.safetensors` are files of
//! version 4, and `trace-*.json` is the output of `examples/sample_numpy.py model-*.safetensors --trace noise.json`.
//! Where Python and numpy are there, the example itself is run, on more flows.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use wug::generate::StepNoise;
use wug::lexicon::Lexicon;
use wug::{Precision, TrainedModel};

use super::common::{fixture, trained, trained_on};

/// Vectors of numbers, one for each step.
type Steps = Vec<Vec<f64>>;

/// The library's states, and the logarithms of the symbols' probabilities in the order of the alphabet. Where noise does not choose
/// the symbols, they are the last one.
fn trace(trained: &TrainedModel, noise: &Steps) -> [Steps; 2] {
    let given: Vec<_> =
        noise.iter().map(|step| StepNoise { noise: step.clone(), point: Some(1.0) }).collect();
    let mut found = trained.decode(&given, 1).expect("a trace").steps;
    assert!(found.len() >= noise.len(), "the word ends after {} steps", found.len());
    found.truncate(noise.len());
    let order = trained.model.cell_order();
    let logs = |probabilities: &[f64]| {
        let mut logs = vec![0.0; order.len()];
        order.iter().zip(probabilities).for_each(|(&symbol, p)| logs[usize::from(symbol)] = p.ln());
        logs
    };
    [
        found.iter().map(|step| step.state.iter().map(|&x| f64::from(x)).collect()).collect(),
        found.iter().map(|step| logs(&step.probabilities)).collect(),
    ]
}

/// Logarithms of probabilities from logits.
fn log_softmax(logits: &[f64]) -> Vec<f64> {
    let log_sum = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
    logits.iter().map(|logit| logit - log_sum).collect()
}

fn steps(value: &Value) -> Steps {
    serde_json::from_value(value.clone()).expect("a list of lists of numbers")
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("the file is there")).expect("JSON")
}

fn assert_close(found: &[Steps; 2], expected: &Value, what: &str) {
    let logits = steps(&expected["logits"]).iter().map(|step| log_softmax(step)).collect();
    for (found, expected) in found.iter().zip([steps(&expected["states"]), logits]) {
        assert_eq!(found.len(), expected.len());
        // Behind the networks' numbers the library's states have the last symbols, if there are counts.
        let pairs = found.iter().zip(&expected).flat_map(|(found, expected)| found.iter().zip(expected));
        for (found, expected) in pairs {
            let error = (found - expected).abs();
            assert!(error < 1e-5 * (1.0 + expected.abs()), "{what}: {found} {expected}");
        }
    }
}

#[test]
fn the_library_agrees_with_what_numpy_printed() {
    let noise = steps(&read_json(&fixture("noise.json")));
    for name in ["2xtril", "diag-inverse"] {
        let trained = TrainedModel::load(&fixture(&format!("model-{name}.safetensors"))).expect("a model");
        let expected = read_json(&fixture(&format!("trace-{name}.json")));
        assert_close(&trace(&trained, &noise), &expected, name);
    }
}

/// Runs the example; none if there is no Python with numpy.
fn run(arguments: &[&str]) -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let usable = Command::new(&python).args(["-c", "import numpy, tomllib"]).output().ok()?;
    if !usable.status.success() {
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sample_numpy.py");
    let output = Command::new(&python).arg(script).args(arguments).output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn the_example_agrees_with_the_library_where_there_is_numpy() {
    let folder = tempfile::tempdir().expect("a folder");
    let noise = steps(&read_json(&fixture("noise.json")));
    for flow in ["id", "add", "diag", "tril", "2xtril", "3xdiag", "2xadd"] {
        for direction in ["forward", "inverse"] {
            let overrides = [format!("generative.flow={flow}"), format!("generative.direction={direction}")];
            let trained = trained(&overrides.each_ref().map(String::as_str));
            let path: PathBuf = folder.path().join("model.safetensors");
            trained.save(&path).expect("the folder can be written");
            let path = path.to_str().expect("Unicode");
            let Some(printed) = run(&[path, "--trace", fixture("noise.json").to_str().expect("Unicode")])
            else {
                eprintln!("skipped: there is no Python with numpy");
                return;
            };
            let expected = serde_json::from_str(&printed).expect("JSON");
            assert_close(&trace(&trained, &noise), &expected, &overrides.join(" "));
        }
    }
    // Far from the end symbol, which is the first on the unit interval: the words go on.
    let upper: Steps = noise.iter().map(|step| vec![1.0 + step[0].abs()]).collect();
    let file = folder.path().join("upper.json");
    std::fs::write(&file, serde_json::to_string(&upper).expect("JSON")).expect("the folder can be written");
    let small = ["kind=choice", "generative.hidden=[4, 4, 3]", "choice_hidden=[5]"];
    let choice = trained(&small);
    // Counts of a list, of which a tenth is held out, beside two networks.
    let letters = |number: usize| {
        (0..2 + number % 4)
            .map(move |place| ["a", "x\u{301}", "ж"][(((number * 7) >> place) & 1) | (place % 2)])
    };
    let words = (0..60).map(|number| (letters(number).collect::<String>(), 1 + number as u64));
    let lexicon = Lexicon::from_counts(words).expect("words");
    let mixture =
        ["networks=2", "counts.order=5", "counts.hidden=3", "data.split=types", "data.weighting=types"];
    let mixture = trained_on(&lexicon, lexicon.alphabet().clone(), &[&small[..], &mixture].concat());
    let path = folder.path().join("model.safetensors");
    let both = [Precision::Single, Precision::Half];
    for (model, precision) in both
        .map(|precision| (&mixture, precision))
        .into_iter()
        .chain(both.map(|precision| (&choice, precision)))
    {
        std::fs::write(&path, model.to_bytes_in(precision).expect("small numbers")).expect("a file");
        let choice = TrainedModel::load(&path).expect("a model");
        // The folder of a run is as good as its model.
        let arguments =
            [folder.path(), Path::new("--trace"), &file].map(|path| path.to_str().expect("Unicode"));
        let expected = serde_json::from_str(&run(&arguments).expect("it ran before")).expect("JSON");
        assert_close(&trace(&choice, &upper), &expected, &format!("choice flow, {precision:?}"));
    }
    let list = run(&[path.to_str().expect("Unicode"), "--list"]).expect("it ran before");
    assert_eq!(list, "aé\t3\nжa\t300\n");
    let model = fixture("model-2xtril.safetensors");
    let words = run(&[model.to_str().expect("Unicode"), "5", "2"]).expect("it ran before");
    assert_eq!(words.lines().count(), 5);
    let letters = TrainedModel::load(&model).expect("a model").alphabet.letters().collect::<String>();
    assert!(words.chars().all(|c| c == '\n' || letters.contains(c)), "{words}");
}
