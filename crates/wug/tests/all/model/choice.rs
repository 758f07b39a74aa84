//! The choice flow against the same model in scalar code, integrated over its noise.

use wug::Execution;
use wug::evaluate::{InformationSettings, information, particle_filter};
use wug::generate::{SymbolChoice, draw};
use wug::lexicon::Symbol;
use wug::model::{BoundConfig, Condition, Fitted, Kind, MemoryNoise, Model, ModelConfig, Parts, Survivors};

use super::common::{draws, log_probabilities, made_up, tensor};

const SYMBOLS: usize = 4;
const ORDER: [Symbol; SYMBOLS] = [0, 2, 3, 1];
const HIDDEN: usize = 5;

fn config(state: usize, memory_noise: f64, softness: f64) -> ModelConfig {
    let mut config = ModelConfig { state, ..ModelConfig::default() };
    config.generative.flow = "choice".parse().expect("a flow");
    config.generative.hidden = vec![HIDDEN, HIDDEN];
    config.generative.choice_hidden = vec![HIDDEN];
    config.generative.memory_noise = memory_noise;
    config.generative.softness = softness;
    config.bound = BoundConfig { particles: 1, peek: false, survivors: Survivors::One };
    config
}

fn model(config: &ModelConfig) -> Model {
    Model::with_order(config, &ORDER).expect("a valid configuration")
}

/// Made-up parameters that make memories matter.
fn parameters(model: &Model) -> Vec<f64> {
    let mut numbers = made_up(model.params(), 5, 1.5);
    if let Some(start) = model.params().find("generative.start") {
        // The choice before the first letter lies in the cell of the end symbol.
        numbers[start.range().start] = 0.4;
    }
    numbers
}

/// The model in scalar code, from the formulas of the specification. A symbol is seen as shares of the symbols.
struct Scalar<'a> {
    model: &'a Model,
    numbers: &'a [f64],
    softness: f64,
}

type Shares = [f64; SYMBOLS];

fn one_hot(symbol: Symbol) -> Shares {
    std::array::from_fn(|other| f64::from(u8::from(other == usize::from(symbol))))
}

