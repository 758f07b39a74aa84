use std::cell::Cell;

use super::*;
use crate::generate::{GaveUp, MAX_TRIES};
use crate::lexicon::{Input, read_list};
use crate::{Error, bundled_model};

fn near(word: &str, distance: f32, keep: usize) -> WordRequest {
    WordRequest { like: Some(word.into()), distance, keep, ..WordRequest::default() }
}

#[test]
fn as_many_words_are_made_as_are_wanted() {
    let model = bundled_model().unwrap();
    let many = model.sample(9000, 2).unwrap();
    assert_eq!(many.len(), 9000);
    assert!(many.iter().all(|word| !word.is_empty()));
    assert_eq!(many[..7], model.sample(7, 2).unwrap());
    assert_eq!(model.sample(0, 2).unwrap(), Vec::<String>::new());
}

#[test]
fn a_model_that_makes_no_words_is_no_endless_loop() {
    // A small model, for it takes a million tries.
    let lexicon = crate::Lexicon::from_counts([("ada", 1), ("alan", 1), ("kurt", 1)]).unwrap();
    let small = ["state=2", "generative.hidden=[2]", "choice_hidden=[2]", "words=64", "batch=64"];
    let config = crate::Config::default().with_overrides(&small).unwrap();
    let mut model = crate::train::train(&config, &lexicon, 1, |_, _| ControlFlow::Continue(())).unwrap();
    // Whatever came before, the end is all but certain.
    let linear = model.model.params().find("generative.flow.choice.linear.seen").unwrap().range();
    let symbols = model.model.symbols();
    model.parameters[linear].iter_mut().step_by(symbols).for_each(|logit| *logit = 1e4);
    let Error::Sample(SampleError::GaveUp(error)) = model.sample(1, 1).unwrap_err() else {
        panic!("given up")
    };
    assert_eq!((error.made, error.wanted, error.tries, error.hardest), (0, 1, MAX_TRIES, None));
}

/// Rare words come from populations, and they too are a function of the seed.
#[test]
fn words_do_not_depend_on_threads_or_on_how_many_are_wanted() {
    let model = bundled_model().unwrap();
    for constraint in
        [None, Some(Constraint::Pattern("*qu*".into())), Some(Constraint::Pattern("x???x".into()))]
    {
        let make = |count, threads| -> Vec<String> {
            let builder = model.words().execution(Execution { seed: 3, threads });
            let builder = constraint.iter().cloned().fold(builder, WordBuilder::constraint);
            builder.make(count).unwrap().collect::<Result<_, _>>().unwrap()
        };
        let many = make(100, 1);
        assert_eq!(many.len(), 100);
        assert_eq!(make(100, 3), many);
        assert_eq!(make(5, 2), many[..5]);
    }
}

#[test]
fn refused_words_do_not_come_and_are_told() {
    // Token-weighted: `of` comes often.
    let model = crate::TrainedModel::named("en-tokens").unwrap();
    let list = read_list(Input::from_reader("list", "the\nof\n".as_bytes()).unwrap(), false).unwrap();
    let short = model.words().constraint(Constraint::AtMost(2)).exclude(list).unique(true).max_tries(5000);
    let mut words: Vec<String> = Vec::new();
    let mut error = None;
    for word in short.make(10_000).unwrap() {
        match word {
            Ok(word) => words.push(word),
            Err(last) => error = Some(last),
        }
    }
    let Some(Error::Sample(SampleError::GaveUp(error))) = error else { panic!("{error:?}") };
    assert_eq!(error.made, words.len() as u64);
    assert!(error.known > 0 && error.repeated > 0 && error.hardest.is_none(), "{error}");
    assert!(!words.contains(&"of".to_owned()));
    words.sort();
    words.dedup();
    assert_eq!(words.len() as u64, error.made);
}

#[test]
fn the_hardest_constraint_is_named() {
    let model = bundled_model().unwrap();
    let constraints = vec![Constraint::AtLeast(2), Constraint::Prefix("zqzqzqzqzq".into())];
    let request = WordRequest { constraints, temperature: 0.01, max_tries: 1000, ..WordRequest::default() };
    let error = model.words().request(request).make(1).unwrap().next().unwrap().unwrap_err();
    let Error::Sample(SampleError::GaveUp(GaveUp { hardest: Some(hardest), .. })) = error else {
        panic!("{error:?}")
    };
    assert_eq!((hardest.constraint.as_str(), hardest.met), ("prefix `zqzqzqzqzq`", 0));
}

