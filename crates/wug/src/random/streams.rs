//! Every use of random numbers, in one table, so that no two share them. Seeds are an interface: no value here may change.
//!
//! What is not recorded draws from ChaCha ([`stream`](super::stream)), each purpose with a name of eight bytes in the key. What is
//! recorded draws counter-based noise, a function of seed, stream, step and item:
//!
//! | for | stream | step | item |
//! |---|---|---|---|
//! | the bound at symbol t | [`Bound`] | step of training; for scores, symbols of the word | word; filter of the word |
//! | dropout at symbol t | [`dropout`] | step of training | word or particle |
//! | states of trajectories | [`STATE`] | [`trajectory`] | low half of the trajectory's number |
//! | symbols of trajectories at symbol t | [`SYMBOL`] + t | high half of the trajectory's number | low half |
//! | information | [`STATE`] | position | state |
//! | words | [`STATE`], [`SYMBOL`], [`RESAMPLE`], [`PICK`] | [`Making`] | lane or particle |
//! | the noise of a word | [`Bound`], [`PARTICLE`], [`TAIL`], [`POINT`] | [`Making::Posterior`] | draw |
//! | a word from noise and back | [`STATE`], [`SYMBOL`], [`POINT`] | [`Making::Encoding`] | word |

/// Layers of a network that have noise of their own for dropout.
pub(crate) const MAX_LAYERS: usize = 8;

/// Purposes of ChaCha.
pub(crate) const INITIAL_PARAMETERS: [u8; 8] = *b"start\0\0\0";
pub(crate) const SPLIT_TOKENS: [u8; 8] = *b"tokens\0\0";
pub(crate) const SPLIT_TYPES: [u8; 8] = *b"types\0\0\0";
pub(crate) const VALIDATION_TOKENS: [u8; 8] = *b"validtok";
pub(crate) const VALIDATION_TYPES: [u8; 8] = *b"validtyp";
pub(crate) const TRAINING_TILES: [u8; 8] = *b"tiles\0\0\0";
pub(crate) const ALIAS_DRAWS: [u8; 8] = *b"draws\0\0\0";
pub(crate) const EVALUATED_WORDS: [u8; 8] = *b"filter\0\0";
pub(crate) const REFERENCE_WORDS: [u8; 8] = *b"refwords";
pub(crate) const REFERENCE_STRINGS: [u8; 8] = *b"refchars";
pub(crate) const LENGTH_PROFILES: [u8; 8] = *b"lengths\0";
pub(crate) const LISTED_WORDS: [u8; 8] = *b"listed\0\0";
pub(crate) const STIMULI_ORDER: [u8; 8] = *b"ld1nn\0\0\0";

/// Noise of the states.
pub(crate) const STATE: u16 = 0;
/// Uniform numbers that symbols are drawn with.
pub(crate) const SYMBOL: u16 = 1 << 15;
/// Resampling of a population.
pub(crate) const RESAMPLE: u16 = 1 << 14;
/// Words picked from a population.
pub(crate) const PICK: u16 = RESAMPLE + 1;
/// The particle that stands for a word's posterior.
pub(crate) const PARTICLE: u16 = u16::MAX;
/// Noise after the end of a word.
pub(crate) const TAIL: u16 = u16::MAX - 1;
/// Where the uniform numbers of a word's letters fell.
pub(crate) const POINT: u16 = u16::MAX - 2;

/// Streams of a step of the bound.
#[derive(Clone, Copy)]
pub(crate) enum Bound {
    Proposal,
    Simulation,
    Choice,
    Defence,
}

impl Bound {
    const COUNT: u16 = 4;

    /// The longest word, with its end, for which every step has its streams: those of the bound in the lower half,
    /// those of dropout in the upper.
    pub(crate) const MAX_STEPS: usize = (1 << 15) / (2 * MAX_LAYERS);

    /// The stream at a step.
    pub(crate) fn at(self, step: usize) -> u16 {
        step as u16 * Self::COUNT + self as u16
    }
}

/// The stream of dropout at a step, in a layer of one of two networks.
pub(crate) fn dropout(step: usize, network: usize, layer: usize) -> u16 {
    1 << 15 | (step * 2 * MAX_LAYERS + network * MAX_LAYERS + layer) as u16
}

/// The step of noise at a position of the trajectories from a number on: unlike any step of training, of information or of [`Making`].
pub(crate) fn trajectory(first: u64, position: usize) -> u64 {
    1 << 61 | (first >> 32) << 16 | position as u64
}

/// Ways of making words, which share streams but no steps.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Making {
    Block,
    Population,
    Posterior,
    Encoding,
}

impl Making {
    /// The step of noise for a tick of a block, or whatever else has this number.
    pub(crate) fn step(self, number: u64, tick: u64) -> u64 {
        (self as u64) << 62 | number << 24 | tick
    }
}
