//! The choice flow and its teacher-forced counterpart against the same model in scalar code.

use wug::Execution;
use wug::evaluate::{InformationSettings, information, log_probabilities};
use wug::generate::{SymbolChoice, draw};
use wug::lexicon::Symbol;
use wug::model::{Fitted, Kind, Model, ModelConfig};

use super::common::{bounds, made_up, tensor};

const SYMBOLS: usize = 4;
const ORDER: [Symbol; SYMBOLS] = [0, 2, 3, 1];
const HIDDEN: usize = 5;

fn config() -> ModelConfig {
    let mut config = ModelConfig { state: 4, ..ModelConfig::default() };
    config.generative.hidden = vec![HIDDEN, HIDDEN];
    config.generative.choice_hidden = vec![HIDDEN];
    config.bound.particles = 1;
    config
}

fn model(config: &ModelConfig) -> Model {
    Model::with_order(config, &ORDER).expect("a valid configuration")
}

/// Made-up parameters that make memories matter.
fn parameters(model: &Model) -> Vec<f64> {
    made_up(model.params(), 5, 1.5)
}

/// The model in scalar code, from the formulas of the specification.
struct Scalar<'a> {
    model: &'a Model,
    numbers: &'a [f64],
}

impl Scalar<'_> {
    fn tensor(&self, name: &str) -> &[f64] {
        tensor(self.model, self.numbers, &format!("generative.flow.{name}"))
    }

    /// `table[symbol] + weight · memory`.
    fn layer(&self, name: &str, seen: Symbol, memory: &[f64]) -> Vec<f64> {
        let (table, weight) = (self.tensor(&format!("{name}.seen")), self.tensor(&format!("{name}.memory")));
        let rows = table.len() / SYMBOLS;
        let seen = &table[usize::from(seen) * rows..];
        (0..rows).map(|r| seen[r] + dot(&weight[r * memory.len()..], memory)).collect()
    }

    fn affine(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let (weight, bias) = (self.tensor(&format!("{name}.weight")), self.tensor(&format!("{name}.bias")));
        bias.iter().enumerate().map(|(r, b)| b + dot(&weight[r * x.len()..], x)).collect()
    }

    /// `π`.
    fn choice(&self, seen: Symbol, memory: &[f64]) -> [f64; SYMBOLS] {
        let hidden: Vec<f64> = self.layer("choice.0", seen, memory).into_iter().map(f64::tanh).collect();
        let linear = self.layer("choice.linear", seen, memory);
        let output = self.tensor("choice.output");
        let odds: [f64; SYMBOLS] =
            std::array::from_fn(|s| (linear[s] + dot(&output[s * hidden.len()..], &hidden)).exp());
        let total: f64 = odds.iter().sum();
        odds.map(|odds| odds / total)
    }

    /// `g`.
    fn remember(&self, seen: Symbol, memory: &[f64]) -> Vec<f64> {
        let first: Vec<f64> = self.layer("memory.0", seen, memory).into_iter().map(f64::tanh).collect();
        let more = self.affine("memory.1", &first);
        let hidden: Vec<f64> = first.iter().zip(more).map(|(h, more)| h + more.tanh()).collect();
        let (new, gate) = (self.affine("memory.new", &hidden), self.affine("memory.gate", &hidden));
        let update = |i: usize| {
            let (new, gate) = (new[i].tanh(), 1.0 / (1.0 + (-gate[i]).exp()));
            new + gate * (memory[i] - new)
        };
        (0..memory.len()).map(update).collect()
    }

    fn initial_memory(&self) -> &[f64] {
        tensor(self.model, self.numbers, "generative.start")
    }

    /// `P(w)`.
    fn probability(&self, word: &[Symbol]) -> f64 {
        let (mut seen, mut memory, mut p) = (0, self.initial_memory().to_vec(), 1.0);
        for &symbol in word {
            p *= self.choice(seen, &memory)[usize::from(symbol)];
            (seen, memory) = (symbol, self.remember(symbol, &memory));
        }
        p
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// All words of up to `letters` letters, with their end.
fn words(letters: usize) -> Vec<Vec<Symbol>> {
    let mut all = vec![vec![]];
    let mut last: Vec<Vec<Symbol>> = all.clone();
    for _ in 0..letters {
        let longer = |word: &Vec<Symbol>| {
            (1..SYMBOLS).map(|s| [&word[..], &[s as Symbol]].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.clone());
    }
    all.into_iter().map(|word| [&word[..], &[0]].concat()).collect()
}

/// On a tiny alphabet: exact probabilities of all words, the bound, the filter and the sampler agree.
#[test]
fn the_choice_flow_is_exact() {
    let config = config();
    let model = model(&config);
    assert!(model.is_exact());
    let numbers = parameters(&model);
    let single: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
    let scalar = Scalar { model: &model, numbers: &numbers };
    let exact = |word: &[Symbol]| scalar.probability(word);
    let words = words(5);
    for word in &words {
        let found = bounds(&model, &numbers, &config.bound, &[word])[0];
        assert!((found - exact(word).ln()).abs() < 1e-12, "{word:?}: {found}, exactly {}", exact(word).ln());
    }
    let refs: Vec<&[Symbol]> = words.iter().map(Vec::as_slice).collect();
    let execution = Execution { seed: 1, threads: 1 };
    let filtered =
        log_probabilities(Fitted::new(&model, &single), &refs, 1, execution, &mut |_| {}).expect("scores");
    for (word, found) in words.iter().zip(filtered) {
        assert_eq!(found.error, 0.0);
        assert!((found.mean - exact(word).ln()).abs() < 1e-5, "{word:?}: {}", found.mean);
    }
    const COUNT: usize = 200_000;
    let execution = Execution { seed: 5, threads: 2 };
    let sampled = draw(Fitted::new(&model, &single), SymbolChoice::Sampled, COUNT, execution).expect("words");
    let (mut statistic, mut cells, mut left) = (0.0, 0, (COUNT as f64, COUNT));
    for word in &words {
        let expected = exact(word) * COUNT as f64;
        let found = sampled.iter().filter(|other| other.as_slice() == &word[..word.len() - 1]).count();
        if expected >= 5.0 {
            statistic += (found as f64 - expected).powi(2) / expected;
            cells += 1;
            left = (left.0 - expected, left.1 - found);
        }
    }
    statistic += (left.1 as f64 - left.0).powi(2) / left.0;
    // Chi-square with as many degrees of freedom as cells: four standard deviations.
    let limit = f64::from(cells) + 4.0 * (2.0 * f64::from(cells)).sqrt();
    assert!(cells > 50 && statistic < limit, "chi-square {statistic} over {cells} words");
}

/// With the same networks and the same first memory, the counterpart is the same model.
#[test]
fn the_teacher_forced_counterpart_has_the_same_likelihood() {
    let config = config();
    let choice = model(&config);
    let forced = model(&ModelConfig { kind: Kind::TeacherForced, ..config.clone() });
    let forced_numbers = made_up(forced.params(), 5, 1.5);
    let mut numbers = vec![0.0; choice.params().len()];
    for info in forced.params().iter() {
        let name = info.name.replacen("teacher_forced.", "generative.flow.", 1);
        if let Some(own) = choice.params().find(&name) {
            numbers[own.range()].copy_from_slice(&forced_numbers[info.range()]);
        }
    }
    // The teacher-forced counterpart reads the end symbol before the first letter.
    let scalar = Scalar { model: &choice, numbers: &numbers };
    let first = scalar.remember(0, tensor(&forced, &forced_numbers, "teacher_forced.start"));
    let start = choice.params().find("generative.start").expect("an initial state").range();
    numbers[start].copy_from_slice(&first);
    for word in words(3) {
        let [own, other] = [(&choice, &numbers), (&forced, &forced_numbers)]
            .map(|(model, numbers)| bounds(model, numbers, &config.bound, &[&word])[0]);
        assert!((own - other).abs() < 1e-12, "{word:?}: {own}, forced {other}");
    }
}

/// The noise decides the symbol: all of its entropy is information.
#[test]
fn the_information_is_the_entropy_of_the_choice() {
    let config = config();
    let model = model(&config);
    let numbers = parameters(&model);
    let single: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
    let scalar = Scalar { model: &model, numbers: &numbers };
    let entropy = |p: [f64; SYMBOLS]| -> f64 { p.iter().map(|p| -p * p.log2()).sum() };
    let first = scalar.choice(0, scalar.initial_memory());
    let after =
        |symbol: Symbol| entropy(scalar.choice(symbol, &scalar.remember(symbol, scalar.initial_memory())));
    let second: f64 = (0..SYMBOLS).map(|symbol| first[symbol] * after(symbol as Symbol)).sum();
    let settings = InformationSettings { positions: 2, states: 20_000, ..InformationSettings::default() };
    let found = information(Fitted::new(&model, &single), settings, 2).expect("figures");
    let mean = |position: usize| found.positions[position].information.mean;
    assert!((mean(0) - entropy(first)).abs() < 1e-5, "{} bits, exactly {}", mean(0), entropy(first));
    // Entropies lie between 0 and 2 bits: 0.02 is more than four standard errors.
    assert!((mean(1) - second).abs() < 0.02, "{} bits, exactly {second}", mean(1));
    assert_eq!(found.mean_symbol_entropy, 0.0);
}
