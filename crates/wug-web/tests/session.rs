//! Requests and their answers, without a browser.

use serde_json::{Value, json};
use wug::languages::DEFAULT_MODEL;
use wug_web::{Answer, Failure, Session};

/// Asks something and returns the answer with what was told on the way.
fn ask(session: &mut Session, request: &Value, bytes: &[u8]) -> Result<(Answer, Vec<Value>), Failure> {
    let mut told = Vec::new();
    let answer =
        session.answer(request.to_string().as_bytes(), bytes, &mut |json| told.push(json.clone()))?;
    Ok((answer, told))
}

fn english() -> Session {
    let mut session = Session::default();
    ask(&mut session, &json!({ "do": "open", "model": DEFAULT_MODEL }), &[]).unwrap();
    session
}

#[test]
fn words_are_those_of_the_library() {
    let request = json!({ "do": "words", "model": DEFAULT_MODEL, "count": 30, "request": { "seed": 5 } });
    let (answer, told) = ask(&mut english(), &request, &[]).unwrap();
    assert_eq!(answer.json["made"], 30);
    let words: Vec<&str> = told
        .iter()
        .flat_map(|told| told["words"].as_array().unwrap())
        .map(|word| word.as_str().unwrap())
        .collect();
    assert_eq!(words, wug::bundled_model().unwrap().sample(30, 5).unwrap());
}

#[test]
fn examples_are_words_of_the_list() {
    let mut session = english();
    let request = json!({ "do": "examples", "model": DEFAULT_MODEL, "count": 8 });
    let (answer, _) = ask(&mut session, &request, &[]).unwrap();
    assert_eq!(answer.json["words"].as_array().unwrap().len(), 8);
    let request = json!({ "do": "known", "model": DEFAULT_MODEL, "words": answer.json["words"] });
    assert_eq!(ask(&mut session, &request, &[]).unwrap().0.json["known"], json!(vec![true; 8]));
}

/// The page builds its tables from what the library declares: every column is a key of every word.
#[test]
fn columns_are_data() {
    let mut session = english();
    let (answer, _) = ask(&mut session, &json!({ "do": "columns" }), &[]).unwrap();
    let columns = answer.json["columns"].as_array().unwrap();
    let names: Vec<&str> = columns.iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert!(
        wug::measure::Columns::all(false, false).iter().map(|column| column.name()).eq(names.iter().copied())
    );
    assert_eq!(
        columns.iter().filter(|column| column["shown"] == true).count(),
        wug::measure::PAGE_COLUMNS.len()
    );
    let request = json!({ "do": "score", "model": DEFAULT_MODEL, "words": ["blick"] });
    let (_, told) = ask(&mut session, &request, &[]).unwrap();
    let word = &told.last().unwrap()["scores"][0];
    for (column, name) in columns.iter().zip(names) {
        let is_of_type = match column["type"].as_str().unwrap() {
            "number" | "count" => word[name].is_number(),
            "text" => word[name].is_string(),
            _ => word[name].is_array(),
        };
        assert!(is_of_type, "{name}: {}", word[name]);
    }
}

#[test]
fn noise_goes_to_a_word_and_back() {
    let mut session = english();
    let request = json!({ "do": "noise", "model": DEFAULT_MODEL, "seed": 1, "word": "winter" });
    let (winter, _) = ask(&mut session, &request, &[]).unwrap();
    let point = |step: &Value| json!({ "point": step["point"] });
    let steps: Vec<Value> = winter.json["steps"].as_array().unwrap().iter().map(point).collect();
    let request = json!({ "do": "noise", "model": DEFAULT_MODEL, "seed": 1, "steps": steps });
    assert_eq!(ask(&mut session, &request, &[]).unwrap().0.json["word"], "winter");
    let request = json!({
        "do": "toward", "model": DEFAULT_MODEL, "seed": 1, "steps": steps, "to": "summer", "share": 1.0, "points": 9,
    });
    let (answer, _) = ask(&mut session, &request, &[]).unwrap();
    assert_eq!(answer.json["encoding"]["word"], "summer");
    // What the slider shows is one of the words on the way.
    let request = json!({
        "do": "toward", "model": DEFAULT_MODEL, "seed": 1, "steps": steps, "to": "summer", "share": 0.5, "points": 9,
    });
    let (answer, _) = ask(&mut session, &request, &[]).unwrap();
    assert!(answer.json["way"].as_array().unwrap().contains(&answer.json["encoding"]["word"]));
}

