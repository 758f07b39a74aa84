//! `log-probability`: the cross entropy from the words' log-probabilities. It is exact for exact models; for the paper's model it is an
//! upper bound in expectation, by importance sampling with q, and tighter than shared trajectories.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Metric, Metrics, Progress, finite};
use crate::evaluate::oracle::Bounds;
use crate::evaluate::report::Table;
use crate::evaluate::{Context, Estimate, EvaluateError, log_probabilities};
use crate::lexicon::{Lexicon, Symbol, WordId};
use crate::random::{stream, streams, unit};

pub(super) const METRIC: Metric = Metric {
    name: "log-probability",
    about: "H[P, P̂] from the words' log-probabilities: exact, or for the paper's flows a tight upper bound by particle filters",
    measure,
};

/// Cross entropy from the words' log-probabilities, in nats per word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossEntropy {
    /// How log-probabilities were found.
    pub estimate: Estimator,
    /// On the training part.
    pub train: Estimate,
    /// On the test part.
    pub test: Estimate,
    /// The share of the gap that is closed on the test part ([`Bounds::gap_closed`]).
    pub gap_closed: Option<f64>,
    /// Particles for each word; none where none are needed.
    pub particles: Option<usize>,
    /// Distinct words that were scored.
    pub words: usize,
}

/// How log-probabilities are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Estimator {
    /// Importance sampling with q: an upper bound on the cross entropy, in expectation.
    #[serde(rename = "particle filter")]
    ParticleFilter,
    /// Exact.
    #[serde(rename = "chain rule")]
    ChainRule,
}

impl CrossEntropy {
    pub(super) fn table(&self) -> Table {
        let (title, name) = match self.particles {
            Some(particles) => {
                ("H[P, P̂] ≤, nats per word", format!("particle filter, {particles} particles"))
            }
            None => ("H[P, P̂] exact, nats per word", "chain rule".to_owned()),
        };
        let mut table = Table::new(title, &["train", "±", "test", "±", "gap closed"], 3);
        let Self { train, test, .. } = self;
        let numbers = [train.mean, train.error, test.mean, test.error].map(Some);
        table.row(name, [&numbers[..], &[self.gap_closed]].concat());
        table
    }
}

fn measure(
    context: &Context<'_>,
    progress: Progress<'_>,
    metrics: &mut Metrics,
) -> Result<(), EvaluateError> {
    let settings = context.settings;
    let exact = context.model.model.is_exact();
    let draws = if exact { 0 } else { settings.draws };
    let samples = context.parts().map(|part| Sample::of(part, draws, settings.seed));
    let ids: BTreeSet<WordId> = samples.iter().flat_map(|sample| &sample.words).copied().collect();
    let words: Vec<&[Symbol]> = ids.iter().map(|&id| context.lexicon.vocabulary().symbols(id)).collect();
    let particles = settings.particles;
    let total = words.len() as f64;
    let progress = &mut |done| progress(done as f64 / total);
    let found = log_probabilities(context.model.fitted(), &words, particles, settings.execution(), progress)?;
    let found: BTreeMap<WordId, Estimate> = ids.into_iter().zip(found).collect();
    let [train, test] = samples.map(|sample| sample.cross_entropy(&found));
    finite(train.mean, "cross entropy")?;
    finite(test.mean, "cross entropy")?;
    metrics.log_probability = Some(CrossEntropy {
        estimate: if exact { Estimator::ChainRule } else { Estimator::ParticleFilter },
        train,
        test,
        gap_closed: Bounds::of(&context.split, &context.split.test).gap_closed(test.mean),
        particles: (!exact).then_some(particles),
        words: words.len(),
    });
    Ok(())
}

/// Words that stand for a part, and the weight of each.
pub(crate) struct Sample {
    pub(crate) words: Vec<WordId>,
    pub(crate) weights: Vec<f64>,
    /// Whether the words are draws rather than all there are.
    drawn: bool,
}

impl Sample {
    /// All words of a part by their frequency, or `draws` words by a systematic draw: the words lie on a line, the most
    /// frequent first, each as long as its count, and every n-th part of the line gives one. Frequent words come as
    /// often as they should, and only the rare ones by chance.
    pub(crate) fn of(part: &Lexicon, draws: usize, seed: u64) -> Self {
        if draws == 0 {
            let share = |count: u64| count as f64 / part.tokens() as f64;
            let (words, weights) = part.words().map(|word| (word.id, share(word.count))).unzip();
            return Self { words, weights, drawn: false };
        }
        let offset = unit(&mut stream(seed, streams::EVALUATED_WORDS, 0));
        let step = part.tokens() as f64 / draws as f64;
        let mut points = (0..draws).map(|draw| (draw as f64 + offset) * step).peekable();
        let (mut words, mut end) = (Vec::new(), 0);
        for word in part.words() {
            end += word.count;
            while points.next_if(|&point| point < end as f64).is_some() {
                words.push(word.id);
            }
        }
        let weights = vec![1.0 / words.len() as f64; words.len()];
        Self { words, weights, drawn: true }
    }

    /// The weighted mean of `−log P̂(w)`. Its error has a part from the filter, and one from the draws: since neighbours
    /// on the line are alike, that is told by the differences between them.
    fn cross_entropy(&self, found: &BTreeMap<WordId, Estimate>) -> Estimate {
        let own: Vec<Estimate> = self.words.iter().map(|id| found[id]).collect();
        let mean = -own.iter().zip(&self.weights).map(|(word, weight)| weight * word.mean).sum::<f64>();
        // Draws of the same word share its error.
        let mut total: BTreeMap<WordId, f64> = BTreeMap::new();
        self.words
            .iter()
            .zip(&self.weights)
            .for_each(|(&id, weight)| *total.entry(id).or_default() += weight);
        let filter: f64 = total.iter().map(|(id, weight)| (weight * found[id].error).powi(2)).sum();
        let steps: f64 = own.windows(2).map(|pair| (pair[1].mean - pair[0].mean).powi(2)).sum();
        let count = own.len() as f64;
        let drawing = if self.drawn { steps / (2.0 * (count - 1.0).max(1.0) * count) } else { 0.0 };
        Estimate { mean, error: (filter + drawing).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stand_for_the_whole() {
        let words = (1..=2000u64).map(|rank| (format!("w{rank}"), 1_000_000 / rank));
        let lexicon = Lexicon::from_counts(words).unwrap();
        // A number for each word that is noisy and rises with rarity, as −log P does.
        let found: BTreeMap<WordId, Estimate> = lexicon
            .words()
            .map(|word| {
                let noise = f64::from(word.id).sin() * 3.0;
                (word.id, Estimate { mean: (word.count as f64 / 1e7).ln() + noise, error: 0.0 })
            })
            .collect();
        let exact = Sample::of(&lexicon, 0, 1).cross_entropy(&found);
        assert_eq!(exact.error, 0.0);
        let draws: Vec<Estimate> =
            (0..50).map(|seed| Sample::of(&lexicon, 500, seed).cross_entropy(&found)).collect();
        let means: Vec<f64> = draws.iter().map(|draw| draw.mean).collect();
        let overall = Estimate::of(&means);
        assert!((overall.mean - exact.mean).abs() < 4.0 * overall.error, "{overall:?}, exact {exact:?}");
        // The stated error is that of one estimate.
        let stated = draws.iter().map(|draw| draw.error).sum::<f64>() / 50.0;
        let seen = overall.error * 50f64.sqrt();
        assert!(stated < 1.6 * seen && seen < 1.6 * stated, "stated {stated}, seen {seen}");
    }
}
