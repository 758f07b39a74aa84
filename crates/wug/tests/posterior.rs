//! The noise of a word, against numerical integration.

use wug::Config;
use wug::generate::{NoiseLaw, Request, Sampler, SymbolChoice, noise_of};
use wug::model::Model;

/// `h_t = h_{t−1} + ξ_t` with one dimension and three symbols.
fn model() -> (Model, Vec<f32>) {
    let changes = ["state=1", "generative.flow=add", "inference.hidden=[4]", "flow_hidden=[4]"];
    let model = Model::new(&Config::default().with_overrides(&changes).unwrap().model, 3).unwrap();
    let mut parameters = model.first_parameters(4);
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
    let (model, parameters) = model();
    let count = 4000;
    let draws = noise_of(&model, &parameters, &[2, 0], count, 1, 2).unwrap();
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

/// Where states decide letters, the noise of a word gives the word back, and the more fresh noise, the less often.
#[test]
fn noise_replays_its_word() {
    let (model, mut parameters) = model();
    set(&model, &mut parameters, "generative.emission.weight", &[-150.0, 50.0, 100.0]);
    let word = [2, 1, 2, 1];
    let draws = noise_of(&model, &parameters, &[&word[..], &[0]].concat(), 64, 1, 2).unwrap();
    let mut share = |distance: f32| {
        let angle = distance * std::f32::consts::FRAC_PI_2;
        let laws: Vec<NoiseLaw> = draws.iter().map(|draw| NoiseLaw::around(draw, angle, 1.0)).collect();
        let request = Request { laws, choice: SymbolChoice::Argmax, ..Request::plain(1, 50) };
        let mut sampler = Sampler::new(&model, &parameters, 50, 1).unwrap();
        let batches = sampler.words(&parameters, request, None).batch(4096);
        let words: Vec<Vec<u16>> =
            batches.iter().flat_map(|batch| batch.words.iter()).map(|word| word.0.to_vec()).collect();
        words.iter().filter(|other| other.as_slice() == word).count() as f64 / words.len() as f64
    };
    assert_eq!(share(0.0), 1.0);
    let (near, far) = (share(0.2), share(1.0));
    assert!(near < 1.0 && near > 2.0 * far, "{near}, {far}");
}

#[test]
fn the_baseline_has_no_noise() {
    let config = Config::default().with_overrides(&["kind=gru"]).unwrap();
    let model = Model::new(&config.model, 3).unwrap();
    let error = noise_of(&model, &model.first_parameters(1), &[1, 0], 1, 1, 1).unwrap_err();
    assert!(error.to_string().contains("baseline"));
}
