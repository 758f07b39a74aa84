//! The noise of a word, against numerical integration.

use super::noise_of;
use crate::generate::draw;
use crate::generate::draw_settings::DrawSettings;
use crate::generate::draws::draw_by;
use crate::generate::noise_law::NoiseLaw;
use crate::generate::origin::Origin;
use crate::generate::steps::Steps;
use crate::generate::symbol_weights::SymbolChoice;
use crate::model::{Fitted, Model};
use crate::{Config, Execution};

/// `h_t = h_{t−1} + ξ_t` with one dimension and three symbols.
fn model() -> (Model, Vec<f32>) {
    with_inference("shared")
}

/// The same with another F_q.
fn with_inference(flow: &str) -> (Model, Vec<f32>) {
    let flow = format!("inference.flow={flow}");
    let changes = ["state=1", "generative.flow=add", &flow, "inference.hidden=[4]", "flow_hidden=[4]"];
    let model = Model::new(&Config::default().with_overrides(&changes).unwrap().model, 3).unwrap();
    let mut parameters = model.initial_parameters(4);
    set(&model, &mut parameters, "generative.start", &[0.4]);
    set(&model, &mut parameters, "generative.emission.weight", &[-1.5, 0.5, 1.0]);
    set(&model, &mut parameters, "generative.emission.bias", &[0.2, 0.3, -0.5]);
    (model, parameters)
}

fn set(model: &Model, parameters: &mut [f32], name: &str, numbers: &[f32]) {
    let range = model.params().find(name).unwrap().range();
    parameters[range].copy_from_slice(numbers);
}

/// Means and second moments of the noise of the word `2 0` by integration over a grid.
fn exact() -> [[f64; 2]; 2] {
    let emission = |h: f64, symbol: usize| {
        let logits = [-1.5 * h + 0.2, 0.5 * h + 0.3, h - 0.5];
        logits[symbol].exp() / logits.iter().map(|logit| logit.exp()).sum::<f64>()
    };
    let grid = || (-300..=300).map(|i| f64::from(i) / 50.0);
    let (mut total, mut moments) = (0.0, [[0.0; 2]; 2]);
    for a in grid() {
        for b in grid() {
            let h = 0.4 + a;
            let mass = (-(a * a + b * b) / 2.0).exp() * emission(h, 2) * emission(h + b, 0);
            total += mass;
            for (moments, x) in moments.iter_mut().zip([a, b]) {
                moments[0] += mass * x;
                moments[1] += mass * x * x;
            }
        }
    }
    moments.map(|moments| moments.map(|moment| moment / total))
}

#[test]
fn draws_have_the_moments_of_the_posterior() {
    moments_are_right("shared");
}

/// Then the noise of F_g is not the noise that q proposes.
#[test]
fn draws_through_another_flow_have_the_same_moments() {
    moments_are_right("diag");
}

fn moments_are_right(flow: &str) {
    let (model, parameters) = with_inference(flow);
    let count = 4000;
    let draws = noise_of(Fitted::new(&model, &parameters), &[2, 0], count, Execution { seed: 1, threads: 2 })
        .unwrap();
    assert_eq!((draws.len(), draws[0].len()), (count, 2));
    for (step, exact) in exact().iter().enumerate() {
        for (power, exact) in (1..).zip(exact) {
            let numbers: Vec<f64> = draws.iter().map(|draw| f64::from(draw[step]).powi(power)).collect();
            let mean = numbers.iter().sum::<f64>() / count as f64;
            let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count as f64;
            let error = (variance / count as f64).sqrt();
            assert!((mean - exact).abs() < 4.0 * error, "step {step}: {mean}, exactly {exact} ± {error}");
        }
    }
}

/// The origin of a word gives the word back, and the more fresh noise, the less often; far away is the prior.
#[test]
fn origins_replay_their_word() {
    let (model, parameters) = model();
    let fitted = Fitted::new(&model, &parameters);
    let word = [2, 1, 2];
    for choice in [SymbolChoice::Sampled, SymbolChoice::Tempered(0.5)] {
        let symbols = [&word[..], &[0]].concat();
        let origins = Origin::draw(fitted, &symbols, choice, 200, Execution { seed: 1, threads: 2 }).unwrap();
        let share = |laws: Vec<NoiseLaw>| {
            let words = made(fitted, DrawSettings { laws, choice, ..DrawSettings::plain(1) });
            words.iter().filter(|other| other.as_slice() == word).count() as f64 / words.len() as f64
        };
        let around = |distance: f32| {
            share(origins.iter().map(|origin| NoiseLaw::around(origin, distance, 1.0)).collect())
        };
        assert_eq!(around(0.0), 1.0);
        let (near, middle, far) = (around(0.1), around(0.4), around(1.0));
        assert!(near < 1.0 && near > middle && middle > far, "{near}, {middle}, {far}");
        let prior = share(vec![NoiseLaw::prior(1.0)]);
        assert!((far - prior).abs() < 0.02, "{far}, {prior}");
    }
}

/// Words that are not empty.
fn made(fitted: Fitted<'_>, settings: DrawSettings) -> Vec<Vec<u16>> {
    let mut words = draw_by(&mut Steps::new(fitted, 1).unwrap(), &settings, 20_000);
    words.retain(|word| !word.is_empty());
    words
}

/// The origins of words that were drawn from the prior are themselves a draw from the prior, and stay one at any
/// distance: words around them are as long as any.
#[test]
fn laws_around_a_draw_from_the_prior_are_the_prior() {
    const ORIGINS: usize = 300;
    let (model, parameters) = model();
    let fitted = Fitted::new(&model, &parameters);
    let plain = draw(fitted, SymbolChoice::Sampled, ORIGINS, Execution::default()).unwrap();
    let origins: Vec<Origin> = plain
        .iter()
        .zip(0..)
        .flat_map(|(word, seed)| {
            let symbols = [word.as_slice(), &[0]].concat();
            Origin::draw(fitted, &symbols, SymbolChoice::Sampled, 1, Execution { seed, threads: 1 }).unwrap()
        })
        .collect();
    let lengths = |laws: Vec<NoiseLaw>| {
        let words = made(fitted, DrawSettings { laws, ..DrawSettings::plain(7) });
        let share =
            |length| words.iter().filter(|word| word.len() == length).count() as f64 / words.len() as f64;
        [share(1), share(2), share(3)]
    };
    let expected = lengths(vec![NoiseLaw::prior(1.0)]);
    for distance in [0.3, 0.6] {
        let found = lengths(origins.iter().map(|origin| NoiseLaw::around(origin, distance, 1.0)).collect());
        for (found, expected) in found.iter().zip(&expected) {
            let error = (expected * (1.0 - expected) / ORIGINS as f64).sqrt();
            assert!((found - expected).abs() < 4.0 * error, "{found}, expected {expected} ± {error}");
        }
    }
}

#[test]
fn states_of_exact_models_have_no_noise() {
    let config = Config::default().with_overrides(&["kind=gru"]).unwrap();
    let model = Model::new(&config.model, 3).unwrap();
    let parameters = model.initial_parameters(1);
    let fitted = Fitted::new(&model, &parameters);
    let draws = noise_of(fitted, &[1, 0], 3, Execution::default()).unwrap();
    assert_eq!(draws, vec![Vec::<f32>::new(); 3]);
}
