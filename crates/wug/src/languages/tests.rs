use super::*;
use crate::Execution;
use crate::TrainedModel;
use crate::lexicon::Lexicon;
use crate::measure::ScoreSettings;
use crate::train::{Start, start_for};
use sha2::{Digest, Sha256};

#[test]
fn lists_are_those_that_are_described() {
    let readme = include_str!("../../../wug-data/README.md");
    for language in languages() {
        let mut plain = vec![0; 1 << 24];
        let length = Input::from_reader("list", language.data.words).unwrap().read(&mut plain, 1).unwrap();
        plain.truncate(length);
        let digest: String = Sha256::digest(&plain).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(readme.contains(&digest), "{}: {digest}", language.code());
        let words = language.list().unwrap();
        assert_eq!(words.lines as usize, words.types(), "{}", language.code());
        assert_eq!(words.types(), language.words());
        let (lexicon, _) = words.clone().into_lexicon(&Filter::default()).unwrap();
        assert_eq!(lexicon.alphabet().letters().count(), language.letters(), "{}", language.code());
        assert_eq!(words.types(), plain.split(|byte| *byte == b'\n').count() - 1);
    }
}

/// Every model is read, has the words that it was trained on, makes words and scores them.
#[test]
fn every_model_works() {
    for name in model_names() {
        let model = TrainedModel::named(name).unwrap();
        assert!(model.list.is_none());
        let language = find(&model.config.data.lexicon).unwrap();
        assert!(language.models().any(|own| own == name));
        let lexicon = model.lexicon().unwrap();
        assert_eq!(*lexicon.alphabet(), model.alphabet, "{name}");
        let execution = Execution { seed: 2, threads: 1 };
        let words = model.words().exclude(model.known_words().unwrap()).unique(true).execution(execution);
        // What makes words as often as they occur makes few new ones.
        let count = if name == "en-tokens" { 2 } else { 50 };
        let words: Vec<String> = words.make(count).unwrap().collect::<Result<_, _>>().unwrap();
        let known = model.known_words().unwrap();
        assert!(words.iter().all(|word| known.count(word) == 0), "{name}");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for score in model.scores(&words, ScoreSettings::default()).unwrap() {
            let score = score.unwrap();
            assert!(score.log_probability.is_finite() && score.log_probability < 0.0, "{name}");
        }
    }
}

#[test]
fn names_and_paths_are_told_apart() {
    assert!(TrainedModel::open(DEFAULT_MODEL).is_ok());
    let folder = tempfile::tempdir().unwrap();
    let model = TrainedModel::named(DEFAULT_MODEL).unwrap().with_list().unwrap();
    let file = folder.path().join("model.safetensors");
    model.save(&file).unwrap();
    for path in [file.as_path(), folder.path()] {
        let found = TrainedModel::open(path.to_str().unwrap()).unwrap();
        assert_eq!(found.lexicon().unwrap(), model.lexicon().unwrap());
    }
    assert_eq!(open_list("en", false).unwrap().types(), find("en").unwrap().words());
    assert_eq!(open_list("classics-en", false).unwrap().types(), 99_635);
    assert!(open_list("no/such/list", false).unwrap_err().to_string().contains("cannot open"));
}

#[test]
fn unknown_names_get_a_suggestion() {
    let model = |name: &str| TrainedModel::open(name).unwrap_err().to_string();
    let unknown = "`xyz` is neither a model file nor the folder of a run nor a language that comes with wug; these are en, ";
    assert!(model("xyz").starts_with(unknown), "{}", model("xyz"));
    let english = format!("did you mean `{}`?", find("en").unwrap().models().next().unwrap());
    assert!(model("English").ends_with(&english), "{}", model("English"));
    assert!(model("en-US").ends_with(&english));
    // A language that is not here is none of its neighbours.
    let missing = open_list("nl", false).unwrap_err().to_string();
    assert!(missing.contains("`wug count TEXTS -o LIST`") && !missing.contains("did you mean"), "{missing}");
    let all = open_excluded("all", false).unwrap();
    assert!(all.has("the") && !all.has("thq"));
    assert!(open_list("enn", false).unwrap_err().to_string().ends_with("; did you mean `en`?"));
    assert!(model("no/such").starts_with("cannot read no/such"));
}

#[cfg(feature = "languages")]
#[test]
fn other_languages_are_found_by_what_people_call_them() {
    for (name, code) in
        [("french", "fr"), ("Ukrainian", "uk"), ("norw", "no"), ("nb", "no"), ("pt_BR", "pt"), ("cz", "cs")]
    {
        assert_eq!(suggest(name).as_deref(), Some(code), "{name}");
    }
    let codes: Vec<&str> = languages().map(|language| language.code()).collect();
    assert_eq!(codes.len(), 16, "fifteen languages, English twice");
    assert!(codes.is_sorted());
}

#[test]
fn known_words_are_more_than_the_list() {
    let [own, novels] = ["en", "classics-en"].map(|code| find(code).unwrap());
    let known = |name: &str| TrainedModel::named(name).unwrap().known_words().unwrap();
    let (today, then) = (known("en"), known("en-tokens"));
    assert_eq!(today.types(), then.types(), "one learns what the other only knows");
    for words in [own.list().unwrap(), novels.list().unwrap()] {
        assert!(words.into_words().all(|(word, _)| today.count(&word) > 0));
    }
    for word in ["shrove", "baller", "inters", "television", "mlle"] {
        assert!(today.count(word) > 0, "{word}");
    }
}

#[test]
fn short_lists_start_from_the_model_that_knows_most_about_them() {
    let list = |words: &[&str]| Lexicon::from_counts(words.iter().map(|word| (*word, 1))).unwrap();
    let english = list(&["garden", "thinking", "winterly", "wholesome", "threshold", "straightway"]);
    assert_eq!(start_for(&english), Some(Start { model: "en", lower_case: false }));
    assert_eq!(start_for(&list(&["Garden", "Thinking"])), Some(Start { model: "en", lower_case: true }));
    assert_eq!(start_for(&list(&["ქართული"])), None);
    let long: Vec<String> =
        (0..4000).map(|number| "a".repeat(number % 60) + &"b".repeat(number / 60)).collect();
    assert_eq!(start_for(&list(&long.iter().map(String::as_str).collect::<Vec<_>>())), None);
    #[cfg(feature = "languages")]
    for (words, model) in
        [(["garten", "gedanken", "winterlich"], "de"), (["школа", "історія", "життя"], "uk")]
    {
        assert_eq!(start_for(&list(&words)).unwrap().model, model);
    }
}
