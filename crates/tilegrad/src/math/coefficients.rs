//! Polynomial coefficients kept in memory as whole vectors.
//!
//! A polynomial has more coefficients than there are registers to keep them in. Left to itself the
//! compiler then stores scalars and broadcasts each at every use, which takes the place of a
//! multiplication in the pipeline (Zen 3: sigmoid and softplus a third slower). Read from a table of
//! vectors they are memory operands of the multiplications and cost nothing.

use crate::simd::{Chunk8, Single};

/// The coefficients of a polynomial, lowest power first, each in all lanes.
pub(crate) struct Coefficients<const N: usize>([Chunk8; N]);

impl<const N: usize> Coefficients<N> {
    /// A table for a `static`.
    pub(crate) const fn new(values: [f32; N]) -> Self {
        let mut vectors = [Chunk8::new([0.0; 8]); N];
        let mut i = 0;
        while i < N {
            vectors[i] = Chunk8::new([values[i]; 8]);
            i += 1;
        }
        Self(vectors)
    }

    /// The coefficients, through an address that the compiler cannot see through.
    #[inline(always)]
    pub(crate) fn vectors<V: Single>(&'static self) -> impl Fn(usize) -> V {
        let chunks = opaque(&self.0);
        |i: usize| V::from_chunk(&chunks[i])
    }

    /// `c[0] + c[1] x + c[2] x² + …`, by Horner's rule: the fewest operations, one after the other.
    #[inline(always)]
    pub(crate) fn horner<V: Single>(&'static self, x: V) -> V {
        let chunks = opaque(&self.0);
        let mut sum = V::from_chunk(&chunks[N - 1]);
        let mut i = N - 1;
        while i > 0 {
            i -= 1;
            sum = sum.mul_add(x, V::from_chunk(&chunks[i]));
        }
        sum
    }
}

impl Coefficients<8> {
    /// The polynomial by Estrin's scheme, given also `x²`: two operations more, but a chain of three
    /// instead of seven, so that more of the neighbouring vectors' work overlaps.
    #[inline(always)]
    pub(crate) fn estrin<V: Single>(&'static self, x: V, square: V) -> V {
        let c = self.vectors::<V>();
        let low = c(3).mul_add(x, c(2)).mul_add(square, c(1).mul_add(x, c(0)));
        let high = c(7).mul_add(x, c(6)).mul_add(square, c(5).mul_add(x, c(4)));
        high.mul_add(square * square, low)
    }
}

/// The same reference, through an empty piece of assembly.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(clippy::pointers_in_nomem_asm_block)] // The assembly has no instruction, so it reads no memory.
fn opaque<T>(reference: &'static T) -> &'static T {
    let mut address: *const T = reference;
    // SAFETY: the assembly is empty, so it leaves the address, all memory, the stack and the flags as
    // they were; the address is still that of the `'static` referent.
    unsafe {
        std::arch::asm!("/* {0} */", inout(reg) address, options(pure, nomem, nostack, preserves_flags));
        &*address
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn opaque<T>(reference: &'static T) -> &'static T {
    reference
}
