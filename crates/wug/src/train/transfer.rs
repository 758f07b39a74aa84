//! Training that starts from a model: what both models have keeps its numbers.
//!
//! A parameter has the same name in both. Where it has a row or a column for each symbol, those of letters that both alphabets
//! have are taken over, and those of other letters start fresh.

use std::fmt;

use super::Training;
use crate::TrainedModel;
use crate::lexicon::{Alphabet, END, Symbol};
use crate::model::{ConfigError, Model, ModelConfig};

/// What a model takes over from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// Letters that both have.
    pub kept: Vec<String>,
    /// Letters that start fresh.
    pub fresh: Vec<String>,
    /// Parameters that are taken over.
    pub parameters: usize,
    /// All parameters.
    pub total: usize,
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, fresh, parameters, total } = self;
        write!(f, "{parameters} of {total} parameters and {} letters are kept; ", kept.len())?;
        if fresh.is_empty() {
            return f.write_str("none starts fresh");
        }
        let shown: Vec<&str> = fresh.iter().take(SHOWN).map(String::as_str).collect();
        let more =
            if fresh.len() > SHOWN { format!(" and {} more", fresh.len() - SHOWN) } else { String::new() };
        write!(f, "{} start fresh: {}{more}", fresh.len(), shown.join(" "))
    }
}

/// Letters that are named.
const SHOWN: usize = 30;

impl Training {
    /// Starts from a model of the same structure, before the first step.
    ///
    /// # Errors
    /// When the model has another structure.
    pub fn start_from(&mut self, source: &TrainedModel) -> Result<Transfer, ConfigError> {
        let own = self.model.config();
        if own != source.model.config() {
            let (key, expected) =
                ("model".to_owned(), "expected those of the model to start from".to_owned());
            return Err(ConfigError { key, found: "other sizes or flows".to_owned(), expected });
        }
        let sources = shared_symbols(&self.alphabet, &source.alphabet);
        let mut parameters = self.state.parameters.clone();
        let mut taken = 0;
        for shape in shapes(own, self.alphabet.symbol_count())? {
            taken += self.take_over(&shape, source, &sources, &mut parameters);
        }
        self.state.parameters.clone_from(&parameters);
        self.good.parameters = parameters;
        let name = |symbol: usize| self.alphabet.decode(&[symbol as Symbol]);
        let (kept, fresh): (Vec<usize>, Vec<usize>) =
            (1..sources.len()).partition(|&symbol| sources[symbol].is_some());
        Ok(Transfer {
            kept: kept.into_iter().map(name).collect(),
            fresh: fresh.into_iter().map(name).collect(),
            parameters: taken,
            total: self.state.parameters.len(),
        })
    }

    /// Copies what both have of one parameter; returns how many numbers that is.
    fn take_over(
        &self,
        shape: &ParamShape,
        source: &TrainedModel,
        sources: &[Option<usize>],
        numbers: &mut [f32],
    ) -> usize {
        let (Some(own), Some(other)) =
            (self.model.params().find(&shape.name), source.model.params().find(&shape.name))
        else {
            return 0;
        };
        let place = |by_symbol: bool, index: usize| if by_symbol { sources[index] } else { Some(index) };
        let mut kept = 0;
        for row in 0..own.rows {
            let Some(from_row) = place(shape.rows_by_symbol, row) else { continue };
            for column in 0..own.cols {
                let Some(from_column) = place(shape.columns_by_symbol, column) else { continue };
                numbers[own.offset + row * own.cols + column] =
                    source.parameters[other.offset + from_row * other.cols + from_column];
                kept += 1;
            }
        }
        kept
    }
}

/// Which dimensions of a parameter have one place for each symbol.
struct ParamShape {
    name: String,
    rows_by_symbol: bool,
    columns_by_symbol: bool,
}

/// For each symbol, the one of the other alphabet that is the same letter.
fn shared_symbols(own: &Alphabet, other: &Alphabet) -> Vec<Option<usize>> {
    let end = std::iter::once(Some(usize::from(END)));
    end.chain(own.letters().map(|letter| other.symbol(letter).map(usize::from))).collect()
}

