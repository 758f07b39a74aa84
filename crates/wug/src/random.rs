//! Random numbers that are a function of a seed, a purpose and a key.
//!
//! The generator is ChaCha with 8 rounds; its 32-byte key is `seed ‖ purpose ‖ key`, little endian. Two purposes
//! or two keys never share a stream. Seeds are an interface: a change here changes every split and every run,
//! and tests pin the values.

pub(crate) mod binomial;
pub(crate) mod streams;

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The stream for `seed`, `purpose` and `key`.
pub(crate) fn stream(seed: u64, purpose: [u8; 8], key: u128) -> ChaCha8Rng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&purpose);
    bytes[16..].copy_from_slice(&key.to_le_bytes());
    ChaCha8Rng::from_seed(bytes)
}

/// A key for a word: its 128-bit FNV-1a hash.
pub(crate) fn word_key(word: &str) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    word.bytes().fold(OFFSET, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

/// A uniform number below `bound`, which must not be 0: a widening product, with the few products rejected
/// that would make some numbers likelier than others (Lemire 2019).
pub(crate) fn below(rng: &mut impl Rng, bound: u64) -> u64 {
    let wide = |random: u64| u128::from(random) * u128::from(bound);
    let mut product = wide(rng.next_u64());
    if (product as u64) < bound {
        let rejected = bound.wrapping_neg() % bound;
        while (product as u64) < rejected {
            product = wide(rng.next_u64());
        }
    }
    (product >> 64) as u64
}

/// A uniform number in [0, 1) with 53 random bits.
pub(crate) fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * (-53f64).exp2()
}

/// The member at the point `u` of the softmax's cumulative distribution.
pub(crate) fn categorical(count: usize, logit: impl Fn(usize) -> f64, u: f64) -> usize {
    let largest = (0..count).map(&logit).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = (0..count).map(|member| (logit(member) - largest).exp()).sum();
    let mut left = u * total;
    for member in 0..count {
        left -= (logit(member) - largest).exp();
        if left < 0.0 {
            return member;
        }
    }
    count - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_pinned_and_differ() {
        let first = |seed, purpose: &[u8; 8], key| stream(seed, *purpose, key).next_u64();
        // The published test vector of ChaCha8 with a key of zeros.
        assert_eq!(first(0, b"\0\0\0\0\0\0\0\0", 0), 0xd640_5f89_2fef_003e);
        assert_ne!(first(1, b"purpose1", 1), first(2, b"purpose1", 1));
        assert_ne!(first(1, b"purpose1", 1), first(1, b"purpose2", 1));
        assert_ne!(first(1, b"purpose1", 1), first(1, b"purpose1", 2));
        assert_eq!(word_key("a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn numbers_stay_below_the_bound_and_reach_all_of_it() {
        let mut rng = stream(7, *b"below\0\0\0", 0);
        let mut seen = [0u32; 6];
        for _ in 0..6000 {
            seen[below(&mut rng, 6) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        let half = (u64::MAX >> 1) + 2;
        assert!((0..100).all(|_| below(&mut rng, half) < half));
        assert!((0..100).all(|_| (0.0..1.0).contains(&unit(&mut rng))));
    }
}
