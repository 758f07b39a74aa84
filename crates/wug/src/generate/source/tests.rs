//! Both ways against each other: blocks are exact, so populations must agree with them.

use std::collections::HashMap;

use super::*;
use crate::Config;
use crate::generate::classes::Classes;
use crate::generate::constraint::Constraint;
use crate::generate::noise_law::NoiseLaw;
use crate::generate::symbol_weights::SymbolChoice;
use crate::lexicon::Alphabet;
use crate::model::{Fitted, Model};

/// Models of each kind whose states matter.
fn models() -> Vec<(Model, Vec<f32>)> {
    let small = ["generative.hidden=[8]", "choice_hidden=[8]", "inference.hidden=[4]", "flow_hidden=[4]"];
    [
        (["kind=state-space", "state=2", "generative.flow=2xtril"], 3.0),
        (["kind=gru", "state=4", "generative.flow=id"], 2.0),
        (["kind=choice", "state=4", "generative.flow=id"], 1.5),
    ]
    .into_iter()
    .map(|(changes, gain)| {
        let config = Config::default().with_overrides(&[&changes[..], &small].concat()).unwrap();
        let model = Model::new(&config.model, 5).unwrap();
        let parameters = model.initial_parameters(5).iter().map(|number| gain * number).collect();
        (model, parameters)
    })
    .collect()
}

fn alphabet() -> Alphabet {
    Alphabet::from_letters(["a", "b", "c", "d"]).unwrap()
}

fn automaton(pattern: &str) -> Automaton {
    automaton_of(&[Constraint::Pattern(pattern.into())])
}

fn automaton_of(constraints: &[Constraint]) -> Automaton {
    let constraints = [constraints, &[Constraint::AtMost(7)]].concat();
    let mut classes = Classes::default();
    classes.define("K", "bd").unwrap();
    classes.define("S", "ab|c").unwrap();
    Automaton::new(&alphabet(), &classes, &constraints, 20).unwrap()
}

/// All kinds, each by itself, and some at once.
fn constraints() -> Vec<Vec<Constraint>> {
    let strings: Vec<String> = ["ab", "cc", "dad"].map(String::from).to_vec();
    let alone = [
        Constraint::Pattern("*b".into()),
        Constraint::Pattern("a*a".into()),
        Constraint::Pattern("?[!a]?".into()),
        Constraint::Pattern("*ab*".into()),
        Constraint::Pattern("[bc]??*".into()),
        Constraint::Pattern("C{1,2}V(b|dd)*".into()),
        Constraint::NotPattern("(a|b){2}*".into()),
        Constraint::Containing("c[!c]|dd".into()),
        Constraint::Without("c|ab".into()),
        Constraint::Without("C{2}".into()),
        Constraint::WithoutAny(strings.into()),
        Constraint::Syllables { least: 2, most: 3 },
        Constraint::Edits { word: "abca".into(), least: 1, most: Some(3) },
        Constraint::Edits { word: "bd".into(), least: 3, most: None },
        Constraint::Prefix("ca".into()),
        Constraint::Suffix("da".into()),
        Constraint::AtLeast(4),
        Constraint::Pattern("K?S*".into()),
        Constraint::Without("K{2}|S{2}".into()),
    ];
    let together = [
        vec![
            Constraint::Prefix("a".into()),
            Constraint::NotPattern("*(c|dd)".into()),
            Constraint::Without("bb".into()),
            Constraint::Syllables { least: 1, most: 2 },
        ],
        vec![
            Constraint::Containing("K".into()),
            Constraint::Suffix("c".into()),
            Constraint::Edits { word: "dac".into(), least: 1, most: Some(4) },
            Constraint::AtLeast(2),
        ],
    ];
    alone.into_iter().map(|one| vec![one]).chain(together).collect()
}

