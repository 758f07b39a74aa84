//! Counter-based noise: every number is a pure function of its address.
//!
//! An address is (seed, stream, step, item, block). Nothing is advanced, so numbers can be drawn in any
//! order, on any thread, again or not at all, and a run can be resumed at any step. They are the same
//! bits on every platform and in every build: [Philox4x32-10](philox) is integer arithmetic, and the
//! normal numbers are made with additions, multiplications and square roots alone, which IEEE 754
//! defines to the last bit, never with fused operations or the platform's mathematical library.
//!
//! A *stream* tells the purposes of noise apart (one for each place in a model that draws), a *step*
//! the uses of the stream one after the other, an *item* what is drawn for (a word, a particle), and a
//! *block* the groups of four numbers that one item needs: row `r` of an item's noise is number
//! `r % 4` of block `r / 4`.
//!
//! ```
//! use tilegrad::noise::Noise;
//!
//! let noise = Noise::new(42);
//! let items = [0, 1, 2, 3, 4, 5, 6, 7];
//! let rows = noise.normal(3, 1000, items, 0);
//! assert_eq!(rows, noise.normal(3, 1000, items, 0));
//! assert_ne!(rows, noise.normal(3, 1001, items, 0));
//! ```

mod gaussian;
pub mod philox;

use crate::simd::{Bits, Path, Simd, Single, Task};

/// Noise of one seed. See the [module](self) for what an address means.
///
/// The seed is Philox's key; the counter is `[item, stream · 2^16 + block, low half of step, high half
/// of step]`. Different addresses are different counters, and Philox maps different counters to
/// different blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noise {
    key: [u32; 2],
}

impl Noise {
    /// The noise of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32] }
    }

    /// Independent numbers for eight items, four for each, uniform in the open interval (0, 1): the odd multiples of
    /// `2^−24`.
    pub fn uniform(&self, stream: u16, step: u64, items: [u32; 8], block: u16) -> [[f32; 8]; 4] {
        Path::current().run(Draw { noise: *self, stream, step, items, block, normal: false })
    }

    /// Independent standard normal numbers for eight items, four for each, by the method of Box and Muller. The
    /// largest possible magnitude is `√(64 ln 2)`, about 6.66.
    pub fn normal(&self, stream: u16, step: u64, items: [u32; 8], block: u16) -> [[f32; 8]; 4] {
        Path::current().run(Draw { noise: *self, stream, step, items, block, normal: true })
    }

    /// [`Noise::uniform`] in vectors.
    #[inline(always)]
    pub fn uniform_vectors<V: Single>(&self, stream: u16, step: u64, items: V::Bits, block: u16) -> [V; 4] {
        let [a, b, c, d] = self.blocks(stream, step, items, block);
        [uniform(a), uniform(b), uniform(c), uniform(d)]
    }

    /// [`Noise::normal`] in vectors.
    #[inline(always)]
    pub fn normal_vectors<V: Single>(&self, stream: u16, step: u64, items: V::Bits, block: u16) -> [V; 4] {
        let [a, b, c, d] = self.blocks(stream, step, items, block);
        let [first, second] = gaussian::pair(a, b);
        let [third, fourth] = gaussian::pair(c, d);
        [first, second, third, fourth]
    }

    /// The four random words of one item and block, from which all other numbers at that address are
    /// made. For the occasional draw; [`uniform`](Self::uniform) and [`normal`](Self::normal) are
    /// for many.
    pub fn words(&self, stream: u16, step: u64, item: u32, block: u16) -> [u32; 4] {
        let [second, third, fourth] = shared_counter(stream, step, block);
        philox::block([item, second, third, fourth], self.key)
    }

    /// Two independent numbers at one address, uniform in the open interval (0, 1) with 52 bits: the
    /// odd multiples of `2^−53`.
    pub fn uniform_f64(&self, stream: u16, step: u64, item: u32, block: u16) -> [f64; 2] {
        let [a, b, c, d] = self.words(stream, step, item, block);
        [(a, b), (c, d)].map(|(low, high)| {
            let bits = u64::from(high) << 32 | u64::from(low);
            ((bits >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
        })
    }

    #[inline(always)]
    fn blocks<B: Bits>(&self, stream: u16, step: u64, items: B, block: u16) -> [B; 4] {
        philox::blocks(items, shared_counter(stream, step, block), self.key)
    }
}

/// The part of the counter that all items share.
#[inline(always)]
fn shared_counter(stream: u16, step: u64, block: u16) -> [u32; 3] {
    [u32::from(stream) << 16 | u32::from(block), step as u32, (step >> 32) as u32]
}

#[inline(always)]
fn uniform<V: Single>(words: V::Bits) -> V {
    (V::from_integers(words.shift_right::<9>()) + V::splat(0.5)) * V::splat(1.0 / 8_388_608.0)
}

/// One address of eight items.
struct Draw {
    noise: Noise,
    stream: u16,
    step: u64,
    items: [u32; 8],
    block: u16,
    normal: bool,
}

impl Task<f32> for Draw {
    type Output = [[f32; 8]; 4];

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) -> Self::Output {
        let Self { noise, stream, step, items, block, normal } = self;
        let items = bytemuck::cast(items);
        let rows: [S::Noise; 4] = if normal {
            noise.normal_vectors(stream, step, items, block)
        } else {
            noise.uniform_vectors(stream, step, items, block)
        };
        rows.map(bytemuck::cast)
    }
}