/// Which parameters have a row or a column for each symbol: those whose shape changes with the alphabet.
fn shapes(config: &ModelConfig, symbols: usize) -> Result<Vec<ParamShape>, ConfigError> {
    let (model, larger) = (Model::new(config, symbols)?, Model::new(config, symbols + 1)?);
    let pairs = model.params().iter().zip(larger.params().iter());
    Ok(pairs
        .map(|(own, other)| ParamShape {
            name: own.name.clone(),
            rows_by_symbol: own.rows != other.rows,
            columns_by_symbol: own.cols != other.cols,
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::{Config, train};
    use std::ops::ControlFlow;

    fn config(changes: &[&str]) -> Config {
        let sizes = [
            "state=5",
            "generative.hidden=[6, 6]",
            "choice_hidden=[4]",
            "words=64",
            "batch=16",
            "patience=0",
        ];
        Config::default().with_overrides(&[&sizes, changes].concat()).unwrap()
    }

    fn model(config: &Config, words: &[&str]) -> TrainedModel {
        let lexicon = Lexicon::from_counts(words.iter().map(|word| (*word, 1))).unwrap();
        train::train(config, &lexicon, 1, |_, _| ControlFlow::Continue(())).unwrap()
    }

    /// Log-probability of a word, computed by the model.
    fn score(model: &TrainedModel, word: &str) -> f64 {
        let symbols = model.alphabet.encode(word).unwrap();
        let execution = crate::Execution { seed: 1, threads: 1 };
        crate::evaluate::log_probabilities(model.fitted(), &[&symbols], 1, execution, &mut |_| {}).unwrap()[0]
            .mean
    }

    const SOURCE: [&str; 8] = ["abc", "cab", "bca", "acb", "bac", "cba", "aabb", "ccab"];

    /// With the same letters in another cell order, everything is kept and every word has the probability that it had.
    #[test]
    fn the_same_letters_keep_their_probabilities() {
        for changes in [&["kind=choice"][..], &["kind=teacher-forced"], &["kind=gru"]] {
            let config = config(changes);
            let source = model(&config, &SOURCE);
            let other =
                Lexicon::from_counts(["aaa", "bbbc", "ccca", "abab", "bcbc"].map(|word| (word, 1))).unwrap();
            let mut training = Training::new(&config, &other, 1).unwrap();
            let before = training.trained_model();
            let transfer = training.start_from(&source).unwrap();
            let after = training.trained_model();
            assert_eq!((transfer.kept.concat(), transfer.fresh.len()), ("abc".to_owned(), 0));
            assert_eq!(transfer.parameters, transfer.total);
            assert!(transfer.to_string().ends_with("3 letters are kept; none starts fresh"), "{transfer}");
            for word in ["abc", "a", "ccc", "bca"] {
                assert!((score(&after, word) - score(&source, word)).abs() < 1e-4, "{changes:?}: {word}");
                assert_ne!(score(&before, word), score(&after, word));
            }
        }
    }

    /// A letter moves to another symbol and takes its rows and columns with it; a new letter has the initial numbers.
    #[test]
    fn letters_move_and_new_ones_start_fresh() {
        let config = config(&[]);
        let source = model(&config, &SOURCE);
        // `a` is missing, `b` becomes symbol 1, `é` is new.
        let words = Lexicon::from_counts(["bbc", "ccbé", "béb", "cbc"].map(|word| (word, 1))).unwrap();
        let mut training = Training::new(&config, &words, 1).unwrap();
        let initial = training.state.parameters.clone();
        let transfer = training.start_from(&source).unwrap();
        assert_eq!((transfer.kept.concat(), transfer.fresh.concat()), ("bc".to_owned(), "é".to_owned()));
        assert!(transfer.to_string().ends_with("2 letters are kept; 1 start fresh: é"), "{transfer}");
        let own = |name: &str| training.model().params().find(name).unwrap().clone();
        let other = |name: &str| source.model.params().find(name).unwrap().clone();
        // From the symbol before, in rows, to the next symbol, in columns.
        let name = "generative.flow.choice.linear.seen";
        let (here, there) = (own(name), other(name));
        assert_eq!((here.rows, here.cols), (4, 4));
        let from = [Some(0), Some(2), Some(3), None];
        for (row, from_row) in from.iter().enumerate() {
            for (column, from_column) in from.iter().enumerate() {
                let place = here.offset + row * 4 + column;
                let expected = match (from_row, from_column) {
                    (Some(row), Some(column)) => source.parameters[there.offset + row * 4 + column],
                    _ => initial[place],
                };
                assert_eq!(training.state.parameters[place], expected, "{row}, {column}");
            }
        }
        let name = "generative.flow.memory.1.weight";
        assert_eq!(training.state.parameters[own(name).range()], source.parameters[other(name).range()]);
        assert_eq!(training.good, training.state, "a fallback to the beginning goes to the same");
    }

    #[test]
    fn another_structure_is_refused() {
        let source = model(&config(&[]), &SOURCE);
        let words = Lexicon::from_counts([("abc", 1)]).unwrap();
        let mut training = Training::new(&config(&["state=6"]), &words, 1).unwrap();
        let before = training.state.clone();
        let error = training.start_from(&source).unwrap_err().to_string();
        assert_eq!(error, "`model = other sizes or flows`: expected those of the model to start from");
        assert_eq!(training.state, before);
    }
}
