//! The numpy example and the engine compute the same states and logits.
//!
//! The fixtures are what the example printed, so that no Python is needed: `model-*.safetensors` are files of
//! version 3, and `trace-*.json` is the output of `examples/sample_numpy.py model-*.safetensors --trace noise.json`.
//! Where Python and numpy are there, the example itself is run, on more flows.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tilegrad::{Graph, Lanes, NoiseKey, Runner, Tile};
use wug::model::Parts;
use wug::{Precision, TrainedModel};

use super::common::{fixture, trained};

/// Vectors of numbers, one for each step.
type Steps = Vec<Vec<f64>>;

/// The engine's states and logits for given noise.
fn trace(trained: &TrainedModel, noise: &Steps) -> [Steps; 2] {
    let Parts::StateSpace(parts) = trained.model.parts() else { panic!("a state space model") };
    let graph = Graph::new(trained.model.params(), 1);
    let mut state = parts.generative.initial_state(&graph);
    let (mut inputs, mut states, mut logits) = (Vec::new(), Vec::new(), Vec::new());
    for step in noise {
        let input = graph.data(step.len(), Lanes::Word);
        state = parts.generative.transition(&graph, state).forward(input).value;
        inputs.push(input.id());
        states.push(state);
        logits.push(parts.generative.emission().logits(&graph, state));
    }
    let outputs: Vec<_> = states.iter().chain(&logits).copied().collect();
    let program = graph.compile::<f32>(8, None, &outputs).expect("a program");
    let ids = [states, logits].map(|vars| vars.iter().map(|var| var.id()).collect::<Vec<_>>());
    let mut tile = Tile::new(std::slice::from_ref(&program), 0);
    for (input, step) in inputs.iter().zip(noise) {
        let numbers: Vec<f32> = step.iter().map(|&x| x as f32).collect();
        tile.set_data(&program, *input, 0, &numbers);
    }
    let mut runner = Runner::new(trained.model.params(), vec![program], 1).expect("a thread");
    let mut found =
        runner.forward(&trained.parameters, &[tile], NoiseKey { seed: 0, step: 0 }, |_, values| {
            // The first of eight lanes.
            let first = |id| values.get(id).iter().step_by(8).map(|&x| f64::from(x)).collect();
            ids.clone().map(|ids| ids.into_iter().map(first).collect())
        });
    found.pop().expect("one tile")
}

fn steps(value: &Value) -> Steps {
    serde_json::from_value(value.clone()).expect("a list of lists of numbers")
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("the file is there")).expect("JSON")
}

fn assert_close(found: &[Steps; 2], expected: &Value, what: &str) {
    for (found, key) in found.iter().zip(["states", "logits"]) {
        let expected = steps(&expected[key]);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            let error = (found - expected).abs();
            assert!(error < 1e-5 * (1.0 + expected.abs()), "{what}, {key}: {found} {expected}");
        }
    }
}

#[test]
fn the_engine_agrees_with_what_numpy_printed() {
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
fn the_example_agrees_with_the_engine_where_there_is_numpy() {
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
    for (memory_noise, softness) in [("0", "0"), ("0.2", "0"), ("0.2", "0.05"), ("0", "0.05")] {
        let trained = trained(&[
            "generative.flow=choice",
            "generative.hidden=[4, 4, 3]",
            "choice_hidden=[5]",
            &format!("memory_noise={memory_noise}"),
            &format!("softness={softness}"),
        ]);
        trained.save(&folder.path().join("model.safetensors")).expect("the folder can be written");
        // A deterministic memory takes one number of noise a step.
        let size = if memory_noise == "0" { 1 } else { 3 };
        let noise: Steps = noise.iter().map(|step| step[..size].to_vec()).collect();
        let file = folder.path().join("noise.json");
        std::fs::write(&file, serde_json::to_string(&noise).expect("JSON"))
            .expect("the folder can be written");
        // The folder of a run is as good as its model.
        let arguments =
            [folder.path(), Path::new("--trace"), &file].map(|path| path.to_str().expect("Unicode"));
        let expected = serde_json::from_str(&run(&arguments).expect("it ran before")).expect("JSON");
        assert_close(&trace(&trained, &noise), &expected, &format!("choice {memory_noise} {softness}"));
    }
    let half = trained(&["generative.flow=choice"]);
    let path = folder.path().join("model.safetensors");
    std::fs::write(&path, half.to_bytes_in(Precision::Half).expect("small numbers")).expect("a file");
    let half = TrainedModel::load(&path).expect("a model");
    let arguments = [&path, Path::new("--trace"), &folder.path().join("noise.json")];
    let printed = run(&arguments.map(|path| path.to_str().expect("Unicode"))).expect("it ran before");
    let noise: Steps = noise.iter().map(|step| step[..1].to_vec()).collect();
    assert_close(&trace(&half, &noise), &serde_json::from_str(&printed).expect("JSON"), "half precision");
    let list = run(&[path.to_str().expect("Unicode"), "--list"]).expect("it ran before");
    assert_eq!(list, "aé\t3\nжa\t300\n");
    let model = fixture("model-2xtril.safetensors");
    let words = run(&[model.to_str().expect("Unicode"), "5", "2"]).expect("it ran before");
    assert_eq!(words.lines().count(), 5);
    let letters = TrainedModel::load(&model).expect("a model").alphabet.letters().collect::<String>();
    assert!(words.chars().all(|c| c == '\n' || letters.contains(c)), "{words}");
}