#[test]
fn whoever_watches_can_stop() {
    let model = bundled_model().unwrap();
    let calls = Cell::new(0);
    let watched = |stop_after: u32, constraint: Constraint| {
        calls.set(0);
        let words = model.words().constraint(constraint).watch(|progress| {
            calls.set(calls.get() + 1);
            assert!(progress.wanted == 1 && progress.tries > 0);
            if calls.get() == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        words.make(1).unwrap().collect::<Vec<_>>()
    };
    assert!(matches!(watched(u32::MAX, Constraint::AtLeast(3))[..], [Ok(_)]));
    // In the middle of the populations that long words take.
    assert!(matches!(watched(10, Constraint::AtLeast(60))[..], [Err(Error::Sample(SampleError::Stopped))]));
    assert_eq!(calls.get(), 10);
}

#[test]
fn what_cannot_be_met_is_told_before_any_word() {
    let model = bundled_model().unwrap();
    let error = |words: WordBuilder<'_>| words.make(1).err().unwrap().to_string();
    assert!(
        error(model.words().request(WordRequest { noise: -1.0, ..WordRequest::default() }))
            .contains("the scale of the noise is -1")
    );
    assert!(
        error(model.words().request(WordRequest { temperature: f32::NAN, ..WordRequest::default() }))
            .contains("expected 0.01 to 100")
    );
    assert!(error(model.words().request(near("wug", 2.0, 0))).contains("the distance is 2"));
    assert!(error(model.words().request(near("wug", 0.1, 4))).contains("`wug` has only 3 letters"));
    assert!(error(model.words().request(near("", 0.1, 0))).contains("1 to 100 letters"));
    let twice = model.words().constraint(Constraint::AtLeast(5)).constraint(Constraint::AtMost(3));
    assert!(error(twice).contains("at least 5 letters and at most 3 letters"));
}

#[test]
fn it_is_known_when_there_are_no_more_words() {
    let model = bundled_model().unwrap();
    let all = |words: WordBuilder<'_>, count| {
        let (mut made, mut error) = (Vec::new(), None);
        for word in words.make(count).unwrap() {
            match word {
                Ok(word) => made.push(word),
                Err(Error::Sample(SampleError::GaveUp(last))) => error = Some(last),
                Err(other) => panic!("{other}"),
            }
        }
        (made, error.map(|error| (error.is_all, error.known, error.hardest.map(|one| one.constraint))))
    };
    // At distance 0 there is one word, which may come again.
    let itself = || model.words().request(near("glimmer", 0.0, 0));
    assert_eq!(all(itself(), 2), (vec!["glimmer".into(); 2], None));
    assert_eq!(all(itself().unique(true), 2), (vec!["glimmer".into()], Some((true, 0, None))));
    let prefix = itself().constraint(Constraint::Prefix("x".into())).constraint(Constraint::AtLeast(2));
    assert_eq!(all(prefix, 2), (vec![], Some((true, 0, Some("prefix `x`".into())))));
    let known =
        || read_list(Input::from_reader("list", "glimmer\ncat\n".as_bytes()).unwrap(), false).unwrap();
    assert_eq!(all(itself().exclude(known()), 1), (vec![], Some((true, 1, None))));
    // The same for patterns that few words meet.
    let pattern = |text: &str| model.words().constraint(Constraint::Pattern(text.into())).exclude(known());
    assert_eq!(all(pattern("cat"), 1), (vec![], Some((true, 1, None))));
    let (mut made, error) = all(pattern("c[aou]t").unique(true), 5);
    made.sort();
    assert_eq!((made, error), (vec!["cot".into(), "cut".into()], Some((true, 1, None))));
    let names = pattern("cat").names().err().unwrap().to_string();
    assert!(names.contains("there are no more; words that meet the constraints and are known: 1"), "{names}");
}

/// Far beyond what is near a word there is nothing: a few populations in which no particle is left say so.
#[test]
fn what_is_never_near_a_word_is_given_up_soon() {
    let model = bundled_model().unwrap();
    let words = model.words().request(near("glimmer", 0.01, 0)).constraint(Constraint::Prefix("zzzz".into()));
    let tries = Cell::new(0);
    let words = words.watch(|progress| {
        tries.set(progress.tries);
        ControlFlow::Continue(())
    });
    let error = words.make(1).unwrap().next().unwrap().unwrap_err();
    let Error::Sample(SampleError::GaveUp(GaveUp { hardest: Some(hardest), is_all: false, .. })) = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(hardest.constraint, "prefix `zzzz`");
    assert!(tries.get() < 200_000, "{} tries", tries.get());
}
