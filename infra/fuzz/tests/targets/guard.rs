//! The JSON guard against `serde_json`, and canonical JSON behind it.

use std::collections::BTreeSet;

use bolero::check;
use doc_kit::canonical::{jcs, sorted};
use doc_kit::json_guard::{self, Limits, RESERVED_PREFIX};
use doc_kit::number::Decimal;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use crate::guard::members::Members;

mod members;

const PHRASES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"a\"",
    "\"a\":",
    "\"\\u0061\":",
    "\"b\":",
    "{\"a\":",
    " ",
    "\n",
    "\t",
    "\r",
    "\\",
    "\\u0000",
    "\\ud800",
    "\\udc00",
    "\\ud83d\\ude00",
    "\\n",
    "\\u",
    "\u{7f}",
    "\u{0}",
    "\u{1}",
    "é",
    "𝄞",
    "\u{feff}",
    "0",
    "1",
    "-",
    "-0",
    "0.",
    "0.5",
    ".5",
    "e",
    "E+",
    "1e5",
    "1E1000",
    "1e1001",
    "1e-0000000001",
    "1e999999999999",
    "12345678901234567890",
    "1.10",
    "01",
    "true",
    "false",
    "null",
    "nul",
    "Infinity",
    "\"$serde_json::private::Number\":",
    "\"\\u0024serde_json::private::Number\":\"1\"",
    "\"$serde_json::private::RawValue\":",
    "\"1.5\"",
    "\"$serde_json\":",
    "{}",
    "[]",
    "{\"a\":1,\"a\":2}",
    "9999999999999999",
    "//",
    "'",
];

#[test]
fn guard() {
    check!().for_each(|input: &[u8]| {
        let bytes = fuzz::spell(input, PHRASES);
        let limits = Limits::default();
        let verdict = json_guard::check(&bytes, &limits);
        assert_eq!(verdict.is_ok(), takes(&bytes, &limits), "{verdict:?}");
        match verdict {
            Err(problem) => {
                assert!(problem.offset <= bytes.len(), "{problem:?}");
                assert_eq!(
                    problem.path.is_some(),
                    problem.kind.is_about_content(),
                    "{problem:?}"
                );
            }
            Ok(()) => canonical(&bytes),
        }
    });
}

/// What the guard must take: what `serde_json` takes, without what the guard's documentation refuses.
fn takes(bytes: &[u8], limits: &Limits) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let Ok(value) = serde_json::from_str::<&RawValue>(text) else {
        return false;
    };
    !value.get().starts_with('[') && value_is_taken(value.get(), limits, 0)
}

fn value_is_taken(text: &str, limits: &Limits, around: usize) -> bool {
    match text.as_bytes().first() {
        Some(b'{') => {
            let Ok(Members(members)) = serde_json::from_str(text) else {
                return false;
            };
            let keys: BTreeSet<_> = members.iter().map(|(key, _)| key).collect();
            around < limits.depth_max
                && keys.len() == members.len()
                && keys
                    .iter()
                    .all(|key| !key.starts_with(RESERVED_PREFIX) && !key.contains('\0'))
                && members
                    .iter()
                    .all(|(_, value)| value_is_taken(value.get(), limits, around + 1))
        }
        Some(b'[') => {
            let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) else {
                return false;
            };
            around < limits.depth_max
                && items
                    .iter()
                    .all(|item| value_is_taken(item.get(), limits, around + 1))
        }
        Some(b'"') => serde_json::from_str::<String>(text).is_ok_and(|string| !string.contains('\0')),
        Some(b'-' | b'0'..=b'9') => number_is_taken(text, limits),
        _ => true,
    }
}

fn number_is_taken(text: &str, limits: &Limits) -> bool {
    let (_, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let power = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
    let small = power.is_empty()
        || power
            .parse::<u32>()
            .is_ok_and(|power| power <= limits.exponent_max);
    text.len() <= limits.number_chars_max && small && is_read_digit_for_digit(text)
}

/// Not a question but a claim: `serde_json` keeps the number as it is written, but for the spelling of `e`.
fn is_read_digit_for_digit(text: &str) -> bool {
    let number: Number = serde_json::from_str(text).expect("a number");
    let digits = |text: &str| text.split(['e', 'E']).next().map(str::to_owned);
    assert_eq!(digits(number.as_str()), digits(text));
    assert_eq!(Decimal::parse(number.as_str()), Decimal::parse(text));
    true
}

/// Both canonical forms are read again as what they were made of.
fn canonical(bytes: &[u8]) {
    let value: Value = serde_json::from_slice(bytes).expect("the guard took it");
    let text = sorted(&value);
    json_guard::check(text.as_bytes(), &Limits::default()).expect("sorted text passes the guard");
    assert_eq!(
        serde_json::from_str::<Value>(&text).ok(),
        Some(value.clone()),
        "{text}"
    );
    let text = jcs(&value);
    let again: Value = serde_json::from_str(&text).expect("canonical text is JSON");
    assert_eq!(jcs(&again), text);
}