impl Scalar<'_> {
    fn tensor(&self, name: &str) -> &[f64] {
        tensor(self.model, self.numbers, &format!("generative.flow.{name}"))
    }

    /// `tableᵀ · shares + weight · memory`.
    fn layer(&self, name: &str, seen: &Shares, memory: &[f64]) -> Vec<f64> {
        let (table, weight) = (self.tensor(&format!("{name}.seen")), self.tensor(&format!("{name}.memory")));
        let rows = table.len() / SYMBOLS;
        let seen = |r: usize| (0..SYMBOLS).map(|s| seen[s] * table[s * rows + r]).sum::<f64>();
        (0..rows).map(|r| seen(r) + dot(&weight[r * memory.len()..], memory)).collect()
    }

    fn affine(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let (weight, bias) = (self.tensor(&format!("{name}.weight")), self.tensor(&format!("{name}.bias")));
        bias.iter().enumerate().map(|(r, b)| b + dot(&weight[r * x.len()..], x)).collect()
    }

    /// `π`.
    fn choice(&self, seen: &Shares, memory: &[f64]) -> Shares {
        let hidden: Vec<f64> = self.layer("choice.0", seen, memory).into_iter().map(f64::tanh).collect();
        let linear = self.layer("choice.linear", seen, memory);
        let output = self.tensor("choice.output");
        let odds: Shares =
            std::array::from_fn(|s| (linear[s] + dot(&output[s * hidden.len()..], &hidden)).exp());
        let total: f64 = odds.iter().sum();
        odds.map(|odds| odds / total)
    }

    /// `g` and `s`.
    fn remember(&self, seen: &Shares, memory: &[f64], least: f64) -> (Vec<f64>, Vec<f64>) {
        let first: Vec<f64> = self.layer("memory.0", seen, memory).into_iter().map(f64::tanh).collect();
        let more = self.affine("memory.1", &first);
        let hidden: Vec<f64> = first.iter().zip(more).map(|(h, more)| h + more.tanh()).collect();
        let (new, gate) = (self.affine("memory.new", &hidden), self.affine("memory.gate", &hidden));
        let update = |i: usize| {
            let (new, gate) = (new[i].tanh(), 1.0 / (1.0 + (-gate[i]).exp()));
            new + gate * (memory[i] - new)
        };
        let scale = match least {
            0.0 => vec![0.0; memory.len()],
            _ => {
                let offset = least.exp_m1().ln();
                self.affine("memory.scale", &hidden)
                    .iter()
                    .map(|x| least + (x + offset).exp().ln_1p())
                    .collect()
            }
        };
        ((0..memory.len()).map(update).collect(), scale)
    }

    fn initial_memory(&self) -> &[f64] {
        &tensor(self.model, self.numbers, "generative.start")[1..]
    }

    /// What a point of the line is worth to each symbol: the softmax of all cells.
    fn shares(&self, z: f64) -> Shares {
        let weight = |s: usize| {
            let cell = ORDER.iter().position(|&symbol| usize::from(symbol) == s).expect("a cell") as f64;
            (-(z - cell - 0.5).powi(2) / self.softness).exp()
        };
        let total: f64 = (0..SYMBOLS).map(weight).sum();
        std::array::from_fn(|s| weight(s) / total)
    }

    /// P(w) with hard edges: a sum over the noise of a memory of one number, or of none.
    fn hard(&self, seen: &Shares, memory: &[f64], least: f64, word: &[Symbol]) -> f64 {
        let Some((&symbol, rest)) = word.split_first() else { return 1.0 };
        let p = self.choice(seen, memory)[usize::from(symbol)];
        let next = one_hot(symbol);
        if rest.is_empty() {
            return p;
        }
        let (mean, scale) = self.remember(&next, memory, least);
        if least == 0.0 {
            return p * self.hard(&next, &mean, least, rest);
        }
        const STEP: f64 = 0.25;
        let integrand = |noise: f64| {
            let memory = [mean[0] + scale[0] * noise];
            (-0.5 * noise * noise).exp() * self.hard(&next, &memory, least, rest)
        };
        p * (-28..=28).map(|i| integrand(STEP * f64::from(i))).sum::<f64>() * STEP
            / std::f64::consts::TAU.sqrt()
    }

    /// P(w) with soft edges and a deterministic memory: midpoints of the whole line.
    fn soft(&self, seen: &Shares, memory: &[f64], word: &[Symbol]) -> f64 {
        let Some((&symbol, rest)) = word.split_first() else { return 1.0 };
        let pi = self.choice(seen, memory);
        const POINTS: usize = 100;
        let mut sum = 0.0;
        for (cell, &own) in ORDER.iter().enumerate() {
            for point in 0..POINTS {
                let shares = self.shares(cell as f64 + (point as f64 + 0.5) / POINTS as f64);
                let weight = pi[usize::from(own)] * shares[usize::from(symbol)] / POINTS as f64;
                // What is left of other cells adds nothing.
                if weight > 1e-9 {
                    let rest = if rest.is_empty() {
                        1.0
                    } else {
                        self.soft(&shares, &self.remember(&shares, memory, 0.0).0, rest)
                    };
                    sum += weight * rest;
                }
            }
        }
        sum
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
fn a_deterministic_memory_is_exact() {
    let config = config(4, 0.0, 0.0);
    let model = model(&config);
    assert!(model.is_exact());
    let numbers = parameters(&model);
    let single: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
    let scalar = Scalar { model: &model, numbers: &numbers, softness: 0.0 };
    let exact = |word: &[Symbol]| scalar.hard(&one_hot(0), scalar.initial_memory(), 0.0, word);
    let words = words(5);
    for word in &words {
        let found = log_probabilities(&model, &numbers, &config.bound, &[word])[0];
        assert!((found - exact(word).ln()).abs() < 1e-12, "{word:?}: {found}, exactly {}", exact(word).ln());
    }
    let refs: Vec<&[Symbol]> = words.iter().map(Vec::as_slice).collect();
    let execution = Execution { seed: 1, threads: 1 };
    let filtered =
        particle_filter(Fitted::new(&model, &single), &refs, 1, execution, &mut |_| {}).expect("scores");
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

fn mean_and_error(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

const BOUNDS: [(usize, Survivors); 3] = [(1, Survivors::One), (3, Survivors::One), (4, Survivors::All)];

/// `E[Π_t (1/K) Σ_k ω_t^(k)] = P(w)` with noise in the memory, from the prior or from a network.
#[test]
fn a_noisy_memory_is_unbiased() {
    for (memory, peek, condition) in [
        (MemoryNoise::Prior, false, Condition::Data),
        (MemoryNoise::Network, false, Condition::Data),
        (MemoryNoise::Network, true, Condition::DataState),
    ] {
        let mut config = config(2, 0.3, 0.0);
        (config.inference.memory, config.inference.condition, config.bound.peek) = (memory, condition, peek);
        (config.inference.embedding, config.inference.encoder, config.inference.hidden) = (2, 3, vec![4]);
        let model = model(&config);
        assert!(!model.is_exact());
        let mut numbers = parameters(&model);
        for info in model.params().iter().filter(|info| info.name.starts_with("inference.")) {
            numbers[info.range()].iter_mut().for_each(|number| *number *= 0.3);
            if info.name == "inference.proposal.1.bias" {
                // Somewhat too wide, so that weights have a variance and the mean's error can be trusted.
                numbers[info.range().end - 1] = 0.8;
            }
        }
        let scalar = Scalar { model: &model, numbers: &numbers, softness: 0.0 };
        let word = [1, 3, 2, 0];
        let exact = scalar.hard(&one_hot(0), scalar.initial_memory(), 0.3, &word);
        for (particles, survivors) in BOUNDS {
            let bound = BoundConfig { particles, survivors, peek };
            let weights: Vec<f64> = draws(&model, &numbers, &bound, &word, 60_000 / particles)
                .iter()
                .map(|log| log.exp())
                .collect();
            let (mean, error) = mean_and_error(&weights);
            assert!(error < 0.03 * exact, "the error {error} of {exact} is too large: {memory:?} {bound:?}");
            assert!(
                (mean - exact).abs() < 4.0 * error,
                "{mean} ± {error}, exactly {exact}: {memory:?} {bound:?}"
            );
        }
    }
}

/// With soft edges a word may come from beyond its cells: many particles find it, one stays below.
#[test]
fn soft_edges_are_integrated_over() {
    let config = config(3, 0.0, 0.05);
    let model = model(&config);
    assert!(!model.is_exact());
    let numbers = parameters(&model);
    let scalar = Scalar { model: &model, numbers: &numbers, softness: 0.05 };
    let word = [1, 2, 0];
    let exact = scalar.soft(&one_hot(0), scalar.initial_memory(), &word);
    for (particles, survivors) in [(3, Survivors::One), (4, Survivors::All)] {
        let bound = BoundConfig { particles, survivors, peek: false };
        let weights: Vec<f64> =
            draws(&model, &numbers, &bound, &word, 30_000).iter().map(|log| log.exp()).collect();
        let (mean, error) = mean_and_error(&weights);
        assert!(error < 0.01 * exact, "the error {error} of {exact} is too large: {bound:?}");
        assert!((mean - exact).abs() < 4.0 * error, "{mean} ± {error}, exactly {exact}: {bound:?}");
    }
    let (bound, error) = mean_and_error(&draws(&model, &numbers, &config.bound, &word, 4000));
    assert!(bound < exact.ln() + 4.0 * error, "{bound} ± {error}, above {}", exact.ln());
}

/// With the same networks and the same first memory, feeding the symbol back changes nothing.
#[test]
fn the_twin_has_the_same_likelihood() {
    let config = config(4, 0.0, 0.0);
    let choice = model(&config);
    let twin = model(&ModelConfig { kind: Kind::Twin, ..config.clone() });
    let twin_numbers = made_up(twin.params(), 5, 1.5);
    let mut numbers = vec![0.0; choice.params().len()];
    for info in twin.params().iter() {
        let name = info.name.replacen("twin.", "generative.flow.", 1);
        if let Some(own) = choice.params().find(&name) {
            numbers[own.range()].copy_from_slice(&twin_numbers[info.range()]);
        }
    }
    // The twin reads the end symbol before the first letter.
    let scalar = Scalar { model: &choice, numbers: &numbers, softness: 0.0 };
    let (first, _) = scalar.remember(&one_hot(0), tensor(&twin, &twin_numbers, "twin.start"), 0.0);
    let start = choice.params().find("generative.start").expect("an initial state").range();
    numbers[start.start] = 0.5;
    numbers[start.start + 1..start.end].copy_from_slice(&first);
    for word in words(3) {
        let [own, other] = [(&choice, &numbers), (&twin, &twin_numbers)]
            .map(|(model, numbers)| log_probabilities(model, numbers, &config.bound, &[&word])[0]);
        assert!((own - other).abs() < 1e-12, "{word:?}: {own}, twin {other}");
    }
}

/// The noise decides the symbol: all of its entropy is information.
#[test]
fn the_information_is_the_entropy_of_the_choice() {
    let config = config(4, 0.0, 0.0);
    let model = model(&config);
    let numbers = parameters(&model);
    let single: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
    let scalar = Scalar { model: &model, numbers: &numbers, softness: 0.0 };
    let entropy = |p: Shares| -> f64 { p.iter().map(|p| -p * p.log2()).sum() };
    let first = scalar.choice(&one_hot(0), scalar.initial_memory());
    let after = |symbol: Symbol| {
        let (memory, _) = scalar.remember(&one_hot(symbol), scalar.initial_memory(), 0.0);
        entropy(scalar.choice(&one_hot(symbol), &memory))
    };
    let second: f64 = (0..SYMBOLS).map(|symbol| first[symbol] * after(symbol as Symbol)).sum();
    let Parts::StateSpace(parts) = model.parts() else { panic!("a state space model") };
    let settings = InformationSettings { positions: 2, states: 20_000, ..InformationSettings::default() };
    let found = information(Fitted::new(&model, &single), &parts.generative, settings, 2).expect("figures");
    let mean = |position: usize| found.positions[position].information.mean;
    assert!((mean(0) - entropy(first)).abs() < 1e-5, "{} bits, exactly {}", mean(0), entropy(first));
    // Entropies lie between 0 and 2 bits: 0.02 is more than four standard errors.
    assert!((mean(1) - second).abs() < 0.02, "{} bits, exactly {second}", mean(1));
    assert_eq!(found.mean_symbol_entropy, 0.0);
}
