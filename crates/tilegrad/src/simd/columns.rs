//! Vectors side by side that a matrix product computes with at once.

use super::Vector;

/// A few vectors that lie side by side in memory, in one register where the path has such.
pub trait Columns<V: Vector>: Copy {
    /// How many vectors.
    const COUNT: usize;

    /// The same number in all lanes.
    fn splat(value: V::Element) -> Self;

    /// `self · factor + addend`, lane by lane as [`Vector::mul_add`] does it.
    fn mul_add(self, factor: Self, addend: Self) -> Self;

    /// Reads them.
    ///
    /// # Safety
    /// All of them must be readable.
    unsafe fn load(source: *const V) -> Self;

    /// Writes them.
    ///
    /// # Safety
    /// All of them must be writable.
    unsafe fn store(self, target: *mut V);
}

impl<V: Vector, const N: usize> Columns<V> for [V; N] {
    const COUNT: usize = N;

    #[inline(always)]
    fn splat(value: V::Element) -> Self {
        [V::splat(value); N]
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, mut addend: Self) -> Self {
        for ((sum, a), b) in addend.iter_mut().zip(self).zip(factor) {
            *sum = a.mul_add(b, *sum);
        }
        addend
    }

    #[inline(always)]
    unsafe fn load(source: *const V) -> Self {
        // SAFETY: as the caller has promised; an array of vectors lies as vectors side by side.
        unsafe { *source.cast() }
    }

    #[inline(always)]
    unsafe fn store(self, target: *mut V) {
        // SAFETY: as above.
        unsafe { *target.cast() = self }
    }
}

/// Twice as many.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<C>([C; 2]);

#[cfg(target_arch = "x86_64")]
impl<V: Vector, C: Columns<V>> Columns<V> for Pair<C> {
    const COUNT: usize = 2 * C::COUNT;

    #[inline(always)]
    fn splat(value: V::Element) -> Self {
        Self([C::splat(value); 2])
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        let ([a, b], [c, d], [e, f]) = (self.0, factor.0, addend.0);
        Self([a.mul_add(c, e), b.mul_add(d, f)])
    }

    #[inline(always)]
    unsafe fn load(source: *const V) -> Self {
        // SAFETY: as the caller has promised.
        unsafe { Self([C::load(source), C::load(source.add(C::COUNT))]) }
    }

    #[inline(always)]
    unsafe fn store(self, target: *mut V) {
        let [first, second] = self.0;
        // SAFETY: as the caller has promised.
        unsafe {
            first.store(target);
            second.store(target.add(C::COUNT));
        }
    }
}
