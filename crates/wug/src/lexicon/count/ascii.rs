//! Sixteen ASCII letters at a time, in one register.

/// One in every byte.
const ONES: u128 = u128::from_le_bytes([1; 16]);
const HIGH: u128 = 0x80 * ONES;
/// The bit by which small ASCII letters differ from capital ones.
const SMALL: u128 = 0x20 * ONES;

/// The ASCII letters at the start of the window: how many there are, and the letters themselves in the low bytes of
/// a number, small ones if not `keep_case`, with zeros above.
#[inline]
pub(crate) fn leading_letters(window: [u8; 16], keep_case: bool) -> (usize, u128) {
    let bytes = u128::from_le_bytes(window);
    let small = (bytes & !HIGH) | SMALL;
    // In seven bits nothing carries over to the next byte: the high bit tells whether a byte reaches the bound.
    let reaches = |bound: u8| small + u128::from(0x80 - bound) * ONES;
    let letters = reaches(b'a') & !reaches(b'z' + 1) & !bytes & HIGH;
    let length = ((letters ^ HIGH).trailing_zeros() / 8).min(16) as usize;
    let used = if length == 16 { u128::MAX } else { (1 << (8 * length)) - 1 };
    (length, (if keep_case { bytes } else { bytes | SMALL }) & used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn letters_are_those_of_the_standard_library(window: [u8; 16], letters in "[a-zA-Z]{0,16}", keep_case: bool) {
            let mut window = window;
            window[..letters.len()].copy_from_slice(letters.as_bytes());
            let (length, key) = leading_letters(window, keep_case);
            prop_assert_eq!(length, window.iter().take_while(|byte| byte.is_ascii_alphabetic()).count());
            let mut expected = [0; 16];
            expected[..length].copy_from_slice(&window[..length]);
            if !keep_case {
                expected.make_ascii_lowercase();
            }
            prop_assert_eq!(key.to_le_bytes(), expected);
        }
    }

    #[test]
    fn every_byte_in_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..16 {
                let mut window = [b'Q'; 16];
                window[place] = byte;
                let expected = if byte.is_ascii_alphabetic() { 16 } else { place };
                assert_eq!(leading_letters(window, false).0, expected, "{byte:#x} at {place}");
            }
        }
    }
}
