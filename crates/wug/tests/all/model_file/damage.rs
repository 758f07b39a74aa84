//! Damaged and forged files.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use wug::lexicon::Lexicon;
use wug::{Precision, StoredList, TrainedModel};

use super::common::{bytes, error, header, trained, with_header};
use super::memory::peak_of;

#[test]
fn what_is_written_is_read_back() {
    for overrides in
        [&[][..], &["generative.flow=nvp", "bidi=true"], &["inference.flow=shared"], &["kind=gru"]]
    {
        let model = trained(overrides);
        let content = bytes(&model);
        let found = TrainedModel::from_bytes(&content, "it").expect("a valid model");
        assert_eq!(found.config, model.config);
        assert_eq!(found.parameters, model.parameters);
        assert_eq!(found.alphabet, model.alphabet);
        assert_eq!(found.provenance, model.provenance);
        assert_eq!(found.list, model.list);
        assert_eq!(found.lexicon().expect("words").count(0), 300);
        assert_eq!(bytes(&found), content, "equal models are equal files");
    }
}

#[test]
fn half_precision_takes_half_the_space_and_three_digits_stay() {
    let model = trained(&["kind=choice", "generative.hidden=[40]", "state=30"]);
    let (single, half) = (bytes(&model), model.to_bytes_in(Precision::Half).expect("small numbers"));
    let numbers = |content: &[u8]| content.len() - header(content).1;
    assert_eq!(numbers(&single) - numbers(&half), 2 * model.parameters.len());
    let found = TrainedModel::from_bytes(&half, "it").expect("a valid model");
    for (found, expected) in found.parameters.iter().zip(&model.parameters) {
        assert!((found - expected).abs() <= expected.abs() / 2048.0 + 3e-8, "{found} {expected}");
    }
    assert_eq!(found.to_bytes_in(Precision::Half).expect("the same numbers"), half);
    let mut large = trained(&[]);
    large.parameters[0] = 1e5;
    let error = large.to_bytes_in(Precision::Half).expect_err("too large").to_string();
    assert!(error.contains("half precision"), "{error}");
}

#[test]
fn a_model_without_its_list_says_so() {
    let mut model = trained(&["lexicon=names.txt"]);
    model.provenance.lexicon = "names.txt".into();
    model.list = None;
    let found = TrainedModel::from_bytes(&bytes(&model), "it").expect("a valid model");
    for error in [found.lexicon().map(drop), found.training_list().map(drop)] {
        let error = error.expect_err("no words").to_string();
        assert_eq!(error, "the model was saved without its list of words, names.txt");
    }
}

#[test]
fn forged_lists_are_refused_when_they_are_needed() {
    let own = trained(&[]);
    let content = bytes(&own);
    let forge = |change: &dyn Fn(&mut Value)| error(&with_header(&content, change));
    for name in ["lexicon.words", "lexicon.counts"] {
        let renamed = forge(&|header| {
            let tensor = header.as_object_mut().expect("an object").remove(name).expect("the tensor");
            header["lexicon.other"] = tensor;
        });
        assert_eq!(renamed, format!("it: the tensor `{name}` is missing"));
        let shape = forge(&|header| {
            let length = header[name]["shape"][0].clone();
            header[name]["shape"] = json!([1, length]);
        });
        assert!(shape.contains("expected U8 and one row"), "{shape}");
    }
    // Other words than those of the digest, and bytes that are no list.
    let other = Lexicon::from_counts([("aé", 3), ("жa", 301)]).expect("words");
    let mut model = trained(&[]);
    model.list = Some(StoredList::of(&other).into());
    let found = TrainedModel::from_bytes(&bytes(&model), "it").expect("a valid model");
    assert!(found.lexicon().expect_err("others").to_string().contains("is not the one"));
    let (value, data) = header(&content);
    let place = value["lexicon.words"]["data_offsets"][0].as_u64().expect("a number") as usize;
    for (offset, bit) in (0..10).flat_map(|offset| (0..8).map(move |bit| (offset, bit))) {
        let mut damaged = content.clone();
        damaged[data + place + offset] ^= 1 << bit;
        let found = TrainedModel::from_bytes(&damaged, "it").expect("only the list is damaged");
        assert!(found.lexicon().is_err() || found.lexicon().ok() == own.lexicon().ok());
    }
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let content = bytes(&trained(&[]));
    for length in 0..content.len() {
        let message = error(&content[..length]);
        assert!(message.starts_with("it is not a model file, or damaged: "), "{length}: {message}");
    }
    assert!(error(&[&content[..], &[0]].concat()).contains("damaged"), "a byte too many");
}