#[test]
fn a_list_is_matched_and_measured_again_when_it_was_changed() {
    let mut session = english();
    let mut request = json!({
        "do": "match", "model": DEFAULT_MODEL, "name": "English", "targets": ["garden", "winter", "pocket"],
        "candidates": 300, "per_target": 1, "seed": 1,
    });
    let (found, told) = ask(&mut session, &request, &[]).unwrap();
    assert!(told.iter().any(|told| told["stage"] == "candidates"));
    assert!(found.json["method"].as_str().unwrap().contains("For 3 words, 3 pseudowords"));
    let mut pairs: Vec<Value> = found.json["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| json!([target["target"]["word"], [target["pseudowords"][0]["word"]]]))
        .collect();
    request.as_object_mut().unwrap().remove("targets");
    request["pairs"] = json!(pairs);
    let (again, _) = ask(&mut session, &request, &[]).unwrap();
    assert_eq!((&again.json["quality"], &again.json["bias"]), (&found.json["quality"], &found.json["bias"]));
    pairs[0][1] = json!(["gorten"]);
    request["pairs"] = json!(pairs);
    let (changed, _) = ask(&mut session, &request, &[]).unwrap();
    assert_eq!(changed.json["targets"][0]["pseudowords"][0]["word"], "gorten");
    assert_ne!(changed.json["quality"], found.json["quality"]);
}

#[test]
fn a_list_is_trained_on_and_its_model_can_be_used() {
    let mut session = Session::default();
    let list = "ada\nalan\nbarbara\nedsger\ngrace\njohn\nkurt\nnoam\n".repeat(3);
    let settings = json!(["words=2560", "state=4", "batch=256"]);
    let request = json!({ "do": "train", "name": "names", "seed": 1, "settings": settings });
    let (begun, _) = ask(&mut session, &request, list.as_bytes()).unwrap();
    assert_eq!(begun.json["words"], 8);
    let batch = begun.json["batch"].as_u64().unwrap();
    let (taken, _) = ask(&mut session, &json!({ "do": "steps", "steps": 3 }), &[]).unwrap();
    assert_eq!((taken.json["seen"].as_u64(), taken.json["done"].as_bool()), (Some(3 * batch), Some(false)));
    let (trained, _) = ask(&mut session, &json!({ "do": "trained", "model": "own" }), &[]).unwrap();
    let model = wug::TrainedModel::from_bytes(&trained.bytes, "own").unwrap();
    let request = json!({ "do": "words", "model": "own", "count": 5, "request": {} });
    let (_, told) = ask(&mut session, &request, &[]).unwrap();
    assert_eq!(told[0]["words"], json!(model.sample(5, 1).unwrap()));
    let known = json!({ "do": "known", "model": "own", "words": ["ada", "dada"] });
    assert_eq!(ask(&mut session, &known, &[]).unwrap().0.json["known"], json!([true, false]));
}

#[test]
fn what_cannot_be_done_is_told() {
    let mut session = english();
    let mut fails = |request: Value, bytes: &[u8], expected: &str| {
        let Failure(text) = ask(&mut session, &request, bytes).unwrap_err();
        assert!(text.contains(expected), "{text}");
    };
    fails(json!({ "do": "dance" }), &[], "unknown variant `dance`");
    fails(json!({ "do": "words", "model": "xx", "count": 1, "request": {} }), &[], "`xx` is not open");
    fails(json!({ "do": "open", "model": "forged" }), b"no model at all", "forged");
    fails(json!({ "do": "steps", "steps": 1 }), &[], "nothing is being trained");
    fails(json!({ "do": "train", "name": "list", "seed": 1 }), b"", "list");
    fails(json!({ "do": "noise", "model": DEFAULT_MODEL, "seed": 1, "word": "caf\u{e9}" }), &[], "\u{e9}");
    fails(json!({ "do": "noise", "model": DEFAULT_MODEL, "seed": 1, "steps": [{ "point": 7.0 }] }), &[], "7");
}
