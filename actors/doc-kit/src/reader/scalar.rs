//! The core schema of YAML 1.2 (§10.3.2): what a plain scalar means, with numbers kept digit for digit.

use std::str::FromStr as _;

use serde_json::Number;

use super::Limits;

/// The meaning of a plain scalar.
#[derive(Debug, PartialEq)]
pub(super) enum Plain {
    Null,
    Bool(bool),
    Number(Number),
    /// `.inf` or `.nan`: no JSON number.
    NotFinite,
    /// A number over the limits.
    TooLong,
    Text,
}

/// Resolves a plain scalar without a tag.
pub(super) fn resolve(text: &str, limits: &Limits) -> Plain {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Plain::Null,
        "true" | "True" | "TRUE" => return Plain::Bool(true),
        "false" | "False" | "FALSE" => return Plain::Bool(false),
        _ => {}
    }
    match text.as_bytes()[0] {
        b'0'..=b'9' | b'+' | b'-' | b'.' => {}
        _ => return Plain::Text,
    }
    match number_spelling(text) {
        Some(Spelling::NotFinite) => Plain::NotFinite,
        Some(_) if text.len() > limits.number_chars_max => Plain::TooLong,
        Some(Spelling::Decimal { exponent, .. }) if !exponent_fits(exponent, limits) => Plain::TooLong,
        Some(spelling) => Number::from_str(&spelling.to_json()).map_or(Plain::Text, Plain::Number),
        None => Plain::Text,
    }
}

/// The core-schema tags that may be put on a scalar, and whether the content fits (`!!int 12` does, `!!int x` not).
pub(super) fn fits_tag(tag: &str, plain: &Plain, text: &str) -> bool {
    match (tag, plain) {
        ("null", Plain::Null) | ("bool", Plain::Bool(_)) => true,
        ("int", Plain::Number(_) | Plain::TooLong) => match number_spelling(text) {
            Some(Spelling::Radix { .. }) => true,
            Some(Spelling::Decimal {
                fraction, exponent, ..
            }) => fraction.is_none() && exponent.is_none(),
            _ => false,
        },
        ("float", Plain::Number(_) | Plain::TooLong | Plain::NotFinite) => {
            !matches!(number_spelling(text), Some(Spelling::Radix { .. }))
        }
        _ => false,
    }
}

enum Spelling<'a> {
    Radix {
        radix: u8,
        digits: &'a str,
    },
    Decimal {
        negative: bool,
        whole: &'a str,
        fraction: Option<&'a str>,
        exponent: Option<&'a str>,
    },
    NotFinite,
}

fn number_spelling(text: &str) -> Option<Spelling<'_>> {
    for (prefix, radix) in [("0o", 8_u8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let all = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(u32::from(radix)));
            return all.then_some(Spelling::Radix { radix, digits });
        }
    }
    let (negative, unsigned) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Spelling::NotFinite);
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    let exponent_fits = exponent.is_none_or(|exponent| {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !unsigned.is_empty() && digits(unsigned)
    });
    let fits = has_digits && digits(whole) && fraction.is_none_or(digits) && exponent_fits;
    fits.then_some(Spelling::Decimal {
        negative,
        whole,
        fraction,
        exponent,
    })
}

fn exponent_fits(exponent: Option<&str>, limits: &Limits) -> bool {
    exponent.is_none_or(|text| {
        text.parse::<i64>()
            .is_ok_and(|exponent| (-limits.exponent_max..=limits.exponent_max).contains(&exponent))
    })
}

impl Spelling<'_> {
    /// The same number as JSON spells it: no leading zeros, no `+`, a digit on both sides of the point.
    fn to_json(&self) -> String {
        match self {
            Self::NotFinite => String::new(),
            Self::Radix { radix, digits } => to_decimal(digits, *radix),
            Self::Decimal {
                negative,
                whole,
                fraction,
                exponent,
            } => {
                let sign = if *negative { "-" } else { "" };
                let whole = match whole.trim_start_matches('0') {
                    "" => "0",
                    digits => digits,
                };
                let mut text = format!("{sign}{whole}");
                if let Some(fraction) = fraction.filter(|fraction| !fraction.is_empty()) {
                    text.push('.');
                    text.push_str(fraction);
                }
                if let Some(exponent) = exponent {
                    text.push('e');
                    text.push_str(exponent);
                }
                text
            }
        }
    }
}

/// Base 8 or 16 to base 10 for numbers of any length (the caller has bounded it).
fn to_decimal(digits: &str, radix: u8) -> String {
    let mut decimal: Vec<u8> = vec![0]; // Least significant digit first.
    for digit in digits
        .chars()
        .filter_map(|digit| digit.to_digit(u32::from(radix)))
    {
        let mut carry = digit;
        for place in &mut decimal {
            let value = u32::from(*place) * u32::from(radix) + carry;
            *place = (value % 10) as u8;
            carry = value / 10;
        }
        while carry > 0 {
            decimal.push((carry % 10) as u8);
            carry /= 10;
        }
    }
    decimal
        .iter()
        .rev()
        .map(|digit| char::from(b'0' + digit))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Plain, resolve};
    use crate::reader::Limits;

    fn check(text: &str, expected: &str) {
        let found = match resolve(text, &Limits::default()) {
            Plain::Null => "null".to_owned(),
            Plain::Bool(value) => value.to_string(),
            Plain::Number(number) => number.to_string(),
            Plain::NotFinite => "not finite".to_owned(),
            Plain::TooLong => "too long".to_owned(),
            Plain::Text => "text".to_owned(),
        };
        assert_eq!(found, expected, "{text}");
    }

    /// YAML 1.2.2 §10.3.2, and the table of cases where other readers leave it.
    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for word in [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "n",
            "nUll",
            "tRUE",
            "12:30:45",
            "2026-01-31",
            "1_000",
            "0b101",
        ] {
            check(word, "text");
        }
        for text in [
            "-0x1F", "+0o7", "0o8", "0xG", "0x", "+", "-", ".", "e3", "1e", "1e+", "1.2.3", "-.", "+.nan",
            "1 2",
        ] {
            check(text, "text");
        }
        for (text, expected) in [
            ("", "null"),
            ("~", "null"),
            ("NULL", "null"),
            ("True", "true"),
            ("FALSE", "false"),
            ("0o14", "12"),
            ("0o17", "15"),
            ("0xFF", "255"),
            ("0x1f", "31"),
            ("0xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"),
            ("017", "17"),
            ("-017", "-17"),
            ("+5", "5"),
            ("000", "0"),
            ("-0", "-0"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5"),
            ("5.e3", "5e+3"),
            ("1e3", "1e+3"),
            ("1.50", "1.50"),
            ("12345678901234567890.123456789", "12345678901234567890.123456789"),
            (".inf", "not finite"),
            ("-.INF", "not finite"),
            (".NaN", "not finite"),
            ("1e1001", "too long"),
            ("1e-99999999999999999999", "too long"),
        ] {
            check(text, expected);
        }
        check(&"9".repeat(257), "too long");
        check(&"9".repeat(256), &"9".repeat(256));
    }
}