/// A flipped bit is noticed, or changes a number or a text that may be so.
#[test]
fn no_flipped_bit_makes_the_reader_panic() {
    let content = bytes(&trained(&[]));
    let mut accepted = 0;
    for place in 0..content.len() {
        let mut flipped = content.clone();
        flipped[place] ^= 1 << (place % 8);
        if let Ok(model) = TrainedModel::from_bytes(&flipped, "it") {
            assert!(model.parameters.iter().all(|number| number.is_finite()));
            accepted += 1;
        }
    }
    assert!(accepted < content.len());
}

#[test]
fn forged_metadata_is_named() {
    let content = bytes(&trained(&[]));
    let with =
        |key: &str, value: Value| error(&with_header(&content, |header| header["__metadata__"][key] = value));
    let (own, _) = header(&content);
    let config = own["__metadata__"]["config"].as_str().expect("the configuration").to_owned();
    let setting = |from: &str, to: &str| {
        assert!(config.contains(from), "{config}");
        with("config", config.replace(from, to).into())
    };
    assert_eq!(with("format", "other".into()), "it: bad `format` in the metadata: it is not `wug`");
    let newer = with("format_version", "5".into());
    assert!(newer.contains("version 5") && newer.contains("use a newer wug"), "{newer}");
    let older = with("format_version", "3".into());
    assert!(older.contains("version 3") && older.contains("train the model again"), "{older}");
    for version in ["0", "-1", "", "one", "99999999999"] {
        assert!(with("format_version", version.into()).contains("is no version"), "{version}");
    }
    assert!(with("alphabet", "[\"b\", \"a\"]".into()).contains("code-point order"));
    for (letter, found) in
        [("\\u001b[2J", "U+001B"), ("a b", "a space"), ("\\u202e", "U+202E"), ("\\u009b", "U+009B")]
    {
        let message = with("alphabet", format!("[\"{letter}\"]").into());
        assert!(message.contains(found), "{message}");
    }
    let origin = r#"{"lexicon": "\u001b[2J", "lexicon_digest": "", "words_seen": 1, "version": ""}"#;
    assert!(with("provenance", origin.into()).contains("control characters"));
    assert!(setting("lexicon = \"", "lexicon = \"\\u001b").contains("without control characters"));
    assert!(with("alphabet", "{}".into()).contains("`alphabet`"));
    assert!(with("provenance", "[]".into()).contains("`provenance`"));
    assert!(with("config", "[model".into()).contains("`config`"));
    assert!(setting("state = 3", "state = 0").contains("expected 1 to 4096"));
    assert!(setting("state = 3", "state = 4096").contains("makes a model of"));
    assert!(setting("state = 3", "state = 4").contains("the configuration asks for"));
    assert!(setting("state = 3", "size = 3").contains("there is no setting `model.size`"));
    assert!(setting("delta = 0.1", "delta = nan").contains("expected more than 0 and less than 0.5"));
    for key in ["format", "format_version", "config", "alphabet", "provenance"] {
        let message = error(&with_header(&content, |header| {
            header["__metadata__"].as_object_mut().expect("metadata").remove(key);
        }));
        assert!(message.contains(&format!("`{key}`")), "{message}");
    }
    let without = with_header(&content, |header| {
        header.as_object_mut().expect("an object").remove("__metadata__");
    });
    assert!(error(&without).contains("`format`"));
    assert!(
        error(&with_header(&content, |header| header["__metadata__"]["format"] = json!(3)))
            .contains("damaged")
    );
}

#[test]
fn forged_cell_orders_are_named() {
    let small = ["kind=choice", "generative.hidden=[4]", "choice_hidden=[3]"];
    let content = bytes(&trained(&small));
    let with = |key: &str, value: &str| {
        error(&with_header(&content, |header| header["__metadata__"][key] = value.into()))
    };
    assert!(TrainedModel::from_bytes(&content, "it").is_ok());
    for (order, expected) in [
        ("[0, 1, 2]", "it has 3 symbols; the alphabet has 4 with the end"),
        ("[0, 1, 2, 3, 4]", "it has 5 symbols"),
        ("[0, 1, 2, 2]", "expected every symbol of the alphabet once"),
        ("[0, 1, 2, 4]", "expected every symbol of the alphabet once"),
        ("[0, 1, 2, -3]", "`cell_order`"),
        ("[0, 1, 2, 70000]", "`cell_order`"),
        ("{}", "`cell_order`"),
    ] {
        let message = with("cell_order", order);
        assert!(message.contains(expected), "{order}: {message}");
    }
    let (own, _) = header(&content);
    let config = own["__metadata__"]["config"].as_str().expect("the configuration").to_owned();
    for (from, to, expected) in [
        ("choice_hidden = [3]", "choice_hidden = []", "at least one hidden layer"),
        (
            "choice_hidden = [3]",
            "choice_hidden = [3]\nsoftness = 0.1",
            "no setting `model.generative.softness`",
        ),
    ] {
        assert!(config.contains(from), "{config}");
        let message = with("config", &config.replace(from, to));
        assert!(message.contains("`config`") && message.contains(expected), "{to}: {message}");
    }
    let missing = error(&with_header(&content, |header| {
        header["__metadata__"].as_object_mut().expect("metadata").remove("cell_order");
    }));
    assert!(missing.contains("`cell_order`"), "{missing}");
}

