//! Whole numbers as JSON Schema counts them: by value, not by spelling.

use serde_json::Number;

/// Digits after which no argument of ours is still within its limits.
const DIGITS_MAX: usize = 18;

/// The value of a JSON number that is a whole number, also one written `20.0` or `2e1`; `None` for every other number
/// and for one of more than 18 digits.
pub fn whole(number: &Number) -> Option<i64> {
    let text = number.to_string();
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text.as_str(), 0),
    };
    let (sign, unsigned) = mantissa
        .strip_prefix('-')
        .map_or((1, mantissa), |rest| (-1, rest));
    let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{integer}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    let significant = digits.trim_end_matches('0');
    let trailing_zeros = digits.len() - significant.len();
    let zeros =
        i64::from(exponent) + i64::try_from(trailing_zeros).ok()? - i64::try_from(fraction.len()).ok()?;
    let zeros = usize::try_from(zeros).ok()?;
    if significant.len().saturating_add(zeros) > DIGITS_MAX {
        return None;
    }
    let value: i64 = format!("{significant}{}", "0".repeat(zeros)).parse().ok()?;
    Some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_whole_however_it_is_written() {
        let cases = [
            ("20", Some(20)),
            ("20.0", Some(20)),
            ("2e1", Some(20)),
            ("0.2e2", Some(20)),
            ("200e-1", Some(20)),
            ("-0", Some(0)),
            ("0.000", Some(0)),
            ("-7", Some(-7)),
            ("20.5", None),
            ("5e-1", None),
            ("1e400", None),
            ("1e99999999999", None),
            ("9007199254740991", Some(9_007_199_254_740_991)),
            ("1234567890123456789", None),
        ];
        for (text, expected) in cases {
            let number: Number = serde_json::from_str(text).expect("a JSON number");
            assert_eq!(whole(&number), expected, "{text}");
        }
    }
}
