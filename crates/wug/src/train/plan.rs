//! What a list asks for: the size of the model, the length of training and the regularisation follow from how many words
//! there are to learn from.
//!
//! | distinct words to learn from | d | hidden units of the memory, of π | dropout | weight decay | words in a step | learning rate |
//! |---|---|---|---|---|---|---|
//! | up to 500 | 32 | 64 and 64, 64 | 0.4 | 1 | 64 | 0.003 |
//! | up to 10,000 | 32 | 128 and 128, 128 | 0.4 | 1 | 64 | 0.003 |
//! | more | 64 | 192, 96 | 0.05 | 0 | 256 | 0.004 |
//!
//! Two such networks stand side by side, and beside them the counts of the list, n-grams of up to eight symbols.
//!
//! Training sees each word 200 times, 25,000 words at least and 3 million at most, which take two cores about a minute. Training that
//! starts from a model sees a third of that with a quarter of the learning rate. Token-weighted training (`weighting = "tokens"`, and a list with counts) are
//! another matter: there is no end of them, and frequent words should be learnt by heart.
//!
//! The rules were measured on given names and on the bundled English words: `docs/experiments/0006-lists.md`. Everything that is
//! set explicitly wins over them.

use crate::lexicon::{Lexicon, Weighting};
use crate::{Config, DataConfig, TrainedModel};

/// What is left of a list to learn from, roughly: the rest is held out.
const LEARNT: f64 = 0.9;

/// Settings that follow from a list.
struct Rule {
    /// The most distinct words to learn from.
    types: f64,
    state: usize,
    hidden: &'static [usize],
    choice_hidden: usize,
    dropout: f64,
    weight_decay: f64,
    batch: usize,
    learning_rate: f64,
}

const FEW: Rule = Rule {
    types: 500.0,
    state: 32,
    hidden: &[64, 64],
    choice_hidden: 64,
    dropout: 0.4,
    weight_decay: 1.0,
    batch: 64,
    learning_rate: 3e-3,
};

const SOME: Rule = Rule { types: 10_000.0, hidden: &[128, 128], choice_hidden: 128, ..FEW };

/// There is no upper bound.
const MANY: Rule = Rule {
    types: f64::INFINITY,
    state: 64,
    hidden: &[192],
    choice_hidden: 96,
    dropout: 0.05,
    weight_decay: 0.0,
    batch: 256,
    learning_rate: 4e-3,
};

/// How often training sees each word, and within which bounds.
const PASSES: f64 = 200.0;
const FEWEST: f64 = 25_000.0;
const MOST: f64 = 3_000_000.0;

/// What of the words and of the learning rate is left for training that starts from a model.
const WORDS_FROM: f64 = 1.0 / 3.0;
const RATE_FROM: f64 = 0.25;
/// Steps of its warm-up.
const WARMUP_FROM: u64 = 50;

/// Networks side by side.
const NETWORKS: usize = 2;

/// n-grams of the list up to this length.
const COUNTS_ORDER: usize = 8;

/// From so many occurrences of each word on, on average, a list is one of tokens.
const RUNNING: f64 = 20.0;

impl Config {
    /// The default settings for a list, by rules that were measured (`docs/training.md`); with a model to start from, its
    /// structure and shorter training.
    pub(crate) fn planned(data: &DataConfig, lexicon: &Lexicon, source: Option<&TrainedModel>) -> Self {
        let mut config = Self { data: data.clone(), ..Self::default() };
        let types = lexicon.types() as f64 * LEARNT;
        let running = lexicon.tokens() as f64 >= RUNNING * types && types > SOME.types;
        config.model.counts.order = COUNTS_ORDER;
        // The other defaults are those for tokens.
        if data.weighting != Weighting::Tokens || !running {
            let rule = [FEW, SOME, MANY].into_iter().find(|rule| types <= rule.types).unwrap_or(MANY);
            config.model.state = rule.state;
            config.model.generative.hidden = rule.hidden.to_vec();
            config.model.generative.choice_hidden = vec![rule.choice_hidden];
            config.model.networks = NETWORKS;
            config.train.dropout = rule.dropout;
            config.train.weight_decay = rule.weight_decay;
            config.train.batch = rule.batch;
            config.train.learning_rate = rule.learning_rate;
            config.train.words = (types * PASSES).clamp(FEWEST, MOST) as u64;
        }
        if let Some(source) = source {
            config.model.clone_from(&source.config.model);
            config.train.words = (config.train.words as f64 * WORDS_FROM) as u64;
            config.train.learning_rate *= RATE_FROM;
            config.train.warmup_steps = WARMUP_FROM;
        }
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(types: usize, count: u64, weighting: Weighting) -> Config {
        let words = (0..types).map(|number| (format!("w{number}"), count));
        let data = DataConfig { weighting, ..DataConfig::default() };
        Config::planned(&data, &Lexicon::from_counts(words).unwrap(), None)
    }

    #[test]
    fn longer_lists_get_larger_models_and_more_words() {
        let sizes = [1, 30, 300, 3000, 30_000];
        let plans: Vec<Config> = sizes.iter().map(|&types| planned(types, 1, Weighting::Types)).collect();
        for (config, types) in plans.iter().zip(sizes) {
            assert_eq!(config.check(), Ok(()), "{types}");
            assert!((25_000..=3_000_000).contains(&config.train.words), "{types}");
        }
        for pair in plans.windows(2) {
            assert!(pair[0].train.words <= pair[1].train.words);
            assert!(pair[0].model.state <= pair[1].model.state);
            assert!(pair[0].train.dropout >= pair[1].train.dropout);
        }
        assert_eq!(plans[3].train.words, 540_000);
    }

    #[test]
    fn only_token_weighted_lists_are_learnt_by_heart() {
        let tokens = planned(20_000, 100, Weighting::Tokens);
        assert_eq!(tokens.model.counts.order, COUNTS_ORDER);
        let alone = tokens.with_overrides(&["counts.order=0"]).unwrap();
        assert_eq!(Config { data: DataConfig::default(), ..alone }, Config::default());
        // A list without counts has no tokens to speak of, whatever it is called.
        for config in [planned(20_000, 1, Weighting::Tokens), planned(20_000, 100, Weighting::Types)] {
            assert!(config.train.dropout > 0.0);
        }
    }
}
