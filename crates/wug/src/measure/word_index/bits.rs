//! One bit for each word of a block.

/// Words of a block.
pub(super) const WORDS: usize = 512;
const PARTS: usize = WORDS / u64::BITS as usize;

/// A set of words of a block: one register of AVX-512, two of AVX2, four elsewhere. The loops are short and of fixed length, so that the
/// compiler makes vector instructions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Bits([u64; PARTS]);

impl Bits {
    pub(super) const NONE: Self = Self([0; PARTS]);
    pub(super) const ALL: Self = Self([!0; PARTS]);

    /// The first words of a block.
    pub(super) fn first(count: usize) -> Self {
        let mut bits = Self::NONE;
        (0..count).for_each(|word| bits.insert(word));
        bits
    }

    pub(super) fn insert(&mut self, word: usize) {
        self.0[word / 64] |= 1 << (word % 64);
    }

    #[inline(always)]
    fn zip(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        let mut bits = self.0;
        for (own, other) in bits.iter_mut().zip(other.0) {
            *own = of(*own, other);
        }
        Self(bits)
    }

    #[inline(always)]
    pub(super) fn or_not(self, other: Self) -> Self {
        self.zip(other, |own, other| own | !other)
    }

    #[inline(always)]
    pub(super) fn and_not(self, other: Self) -> Self {
        self.zip(other, |own, other| own & !other)
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0.into_iter().fold(0, |all, part| all | part) == 0
    }

    pub(super) fn count(self) -> usize {
        self.0.into_iter().map(|part| part.count_ones() as usize).sum()
    }

    /// The words of the set, in their order.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().zip((0..).step_by(64)).flat_map(|(mut part, start): (u64, usize)| {
            std::iter::from_fn(move || {
                let place = (part != 0).then(|| start + part.trailing_zeros() as usize);
                part &= part.wrapping_sub(1);
                place
            })
        })
    }
}

impl std::ops::BitAnd for Bits {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |own, other| own & other)
    }
}

impl std::ops::BitOr for Bits {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |own, other| own | other)
    }
}