#[test]
fn forged_tensors_are_named() {
    let content = bytes(&trained(&[]));
    let forge = |change: &dyn Fn(&mut Value)| error(&with_header(&content, change));
    let name = "generative.emission.bias";
    let renamed = forge(&|header| {
        let tensor = header.as_object_mut().expect("an object").remove(name).expect("the tensor");
        header["other"] = tensor;
    });
    assert_eq!(renamed, "it: the tensor `generative.emission.bias` is missing");
    assert!(
        forge(&|header| header[name]["dtype"] = "I32".into())
            .contains("is I32 [4]; the configuration asks for F32 [4]")
    );
    assert!(forge(&|header| header[name]["shape"] = json!([2, 2])).contains("is F32 [2, 2]"));
    for shape in
        [json!([u64::MAX]), json!([1_u64 << 62, 4]), json!([-4]), json!([5]), json!("4"), json!([4.5])]
    {
        let message = forge(&|header| header[name]["shape"] = shape.clone());
        assert!(message.contains("damaged"), "{shape}: {message}");
    }
    for offsets in [json!([0, u64::MAX]), json!([16, 0]), json!([0]), json!([8, 24])] {
        let message = forge(&|header| header[name]["data_offsets"] = offsets.clone());
        assert!(message.contains("damaged"), "{offsets}: {message}");
    }
    // A tensor more: four numbers at the end.
    let (_, data) = header(&content);
    let length = content.len() - data;
    let mut more = with_header(&content, |header| {
        header["more"] = json!({"dtype": "F32", "shape": [4], "data_offsets": [length, length + 16]});
    });
    more.extend([0; 16]);
    let message = error(&more);
    assert!(
        message.starts_with("it: there are ") && message.contains("the configuration asks for"),
        "{message}"
    );
    for bad in [f32::NAN, f32::INFINITY] {
        let mut content = content.clone();
        content[data..data + 4].copy_from_slice(&bad.to_le_bytes());
        assert!(error(&content).ends_with("has numbers that are not finite"));
    }
}

#[test]
fn files_that_are_no_models_are_refused() {
    for content in [&b""[..], b"{}", b"wug", &[0xff; 64], &[0; 64], b"\x02\0\0\0\0\0\0\0{}"] {
        let message = error(content);
        assert!(message.contains("it"), "{message}");
    }
    let missing = TrainedModel::load(std::path::Path::new("no/such/file")).unwrap_err().to_string();
    assert_eq!(missing, "cannot read no/such/file");
}

/// Whatever a file says, no more memory is taken than a small multiple of its size, beside what the largest
/// description of a model takes without any number.
#[test]
fn memory_is_bounded_by_the_file() {
    let content = bytes(&trained(&[]));
    let (own, _) = header(&content);
    let config = own["__metadata__"]["config"].as_str().expect("the configuration").to_owned();
    let large = "hidden = [4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096]";
    for (state, flow, hidden) in [
        ("state = 4096", "flow = \"64xtril\"", large),
        ("state = 16", "flow = \"64xnvp\"", "hidden = [4]"),
        ("state = 1024", "flow = \"nvp\"", "hidden = [4]"),
        ("state = 4096", "flow = \"64xnvp\"", "hidden = [4]"),
    ] {
        let forged = config
            .replace("state = 3", state)
            .replace("flow = \"2xtril\"", flow)
            .replace("hidden = [4]", hidden);
        assert!(forged != config);
        let forged = with_header(&content, |header| header["__metadata__"]["config"] = forged.into());
        assert!(within_bounds(&forged), "{state}, {flow}");
    }
    let huge = with_header(&content, |header| header["generative.start"]["shape"] = json!([1_u64 << 40]));
    assert!(within_bounds(&huge));
    let length = [&(1_u64 << 40).to_le_bytes()[..], &content[8..]].concat();
    assert!(within_bounds(&length));
}

fn within_bounds(content: &[u8]) -> bool {
    let (peak, _) =
        peak_of(|| TrainedModel::from_bytes(content, "it").is_ok_and(|model| model.training_list().is_ok()));
    peak < 16 * content.len() + (6 << 20)
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(6),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// Any few bytes changed, inserted or cut out, wherever.
    #[test]
    fn random_damage_is_survived(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6),
    ) {
        let mut content = bytes(&trained(&[]));
        for (place, byte, kind) in edits {
            let place = place.index(content.len());
            match kind {
                0 => content[place] = byte,
                1 => content.insert(place, byte),
                _ => drop(content.drain(place..(place + usize::from(byte)).min(content.len() - 1).max(place))),
            }
        }
        prop_assert!(within_bounds(&content));
    }
}
