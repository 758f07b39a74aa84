//! Words that meet constraints, by a particle filter.
//!
//! A particle is a word on its way: its state, the automaton's state, its letters. At each step a symbol is drawn from
//! the masked emission `P(w_t | h_t) v(δ(s, w_t))`, where v is 0 for symbols that rule the word out and otherwise the
//! [`Lookahead`]'s guess; the particle's weight grows by the mask's mass and shrinks by the guess that it was drawn
//! with, so that at the end of the word guesses cancel. Particles are resampled when few of them carry the weight. Words
//! drawn by weight from N particles are distributed as the model given the constraints, up to an error of order 1/N.

use tilegrad::NoiseKey;
use tilegrad::noise::Noise;

use super::automaton::{ACCEPTED, Automaton, DEAD};
use super::draw_settings::DrawSettings;
use super::lookahead::Lookahead;
use super::steps::{LANES, Stepper};
use crate::lexicon::{END, Symbol};
use crate::random::streams::{self, Making};

/// Share of the particles below which the effective sample size triggers resampling.
const RESAMPLE_BELOW: f64 = 0.5;

/// A word on its way.
#[derive(Clone, Copy)]
struct Particle {
    /// State of the automaton.
    state: u32,
    last: Symbol,
    /// Its last letter among all particles' letters.
    node: u32,
    /// Which of the first particles it descends from.
    root: u32,
    log_weight: f64,
}

/// A letter and the one before it.
#[derive(Clone, Copy)]
struct Node {
    before: u32,
    symbol: Symbol,
}

/// No letter before.
const BEGINNING: u32 = u32::MAX;

/// What guides the particles.
#[derive(Clone, Copy)]
pub(crate) struct Guide<'a> {
    pub(crate) settings: &'a DrawSettings,
    pub(crate) automaton: &'a Automaton,
    pub(crate) lookahead: &'a Lookahead,
}

/// Particles on their way.
pub(crate) struct Population {
    number: u64,
    /// Symbols that the words have.
    position: usize,
    noise: Noise,
    particles: Vec<Particle>,
    /// The particles' states, one after the other.
    states: Vec<f32>,
    nodes: Vec<Node>,
}

impl Population {
    /// `count` particles that have not begun.
    pub(crate) fn new(guide: Guide<'_>, initial_state: &[f32], number: u64, count: usize) -> Self {
        let first =
            Particle { state: guide.automaton.start(), last: END, node: BEGINNING, root: 0, log_weight: 0.0 };
        let particles = (0..count).map(|root| Particle { root: root as u32, ..first }).collect();
        let (states, noise) = (initial_state.repeat(count), Noise::new(guide.settings.seed));
        Self { number, position: 0, noise, particles, states, nodes: Vec::new() }
    }

    /// All words that go on get a symbol. At the end of the last one, only particles whose words are accepted are left.
    /// Returns whether there is more to come.
    pub(crate) fn advance(&mut self, stepper: &mut Stepper<'_, '_>, guide: Guide<'_>) -> bool {
        if self.position > guide.settings.max_letters || !self.step(stepper, guide) {
            self.particles.retain(|particle| particle.state == ACCEPTED);
            return false;
        }
        if self.effective() < RESAMPLE_BELOW * self.particles.len() as f64 {
            self.resample();
        }
        self.position += 1;
        true
    }

    /// Symbols that it has drawn for each particle.
    pub(crate) fn steps(&self) -> usize {
        self.position
    }

    /// The effective number of independent particles: that of the first ones, weighted by all their descendants.
    pub(crate) fn effective_roots(&self) -> f64 {
        let mut shares: Vec<(u32, f64)> = Vec::new();
        for (particle, share) in self.particles.iter().zip(shares_of(&self.particles)) {
            shares.push((particle.root, share));
        }
        shares.sort_unstable_by_key(|share| share.0);
        let squares = shares
            .chunk_by(|left, right| left.0 == right.0)
            .map(|family| family.iter().map(|share| share.1).sum::<f64>().powi(2));
        let squares: f64 = squares.sum();
        if squares > 0.0 { squares.recip() } else { 0.0 }
    }

    /// Whether no particle is left. Only at the end is that known.
    pub(crate) fn is_extinct(&self) -> bool {
        self.particles.is_empty()
    }

    /// Draws words by weight, evenly among the particles and in random order. None if no particle is left.
    pub(crate) fn draw(&self, count: usize) -> Vec<Vec<Symbol>> {
        let step = Making::Population.step(self.number, 0);
        let [u, _] = self.noise.uniform_f64(streams::PICK, step, 0, 0);
        let chosen = systematic(&shares_of(&self.particles), count, u);
        let mut words: Vec<Vec<Symbol>> = chosen.into_iter().map(|index| self.word(index)).collect();
        // Neighbours descend from neighbours: shuffle.
        for last in (1..words.len()).rev() {
            let [u, _] = self.noise.uniform_f64(streams::PICK, step, last as u32, 1);
            words.swap(last, (u * (last + 1) as f64) as usize);
        }
        words
    }

    fn word(&self, index: usize) -> Vec<Symbol> {
        let mut letters = Vec::new();
        let mut node = self.particles[index].node;
        while node != BEGINNING {
            let Node { before, symbol } = self.nodes[node as usize];
            letters.push(symbol);
            node = before;
        }
        letters.reverse();
        letters
    }

    /// The noise's step at the position.
    fn noise_step(&self) -> u64 {
        Making::Population.step(self.number, self.position as u64)
    }

