//! Numbers of half precision (IEEE 754 binary16): a sign, five bits of exponent, ten of fraction.

/// The nearest numbers of half precision, ties to even; none if one is too large or no number.
pub(super) fn encode(numbers: &[f32]) -> Option<Vec<u16>> {
    numbers.iter().map(|&number| nearest(number)).collect()
}

fn nearest(number: f32) -> Option<u16> {
    let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
    let size = number.abs();
    // The first that would round to 2¹⁶.
    if size.is_nan() || size >= 65_520.0 {
        return None;
    }
    // Adding a power of two leaves as many bits of the fraction as there is room for, rounded by the processor. Numbers below
    // 2⁻¹⁴ have a fixed step of 2⁻²⁴.
    let exponent = (size.to_bits() >> 23).max(127 - 14);
    let shifter = f32::from_bits((exponent + 13) << 23);
    let rounded = (size + shifter) - shifter;
    let bits = if rounded < f32::from_bits((127 - 14) << 23) {
        (rounded * (1 << 24) as f32) as u32
    } else {
        (rounded.to_bits() >> 13) - ((127 - 15) << 10)
    };
    Some(sign | bits as u16)
}

/// The number of these bytes, little endian, exactly.
pub(super) fn decode(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let sign = (bits & 0x8000) << 16;
    let size = match (bits >> 10) & 0x1f {
        0 => (bits & 0x3ff) as f32 / (1 << 24) as f32,
        0x1f => f32::from_bits(0x7f80_0000 | (bits & 0x3ff) << 13),
        _ => f32::from_bits(((bits & 0x7fff) << 13) + ((127 - 15) << 23)),
    };
    f32::from_bits(size.to_bits() | sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(bits: u16) -> f32 {
        decode(bits.to_le_bytes())
    }

    #[test]
    fn every_number_survives() {
        for bits in 0..=u16::MAX {
            let number = value(bits);
            if bits & 0x7c00 == 0x7c00 {
                assert!(!number.is_finite() && nearest(number).is_none());
            } else {
                // The definition.
                let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff) / 1024.0);
                let size = match exponent {
                    0 => fraction * 2_f64.powi(-14),
                    _ => (1.0 + fraction) * 2_f64.powi(exponent - 15),
                };
                assert_eq!(f64::from(number.abs()), size, "{bits:#x}");
                assert_eq!(nearest(number), Some(bits));
            }
        }
        assert_eq!(nearest(65_519.9), Some(0x7bff));
        assert_eq!(nearest(65_520.0), None);
        assert_eq!(nearest(f32::MIN_POSITIVE), Some(0));
    }

    /// Half-way between two neighbours, the one with an even last bit.
    #[test]
    fn ties_go_to_even() {
        for bits in 0..0x7bff_u16 {
            let middle = f32::midpoint(value(bits), value(bits + 1));
            let even = if bits % 2 == 0 { bits } else { bits + 1 };
            assert_eq!(nearest(middle), Some(even), "{bits:#x}");
        }
    }

    proptest! {
        #[test]
        fn the_nearest_is_taken(number in -65_519.0_f32..65_519.0, scale in 0..40) {
            let number = number * 0.5_f32.powi(scale);
            let found = nearest(number).unwrap();
            let error = (f64::from(value(found)) - f64::from(number)).abs();
            for other in [found.wrapping_sub(1), found + 1] {
                let other = f64::from(value(other));
                prop_assert!(!other.is_finite() || error <= (other - f64::from(number)).abs());
            }
        }
    }
}
