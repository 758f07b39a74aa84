//! The order in which words are shown once all are made.

use std::str::FromStr;

use thiserror::Error;

use crate::measure::ScoreSettings;
use crate::{Execution, Result, TrainedModel};

/// An order of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The most word-like first: by log-probability per letter, the end included.
    Wordlikeness,
    /// The shortest first.
    Length,
    /// By code points.
    Alphabet,
}

/// The name of no order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no order; expected `wordlikeness`, `length` or `alphabet`")]
pub struct UnknownOrder(String);

impl FromStr for Order {
    type Err = UnknownOrder;

    fn from_str(name: &str) -> Result<Self, UnknownOrder> {
        match name {
            "wordlikeness" => Ok(Self::Wordlikeness),
            "length" => Ok(Self::Length),
            "alphabet" => Ok(Self::Alphabet),
            other => Err(UnknownOrder(other.to_owned())),
        }
    }
}

impl TrainedModel {
    /// Words with their log-probabilities per letter, the end included, in an order if one is given. What has no score is last.
    ///
    /// # Errors
    /// When the model cannot be recorded.
    pub fn ordered(
        &self,
        words: Vec<String>,
        order: Option<Order>,
        execution: Execution,
    ) -> Result<Vec<(String, f64)>> {
        let texts: Vec<&str> = words.iter().map(String::as_str).collect();
        let scores = self.scores(&texts, ScoreSettings { execution, ..ScoreSettings::default() })?;
        let per_letter = scores.into_iter().map(|score| {
            score.map_or(f64::NEG_INFINITY, |score| score.log_probability / score.surprisals.len() as f64)
        });
        let mut found: Vec<(String, f64)> = words.into_iter().zip(per_letter).collect();
        match order {
            None => {}
            Some(Order::Wordlikeness) => found.sort_by(|left, right| right.1.total_cmp(&left.1)),
            Some(Order::Length) => found.sort_by_key(|(word, _)| self.alphabet.fold(word).chars().count()),
            Some(Order::Alphabet) => found.sort_by(|left, right| left.0.cmp(&right.0)),
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted() {
        let lexicon = crate::Lexicon::from_counts([("aa", 8), ("ab", 2), ("b", 1)]).unwrap();
        let config = crate::Config::default()
            .with_overrides(&[
                "lexicon=names",
                "words=640",
                "state=4",
                "generative.hidden=[8]",
                "choice_hidden=[8]",
            ])
            .unwrap();
        let model =
            crate::train::train(&config, &lexicon, 1, |_, _| std::ops::ControlFlow::Continue(())).unwrap();
        let words = || ["b", "aa", "bbb", "ab", "x"].map(str::to_owned).to_vec();
        let sorted = |order: &str| -> Vec<(String, f64)> {
            model.ordered(words(), Some(order.parse().unwrap()), Execution::default()).unwrap()
        };
        let texts = |found: &[(String, f64)]| found.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&sorted("alphabet")), ["aa", "ab", "b", "bbb", "x"]);
        assert_eq!(texts(&sorted("length")), ["b", "x", "aa", "ab", "bbb"]);
        let by_score = sorted("wordlikeness");
        assert!(by_score.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{by_score:?}");
        assert_eq!((by_score[4].0.as_str(), by_score[4].1), ("x", f64::NEG_INFINITY));
        let aa = by_score.iter().find(|(word, _)| word == "aa").unwrap().1;
        assert!((aa - model.score("aa").unwrap().log_probability / 3.0).abs() < 1e-6);
        assert_eq!(texts(&model.ordered(words(), None, Execution::default()).unwrap()), words());
        assert!("size".parse::<Order>().is_err());
    }
}
