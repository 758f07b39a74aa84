//! One error for the whole library. Each module has an error of its own, which is the source of this one; `?` turns it
//! into this one.

use thiserror::Error;

use crate::evaluate::{BadOrder, EvaluateError};
use crate::generate::{ConstraintError, NoiseFileError, SampleError};
use crate::lexicon::{AlphabetError, LexiconError, LineProblem, SpellError};
use crate::measure::{ColumnError, Ld1nnError, MatchError, ScoreProblem};
use crate::model::{ConfigError, RunnerError};
use crate::train::{PlanError, RunError, TrainError};
use crate::{DocumentError, EncodeError, ModelFileError, NotAQuantity, UnknownName};

/// What the library's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong. The message is that of the source.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A list or a text cannot be read.
    #[error(transparent)]
    Lexicon(#[from] LexiconError),
    /// A line or an argument is no word.
    #[error(transparent)]
    Line(#[from] LineProblem),
    /// Letters make no alphabet, or are not in it.
    #[error(transparent)]
    Alphabet(#[from] AlphabetError),
    /// A word cannot be spelt with a model's letters.
    #[error(transparent)]
    Spelling(#[from] SpellError),
    /// A document or an override is no configuration.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A setting is out of its range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is no preset, metric, split or weighting of that name.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A text is no number of things.
    #[error(transparent)]
    Quantity(#[from] NotAQuantity),
    /// A file is no model or no checkpoint, or cannot be read or written.
    #[error(transparent)]
    ModelFile(#[from] ModelFileError),
    /// A model does not fit into a file.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A part of a request to train is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Training cannot begin or continue.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The folder of a run cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// No words can be made, or no more.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// A file has no noise.
    #[error(transparent)]
    NoiseFile(#[from] NoiseFileError),
    /// A constraint cannot be met or understood.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// A word has no score.
    #[error(transparent)]
    Score(#[from] ScoreProblem),
    /// Words have no such column.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// Words cannot be matched.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Stimuli cannot be checked for bias.
    #[error(transparent)]
    Ld1nn(#[from] Ld1nnError),
    /// A model cannot be measured.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// There are no n-grams of that order.
    #[error(transparent)]
    Order(#[from] BadOrder),
}

/// What a caller can do about an error. A front end translates it: to an exit code, to a class of exceptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was asked for cannot be done: a setting, a name, a constraint or a word is wrong. Ask for something else.
    Request,
    /// A file or a list is not what it should be.
    Data,
    /// The system refused a file, memory or a thread.
    System,
    /// No more words were found that meet all conditions; those found before are good.
    GaveUp,
    /// The caller stopped it.
    Stopped,
    /// Numbers became NaN or infinite.
    Numerical,
    /// A mistake in the library.
    Internal,
}

impl Error {
    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Lexicon(error) | Self::Plan(PlanError::List(error)) => lexicon(error),
            Self::Line(_) | Self::Ld1nn(_) | Self::NoiseFile(_) => ErrorKind::Data,
            Self::Alphabet(_)
            | Self::Spelling(_)
            | Self::Document(_)
            | Self::Config(_)
            | Self::Name(_)
            | Self::Plan(_)
            | Self::Quantity(_)
            | Self::Constraint(_)
            | Self::ModelFile(ModelFileError::Unknown { .. })
            | Self::Column(_)
            | Self::Match(MatchError::Request(_) | MatchError::Column(_))
            | Self::Order(_) => ErrorKind::Request,
            Self::ModelFile(ModelFileError::Io { .. }) | Self::Run(RunError::Io { .. }) => ErrorKind::System,
            Self::ModelFile(_) | Self::Run(RunError::Config { .. }) => ErrorKind::Data,
            Self::Encode(_) => ErrorKind::Internal,
            Self::Train(error) => train(error),
            Self::Run(_) => ErrorKind::Request,
            Self::Sample(error) => sample(error),
            Self::Score(problem) => score(problem),
            Self::Match(MatchError::Stopped) => ErrorKind::Stopped,
            Self::Evaluate(error) => evaluate(error),
        }
    }
}

fn lexicon(error: &LexiconError) -> ErrorKind {
    match error {
        LexiconError::Open { .. } | LexiconError::Read { .. } => ErrorKind::System,
        LexiconError::Directory { .. }
        | LexiconError::NotBundled
        | LexiconError::NotStored { .. }
        | LexiconError::UnknownList { .. }
        | LexiconError::FilteredOut(_)
        | LexiconError::EmptyLengthRange { .. }
        | LexiconError::LetterShare { .. } => ErrorKind::Request,
        _ => ErrorKind::Data,
    }
}

fn train(error: &TrainError) -> ErrorKind {
    match error {
        TrainError::Config(_) | TrainError::Alphabet { .. } | TrainError::Optimiser(_) => ErrorKind::Request,
        TrainError::Tiles(_) | TrainError::TooLong { .. } => ErrorKind::Data,
        TrainError::Graph(_) => ErrorKind::Internal,
        TrainError::Runner(error) => runner(error),
        TrainError::Diverged(_) => ErrorKind::Numerical,
    }
}

fn sample(error: &SampleError) -> ErrorKind {
    match error {
        SampleError::GaveUp(_) => ErrorKind::GaveUp,
        SampleError::Stopped => ErrorKind::Stopped,
        SampleError::Graph(_) => ErrorKind::Internal,
        SampleError::Runner(error) => runner(error),
        SampleError::List(error) => lexicon(error),
        _ => ErrorKind::Request,
    }
}

fn score(problem: &ScoreProblem) -> ErrorKind {
    match problem {
        ScoreProblem::Spelling(_) => ErrorKind::Request,
        ScoreProblem::NotFinite { .. } => ErrorKind::Numerical,
    }
}

fn evaluate(error: &EvaluateError) -> ErrorKind {
    match error {
        EvaluateError::List(error) => lexicon(error),
        EvaluateError::Alphabet { .. } | EvaluateError::Order(_) => ErrorKind::Request,
        EvaluateError::TooLong { .. } | EvaluateError::EmptyPart { .. } => ErrorKind::Data,
        EvaluateError::NotFinite { .. } => ErrorKind::Numerical,
        EvaluateError::Sample(error) => sample(error),
        EvaluateError::Graph(_) => ErrorKind::Internal,
        EvaluateError::Runner(error) => runner(error),
    }
}

fn runner(error: &RunnerError) -> ErrorKind {
    match error {
        RunnerError::Memory { .. } => ErrorKind::Request,
        RunnerError::Threads(_) => ErrorKind::System,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, TrainedModel};

    #[test]
    fn errors_of_all_modules_become_one_with_a_kind() {
        let config: Result<Config> = Config::default().with_overrides(&["sate=3"]).map_err(Error::from);
        assert_eq!(config.unwrap_err().kind(), ErrorKind::Request);
        let load = |bytes: Option<&[u8]>| -> Result<TrainedModel> {
            Ok(match bytes {
                Some(bytes) => TrainedModel::from_bytes(bytes, "a file")?,
                None => TrainedModel::load("no/such/file".as_ref())?,
            })
        };
        assert_eq!(load(Some(b"nothing")).unwrap_err().kind(), ErrorKind::Data);
        assert_eq!(load(None).unwrap_err().kind(), ErrorKind::System);
    }

    #[test]
    fn the_message_is_that_of_the_source() {
        let error = SampleError::NothingToScale;
        assert_eq!(Error::from(SampleError::NothingToScale).to_string(), error.to_string());
    }
}
