//! The Philox4x32-10 bijection of J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random
//! numbers: as easy as 1, 2, 3" (SC 2011, doi:10.1145/2063384.2063405), whose constants these are.
//!
//! The authors report that seven rounds pass all of TestU01's BigCrush and recommend ten, for a margin.
//! With seven a normal number would cost a tenth less, which does not pay for giving up the margin.

use wide::{u32x8, u64x4};

const ROUNDS: usize = 10;
const MULTIPLIERS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
const KEY_INCREMENTS: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];

/// Four random words for one counter.
pub fn block(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    let [mut k, mut l] = key;
    for _ in 0..ROUNDS {
        let first = u64::from(MULTIPLIERS[0]) * u64::from(a);
        let second = u64::from(MULTIPLIERS[1]) * u64::from(c);
        a = (second >> 32) as u32 ^ b ^ k;
        b = second as u32;
        c = (first >> 32) as u32 ^ d ^ l;
        d = first as u32;
        k = k.wrapping_add(KEY_INCREMENTS[0]);
        l = l.wrapping_add(KEY_INCREMENTS[1]);
    }
    [a, b, c, d]
}

/// Four vectors of random words for eight counters that differ in their first word only.
#[inline(always)]
pub fn blocks(first: u32x8, rest: [u32; 3], key: [u32; 2]) -> [u32x8; 4] {
    // The multiplication takes the low halves of 64-bit lanes and fills the whole lanes. So lanes 0, 2,
    // 4, 6 and lanes 1, 3, 5, 7 go apart through all rounds, each in the low half of a 64-bit lane; the
    // high halves of all words and keys are arbitrary.
    let splat = |word: u32| u64x4::splat(u64::from(word));
    let pairs: u64x4 = bytemuck::cast(first);
    let [b, c, d] = rest.map(splat);
    let mut even = [pairs, b, c, d];
    let mut odd = [pairs >> 32, b, c, d];
    let mut key = key.map(splat);
    let increments = KEY_INCREMENTS.map(splat);
    let mut two_rounds = || {
        for _ in 0..2 {
            even = round(even, key);
            odd = round(odd, key);
            key = [key[0] + increments[0], key[1] + increments[1]];
        }
    };
    // Written out: a loop would move the state between registers, which makes it a fifth slower.
    two_rounds();
    two_rounds();
    two_rounds();
    two_rounds();
    two_rounds();
    let low = splat(u32::MAX);
    std::array::from_fn(|i| bytemuck::cast((even[i] & low) | (odd[i] << 32)))
}

#[inline(always)]
fn round([a, b, c, d]: [u64x4; 4], [k, l]: [u64x4; 2]) -> [u64x4; 4] {
    let first = product(a, MULTIPLIERS[0]);
    let second = product(c, MULTIPLIERS[1]);
    [(second >> 32) ^ b ^ k, second, (first >> 32) ^ d ^ l, first]
}

/// The 64-bit products of the low halves with a number.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[inline(always)]
fn product(words: u64x4, multiplier: u32) -> u64x4 {
    let multiplier = u64x4::splat(u64::from(multiplier));
    let [words, multiplier] = [words, multiplier].map(bytemuck::cast);
    // SAFETY: compiled only for processors that have AVX2.
    bytemuck::cast(unsafe { std::arch::x86_64::_mm256_mul_epu32(words, multiplier) })
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
#[inline(always)]
fn product(words: u64x4, multiplier: u32) -> u64x4 {
    u64x4::new(words.to_array().map(|word| (word & 0xffff_ffff) * u64::from(multiplier)))
}
