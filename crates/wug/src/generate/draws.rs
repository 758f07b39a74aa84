//! Words as the model draws them.

use super::SampleError;
use super::automaton::Automaton;
use super::block::{self, TRIES};
use super::draw_settings::DrawSettings;
use super::steps::Steps;
use super::symbol_weights::SymbolChoice;
use crate::Execution;
use crate::lexicon::Symbol;
use crate::model::Fitted;

/// Draws words as the paper does, noise → states → symbols up to the first end: empty words are among them. Words are symbols
/// without the end, cut at [`MAX_LETTERS`](super::MAX_LETTERS).
///
/// # Errors
/// When the model cannot be recorded, or the system refuses a thread.
pub fn draw(
    fitted: Fitted<'_>,
    choice: SymbolChoice,
    count: usize,
    Execution { seed, threads }: Execution,
) -> Result<Vec<Vec<Symbol>>, SampleError> {
    let settings = DrawSettings { choice, ..DrawSettings::plain(seed) };
    Ok(draw_by(&mut Steps::new(fitted, threads)?, &settings, count))
}

/// The same under other settings.
pub(crate) fn draw_by(steps: &mut Steps<'_>, settings: &DrawSettings, count: usize) -> Vec<Vec<Symbol>> {
    let anything = Automaton::anything(steps.fitted().model().symbols());
    let blocks = steps.map(0..count.div_ceil(TRIES), |number, stepper| {
        let needed = (count - number * TRIES).min(TRIES);
        block::run(stepper, settings, &anything, number as u64, needed, true).words
    });
    blocks.iter().flat_map(|words| words.iter()).map(<[Symbol]>::to_vec).collect()
}