fn name(constraints: &[Constraint]) -> String {
    constraints.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The statistic of the two-sample test, and its degrees of freedom; words with few occurrences are put together.
fn chi_square(left: &[Vec<Symbol>], right: &[Vec<Symbol>]) -> (f64, f64) {
    let mut counts: HashMap<&[Symbol], [f64; 2]> = HashMap::new();
    left.iter().for_each(|word| counts.entry(word).or_default()[0] += 1.0);
    right.iter().for_each(|word| counts.entry(word).or_default()[1] += 1.0);
    let [n, m] = [left.len() as f64, right.len() as f64];
    let mut rest = [0.0; 2];
    let mut cells = Vec::new();
    for cell in counts.into_values() {
        if (cell[0] + cell[1]) * n.min(m) / (n + m) < 8.0 {
            rest = [rest[0] + cell[0], rest[1] + cell[1]];
        } else {
            cells.push(cell);
        }
    }
    if rest[0] + rest[1] > 0.0 {
        cells.push(rest);
    }
    let term = |[a, b]: &[f64; 2]| ((m / n).sqrt() * a - (n / m).sqrt() * b).powi(2) / (a + b);
    (cells.iter().map(term).sum(), cells.len() as f64 - 1.0)
}

/// Words by chance.
fn by_chance(steps: &mut Steps<'_>, settings: &DrawSettings, automaton: &Automaton) -> Vec<Vec<Symbol>> {
    let blocks = steps
        .map(0..24, |number, stepper| block::run(stepper, settings, automaton, number, TRIES, false).words);
    blocks.iter().flat_map(|words| words.iter()).map(<[Symbol]>::to_vec).collect()
}

/// Words by populations.
fn by_populations(steps: &mut Steps<'_>, settings: &DrawSettings, automaton: &Automaton) -> Vec<Vec<Symbol>> {
    let anything = Automaton::anything(5);
    let pilot = steps
        .map([999], |number, stepper| block::run(stepper, settings, &anything, number, TRIES, true).words);
    let lookahead = Lookahead::new(automaton, &pilot[0]);
    let guide = Guide { settings, automaton, lookahead: &lookahead };
    let drawn = populations(steps, guide, 0..1000, 256, &mut Watch::default()).unwrap();
    drawn.iter().flat_map(|population| population.draw(2)).collect()
}

#[test]
fn populations_are_distributed_as_blocks_are() {
    let models = models();
    let mut steps: Vec<Steps<'_>> = models
        .iter()
        .map(|(model, parameters)| Steps::new(Fitted::new(model, parameters), 2).unwrap())
        .collect();
    let parameters =
        [(SymbolChoice::Sampled, 1.0), (SymbolChoice::Tempered(0.6), 1.4), (SymbolChoice::Argmax, 1.0)];
    for (choice, noise) in parameters {
        let settings = DrawSettings {
            choice,
            laws: vec![NoiseLaw::prior(noise)],
            max_letters: 20,
            ..DrawSettings::plain(3)
        };
        // Steps do not know constraints. So each constraint meets two models by plain sampling, and each model, whose
        // turn comes round, about half of the constraints; the sampling parameters act on steps, and meet three constraints in all models.
        let is_plain = choice == SymbolChoice::Sampled;
        let met = if is_plain { usize::MAX } else { 3 };
        for (turn, constraints) in constraints().into_iter().take(met).enumerate() {
            let name = name(&constraints);
            let automaton = automaton_of(&constraints);
            let mut compared = 0;
            for kind in (turn..turn + models.len()).map(|place| place % models.len()) {
                if (is_plain && compared == 2) || (kind == 1 && choice == SymbolChoice::Argmax) {
                    // The baseline has one word only under argmax.
                    continue;
                }
                let by_chance = by_chance(&mut steps[kind], &settings, &automaton);
                if by_chance.len() < 1000 {
                    continue;
                }
                compared += 1;
                let drawn = by_populations(&mut steps[kind], &settings, &automaton);
                assert!(drawn.iter().all(|word| automaton.accepts(word)));
                let (statistic, freedom) = chi_square(&by_chance, &drawn);
                // Four standard deviations of the statistic, which is normal for many degrees of freedom; the two
                // words of a population are not quite independent.
                let most = freedom + 4.0 * (2.0 * freedom.max(4.0)).sqrt();
                assert!(
                    statistic < most,
                    "{kind} {choice:?} {name}: {statistic} with {freedom} degrees of freedom"
                );
            }
            assert!(!is_plain || compared == 2, "{name} was met often enough by chance in {compared} models");
        }
    }
}

/// Independent symbols: the conditional distribution is known exactly.
#[test]
fn populations_meet_the_exact_distribution_of_independent_symbols() {
    let changes = ["state=2", "generative.flow=id"];
    let model = Model::new(&Config::default().with_overrides(&changes).unwrap().model, 5).unwrap();
    let mut parameters = model.initial_parameters(1);
    let mut set = |name: &str, value: &dyn Fn(usize) -> f32| {
        let range = model.params().find(name).unwrap().range();
        parameters[range].iter_mut().enumerate().for_each(|(index, number)| *number = value(index));
    };
    let logits = [0.3, 0.5, -1.0, -0.2, 0.1_f32];
    set("generative.emission.weight", &|_| 0.0);
    set("generative.emission.bias", &|index| logits[index]);
    let total: f32 = logits.iter().map(|logit| logit.exp()).sum();
    let p = logits.map(|logit| f64::from(logit.exp() / total));
    let automaton = automaton("*b?a");
    let mut words: Vec<Vec<Symbol>> = vec![vec![]];
    let mut last = words.clone();
    for _ in 0..7 {
        last = last.iter().flat_map(|word| (1..5).map(|letter| [&word[..], &[letter]].concat())).collect();
        words.extend(last.iter().filter(|word| automaton.accepts(word)).cloned());
    }
    words.retain(|word| automaton.accepts(word));
    let mass = |word: &[Symbol]| p[0] * word.iter().map(|&symbol| p[usize::from(symbol)]).product::<f64>();
    let whole: f64 = words.iter().map(|word| mass(word)).sum();

    let mut steps = Steps::new(Fitted::new(&model, &parameters), 2).unwrap();
    let settings = DrawSettings { max_letters: 20, ..DrawSettings::plain(2) };
    let drawn = by_populations(&mut steps, &settings, &automaton);
    let mut lengths = [[0.0_f64; 2]; 8];
    words.iter().for_each(|word| lengths[word.len()][0] += mass(word) / whole);
    drawn.iter().for_each(|word| lengths[word.len()][1] += 1.0 / drawn.len() as f64);
    let fixed =
        |letters: &[Symbol]| drawn.iter().filter(|word| *word == letters).count() as f64 / drawn.len() as f64;
    for (expected, found) in lengths
        .into_iter()
        .map(|[expected, found]| (expected, found))
        .chain([[2, 1, 1], [2, 4, 1]].map(|word| (mass(&word) / whole, fixed(&word))))
    {
        let error = (expected * (1.0 - expected) / drawn.len() as f64).sqrt();
        assert!((found - expected).abs() <= 4.0 * error, "{found}, exactly {expected} ± {error}");
    }
}

/// Few words are the first of many, and what comes after them goes on where they ended.
#[test]
fn few_words_are_the_first_of_many() {
    let (model, parameters) = models().swap_remove(0);
    let fitted = Fitted::new(&model, &parameters);
    let automaton =
        || Automaton::new(&alphabet(), &Classes::default(), &[Constraint::AtLeast(2)], 30).unwrap();
    for automaton in [None, Some(automaton())] {
        let words = |wanted: u64| {
            let steps = Steps::new(fitted, 1).unwrap();
            let mut source = WordSource::new(steps, 1, DrawSettings::plain(1), automaton.clone());
            let mut found = Vec::new();
            while found.len() < 5000 {
                for Batch { words, .. } in source.batch(wanted).unwrap() {
                    found.extend((0..words.len()).map(|number| {
                        let (letters, tries) = words.get(number).unwrap();
                        (letters.to_vec(), tries)
                    }));
                }
            }
            found.truncate(5000);
            found
        };
        assert_eq!(words(1), words(100_000));
    }
}

/// A constraint that chance never meets is still met.
#[test]
fn rare_words_are_found() {
    let (model, parameters) = models().swap_remove(0);
    let fitted = Fitted::new(&model, &parameters);
    let constraint = Constraint::Pattern("dbdbdbdbdbdbdbdbdb".into());
    let automaton = Automaton::new(&alphabet(), &Classes::default(), &[constraint], 30).unwrap();
    let settings = DrawSettings { max_letters: 30, ..DrawSettings::plain(1) };
    let mut source = WordSource::new(Steps::new(fitted, 2).unwrap(), 2, settings, Some(automaton));
    let batches = source.batch(1).unwrap();
    assert!(matches!(source.way, Way::Populations { .. }));
    assert!(batches.iter().any(|batch| !batch.words.is_empty()));
}
