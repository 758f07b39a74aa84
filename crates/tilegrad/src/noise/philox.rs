//! The Philox4x32-10 bijection of J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random
//! numbers: as easy as 1, 2, 3" (SC 2011, doi:10.1145/2063384.2063405), whose constants these are.
//!
//! The authors report that seven rounds pass all of TestU01's BigCrush and recommend ten, for a margin.
//! With seven a normal number would cost a tenth less, which does not pay for giving up the margin.

use crate::simd::Bits;

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
pub fn blocks<B: Bits>(first: B, rest: [u32; 3], key: [u32; 2]) -> [B; 4] {
    // The multiplication takes every other lane and fills the whole vector. So lanes 0, 2, 4, 6 and lanes 1, 3, 5, 7 go
    // apart through all rounds, each in the even lanes; the odd lanes of all words and keys are arbitrary.
    let [b, c, d] = [B::splat(rest[0]), B::splat(rest[1]), B::splat(rest[2])];
    let mut even = [first, b, c, d];
    let mut odd = [first.odd(), b, c, d];
    let mut key = [B::splat(key[0]), B::splat(key[1])];
    // Written out: a loop would move the state between registers, which makes it a fifth slower.
    two_rounds(&mut even, &mut odd, &mut key);
    two_rounds(&mut even, &mut odd, &mut key);
    two_rounds(&mut even, &mut odd, &mut key);
    two_rounds(&mut even, &mut odd, &mut key);
    two_rounds(&mut even, &mut odd, &mut key);
    [
        B::interleave(even[0], odd[0]),
        B::interleave(even[1], odd[1]),
        B::interleave(even[2], odd[2]),
        B::interleave(even[3], odd[3]),
    ]
}

#[inline(always)]
fn two_rounds<B: Bits>(even: &mut [B; 4], odd: &mut [B; 4], key: &mut [B; 2]) {
    for _ in 0..2 {
        *even = round(*even, *key);
        *odd = round(*odd, *key);
        *key = [key[0] + B::splat(KEY_INCREMENTS[0]), key[1] + B::splat(KEY_INCREMENTS[1])];
    }
}

#[inline(always)]
fn round<B: Bits>([a, b, c, d]: [B; 4], [k, l]: [B; 2]) -> [B; 4] {
    let first = a.even_products(B::splat(MULTIPLIERS[0]));
    let second = c.even_products(B::splat(MULTIPLIERS[1]));
    [second.odd() ^ b ^ k, second, first.odd() ^ d ^ l, first]
}
