//! What a list asks for: the size of the model, the length of training and the regularisation follow from how many words
//! there are to learn from.
//!
//! | distinct words to learn from | d | hidden units | dropout | weight decay | words in a step | learning rate |
//! |---|---|---|---|---|---|---|
//! | up to 500 | 32 | 64 | 0.4 | 1 | 64 | 0.003 |
//! | up to 10,000 | 32 | 128 | 0.4 | 1 | 64 | 0.003 |
//! | more | 64 | 192 | 0.1 | 0 | 256 | 0.003 |
//!
//! Training sees each word 200 times, 25,000 words at least and 3 million at most, which takes two cores two minutes. Running
//! words (`weigh = "tokens"`, and a list with counts) are another matter: there is no end of them, and frequent words should be learnt by heart.
//!
//! The rules were measured on given names and on the bundled English words: `docs/experiments/0006-lists.md`. Everything that is
//! set explicitly wins over them.

use crate::lexicon::{Lexicon, Weigh};
use crate::{Config, DataConfig};

/// What is left of a list to learn from, roughly: the rest is held out.
const LEARNT: f64 = 0.9;

/// Settings that follow from a list.
struct Rule {
    /// The most distinct words to learn from.
    types: f64,
    state: usize,
    hidden: usize,
    dropout: f64,
    weight_decay: f64,
    batch: usize,
}

const RULES: [Rule; 3] = [
    Rule { types: 5e2, state: 32, hidden: 64, dropout: 0.4, weight_decay: 1.0, batch: 64 },
    Rule { types: 1e4, state: 32, hidden: 128, dropout: 0.4, weight_decay: 1.0, batch: 64 },
    Rule { types: f64::INFINITY, state: 64, hidden: 192, dropout: 0.1, weight_decay: 0.0, batch: 256 },
];

/// How often training sees each word, and within which bounds.
const PASSES: f64 = 200.0;
const FEWEST: f64 = 25_000.0;
const MOST: f64 = 3_000_000.0;

/// From so many occurrences of each word on, on average, a list is one of running words.
const RUNNING: f64 = 20.0;

impl Config {
    /// The default settings for a list, by rules that were measured (`docs/training.md`).
    pub fn planned(data: &DataConfig, lexicon: &Lexicon) -> Self {
        let mut config = Self { data: data.clone(), ..Self::default() };
        let types = lexicon.types() as f64 * LEARNT;
        let has_counts = lexicon.tokens() as f64 >= RUNNING * types;
        let long = RULES[RULES.len() - 2].types;
        if data.weigh == Weigh::Tokens && has_counts && types > long {
            config.set_running_words();
        } else if let Some(rule) = RULES.iter().find(|rule| types <= rule.types) {
            config.model.state = rule.state;
            config.model.generative.hidden = vec![rule.hidden; 2];
            config.model.generative.choice_hidden = vec![rule.hidden];
            config.train.dropout = rule.dropout;
            config.train.weight_decay = rule.weight_decay;
            config.train.batch = rule.batch;
            config.train.words = (types * PASSES).clamp(FEWEST, MOST) as u64;
        }
        config
    }

    /// Settings for running words.
    pub(crate) fn set_running_words(&mut self) {
        self.data.set_weigh(Weigh::Tokens);
        self.model.state = 32;
        self.model.generative.hidden = vec![128, 128];
        self.model.generative.choice_hidden = vec![128];
        self.train.dropout = 0.0;
        self.train.weight_decay = 0.0;
        self.train.batch = 256;
        self.train.words = 8_000_000;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(types: usize, count: u64, weigh: Weigh) -> Config {
        let words = (0..types).map(|number| (format!("w{number}"), count));
        let data = DataConfig { weigh, ..DataConfig::default() };
        Config::planned(&data, &Lexicon::from_counts(words).unwrap())
    }

    #[test]
    fn longer_lists_get_larger_models_and_more_words() {
        let sizes = [1, 30, 300, 3000, 30_000];
        let plans: Vec<Config> = sizes.iter().map(|&types| planned(types, 1, Weigh::Types)).collect();
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
    fn only_running_words_are_learnt_by_heart() {
        let running = planned(20_000, 100, Weigh::Tokens);
        assert_eq!((running.train.dropout, running.train.words), (0.0, 8_000_000));
        // A list without counts is none of running words, whatever it is called.
        for config in [planned(20_000, 1, Weigh::Tokens), planned(20_000, 100, Weigh::Types)] {
            assert!(config.train.dropout > 0.0);
        }
    }
}