    /// Whether there were words to go on with.
    fn step(&mut self, stepper: &mut Stepper<'_, '_>, guide: Guide<'_>) -> bool {
        let DrawSettings { seed, laws, choice, .. } = guide.settings;
        let goes_on = |particle: &Particle| particle.state != DEAD && particle.state != ACCEPTED;
        let open: Vec<usize> =
            (0..self.particles.len()).filter(|&index| goes_on(&self.particles[index])).collect();
        let (key, size) = (NoiseKey { seed: *seed, step: self.noise_step() }, stepper.state_size());
        let (noise, mut weights) = (stepper.noise(), stepper.weights(*choice));
        for (chunk, open) in open.chunks(LANES).enumerate() {
            let law = |particle: &Particle| &laws[particle.root as usize % laws.len()];
            for (lane, &index) in open.iter().enumerate() {
                let particle = &self.particles[index];
                stepper.resume(lane, &self.states[index * size..][..size], particle.last);
                let law = law(particle);
                stepper.set_noise(lane, law.at(self.position, noise), law.scale());
            }
            let mut drawn = [END; LANES];
            stepper.look(key, (chunk * LANES) as u32, |look| {
                weights.set(look.logits);
                for (lane, &index) in open.iter().enumerate() {
                    if let Some(restriction) = law(&self.particles[index]).restriction(self.position, noise) {
                        weights.restrict(lane, restriction);
                    }
                    let uniform = f64::from(look.uniform[lane]);
                    drawn[lane] = self.draw_symbol(index, guide, || weights.lane(lane), uniform);
                }
            });
            stepper.take(&drawn);
            for (lane, &index) in open.iter().enumerate() {
                let own = &mut self.states[index * size..][..size];
                own.iter_mut().zip(stepper.state(lane)).for_each(|(own, next)| *own = next);
            }
        }
        !open.is_empty()
    }

    /// Draws a particle's symbol from the masked probabilities.
    fn draw_symbol<P: Iterator<Item = f64>>(
        &mut self,
        index: usize,
        guide: Guide<'_>,
        probabilities: impl Fn() -> P,
        uniform: f64,
    ) -> Symbol {
        let Guide { automaton, lookahead, settings } = guide;
        let particle = &mut self.particles[index];
        let guess = lookahead.value(particle.state, automaton.class(particle.last));
        // A word that is full can only end.
        let full = self.position == settings.max_letters;
        let masked = || {
            probabilities().zip(0..).map(|(probability, symbol)| {
                let next = automaton.next(particle.state, symbol);
                let value = lookahead.value(next, automaton.class(symbol));
                (symbol, next, if full && symbol != END { 0.0 } else { probability * value })
            })
        };
        let total: f64 = masked().map(|symbol| symbol.2).sum();
        let mut left = uniform * total;
        let mut chosen = None;
        for (symbol, next, mass) in masked().filter(|symbol| symbol.2 > 0.0) {
            chosen = Some((symbol, next));
            left -= mass;
            if left < 0.0 {
                break;
            }
        }
        let Some((symbol, next)) = chosen else {
            (particle.state, particle.log_weight) = (DEAD, f64::NEG_INFINITY);
            return END;
        };
        (particle.state, particle.last) = (next, symbol);
        particle.log_weight += libm::log(total / guess);
        if next != ACCEPTED {
            self.nodes.push(Node { before: particle.node, symbol });
            particle.node = self.nodes.len() as u32 - 1;
        }
        symbol
    }

    /// The effective sample size.
    fn effective(&self) -> f64 {
        let squares: f64 = shares_of(&self.particles).iter().map(|share| share * share).sum();
        if squares > 0.0 { squares.recip() } else { f64::INFINITY }
    }

    /// Replaces the particles by draws from them.
    fn resample(&mut self) {
        let [u, _] = self.noise.uniform_f64(streams::RESAMPLE, self.noise_step(), 0, 0);
        let chosen = systematic(&shares_of(&self.particles), self.particles.len(), u);
        let size = self.states.len() / self.particles.len();
        self.states =
            chosen.iter().flat_map(|&index| self.states[index * size..][..size].iter().copied()).collect();
        self.particles =
            chosen.iter().map(|&index| Particle { log_weight: 0.0, ..self.particles[index] }).collect();
    }
}

/// The particles' weights, with sum 1; all zero if no particle is left.
fn shares_of(particles: &[Particle]) -> Vec<f64> {
    let largest = particles.iter().map(|particle| particle.log_weight).fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return vec![0.0; particles.len()];
    }
    let weights: Vec<f64> =
        particles.iter().map(|particle| libm::exp(particle.log_weight - largest)).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

/// Indices of `count` draws at even distances, `u` of a distance from the beginning; none if all shares are zero.
fn systematic(shares: &[f64], count: usize, u: f64) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(count);
    let mut sum = 0.0;
    let mut last = None;
    for (index, &share) in shares.iter().enumerate().filter(|share| *share.1 > 0.0) {
        sum += share;
        last = Some(index);
        while chosen.len() < count && (chosen.len() as f64 + u) < sum * count as f64 {
            chosen.push(index);
        }
    }
    // Rounding may leave the sum a little short of 1.
    if let Some(last) = last {
        chosen.resize(count, last);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systematic_draws_come_as_often_as_they_should() {
        let shares = [0.0, 0.25, 0.5, 0.0, 0.05, 0.2];
        for u in [0.01, 0.5, 0.99] {
            let chosen = systematic(&shares, 20, u);
            let counts: Vec<usize> =
                (0..6).map(|index| chosen.iter().filter(|&&other| other == index).count()).collect();
            assert_eq!(counts, [0, 5, 10, 0, 1, 4]);
        }
        assert!(systematic(&[0.0; 3], 5, 0.5).is_empty());
    }
}
