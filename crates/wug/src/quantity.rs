//! Large whole numbers as people write them.

use thiserror::Error;

/// A text that is no whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected a whole number such as 500000, 20M or 1.5M")]
pub struct NotAQuantity;

/// Reads a whole number with an optional factor k, M or G: `500000`, `500_000`, `20M`, `1.5M`, `2e6`.
///
/// # Errors
/// When the text is no number, the number is not whole (`1.9`, `0.0001k`), or it is beyond 64 bits.
///
/// ```
/// assert_eq!(wug::parse_quantity("1.5M"), Ok(1_500_000));
/// assert!(wug::parse_quantity("1.9").is_err());
/// ```
pub fn parse_quantity(text: &str) -> Result<u64, NotAQuantity> {
    exact(text).ok_or(NotAQuantity)
}

/// In decimal digits, so that nothing is rounded.
fn exact(text: &str) -> Option<u64> {
    let (text, factor) = match text.as_bytes().last()? {
        b'k' | b'K' => (&text[..text.len() - 1], 3),
        b'm' | b'M' => (&text[..text.len() - 1], 6),
        b'g' | b'G' => (&text[..text.len() - 1], 9),
        _ => (text, 0),
    };
    let (text, exponent) = match text.split_once(['e', 'E']) {
        Some((text, exponent)) => (text, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = [whole, fraction].concat().replace('_', "");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let places = i32::try_from(fraction.len()).ok()?;
    let power = exponent.checked_add(factor)?.checked_sub(places)?;
    let number: u64 = digits.parse().ok()?;
    let scale = 10_u64.checked_pow(power.unsigned_abs());
    match scale {
        _ if number == 0 => Some(0),
        Some(scale) if power >= 0 => number.checked_mul(scale),
        Some(scale) => number.is_multiple_of(scale).then(|| number / scale),
        None => None,
    }
}

/// The number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_and_exact() {
        for (text, expected) in [
            ("0", 0),
            ("7", 7),
            ("500_000", 500_000),
            ("20M", 20_000_000),
            ("1.5M", 1_500_000),
            ("0.29k", 290),
            ("1.10k", 1100),
            ("2.0", 2),
            ("2e6", 2_000_000),
            ("1.25e1k", 12_500),
            ("30e-1", 3),
            ("18446744073709551615", u64::MAX),
            ("0e999999", 0),
        ] {
            assert_eq!(parse_quantity(text), Ok(expected), "{text}");
        }
        for text in [
            "",
            ".",
            "M",
            "-1",
            "+1",
            "1.9",
            "1.0001k",
            "many",
            "nan",
            "1e",
            "1e99999999999",
            "1e2147483647G",
            "1.5e-2147483648",
            "18446744073709551616",
            "20000000000G",
            "1 M",
            "1.2.3",
            "ж",
            "1ж",
        ] {
            assert_eq!(parse_quantity(text), Err(NotAQuantity), "{text}");
        }
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        let numbers = [0, 7, 999, 1000, 46_430_473, u64::MAX];
        let expected = ["0", "7", "999", "1,000", "46,430,473", "18,446,744,073,709,551,615"];
        assert_eq!(numbers.map(grouped), expected);
    }
}
