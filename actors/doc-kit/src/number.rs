//! Decimal numbers compared and laid out by value, digit for digit, with no double in between.

use std::cmp::Ordering;

use serde_json::Number;

/// A decimal number in one form per value: `0.digits` times ten to the power of `point`.
///
/// `digits` has neither leading nor trailing zeros and is empty for zero, which is never negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: String,
    point: i32,
}

impl Decimal {
    /// Reads a JSON number. `None` when the text is not one, or when its exponent leaves 32 bits (the guards
    /// refuse exponents beyond 1000 long before).
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        if whole.is_empty()
            || !whole
                .bytes()
                .chain(fraction.bytes())
                .all(|byte| byte.is_ascii_digit())
        {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        if significant.is_empty() {
            return Some(Self {
                negative: false,
                digits: String::new(),
                point: 0,
            });
        }
        let leading_zeros = all.len() - significant.len();
        let point =
            i64::from(exponent) + i64::try_from(whole.len()).ok()? - i64::try_from(leading_zeros).ok()?;
        Some(Self {
            negative,
            digits: significant.trim_end_matches('0').to_owned(),
            point: i32::try_from(point).ok()?,
        })
    }

    /// True for a value without a fraction: `2`, `2.0` and `20e-1` alike.
    pub fn is_integer(&self) -> bool {
        self.digits.is_empty()
            || i64::from(self.point) >= i64::try_from(self.digits.len()).unwrap_or(i64::MAX)
    }

    /// The text that ECMAScript's Number-to-string rule gives for these digits (RFC 8785 §3.2.2.3).
    pub fn to_ecmascript(&self) -> String {
        if self.digits.is_empty() {
            return "0".to_owned();
        }
        let sign = if self.negative { "-" } else { "" };
        let digits = self.digits.as_str();
        let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
        match self.point {
            point @ 1..=21 if count <= point => {
                let zeros = usize::try_from(point - count).unwrap_or_default();
                format!("{sign}{digits}{}", "0".repeat(zeros))
            }
            point @ 1..=21 => {
                let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or_default());
                format!("{sign}{whole}.{fraction}")
            }
            point @ -5..=0 => {
                format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize))
            }
            point => {
                let (first, rest) = digits.split_at(1);
                let dot = if rest.is_empty() { "" } else { "." };
                let exponent = i64::from(point) - 1;
                format!("{sign}{first}{dot}{rest}e{exponent:+}")
            }
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (-1, -1) => other.cmp_magnitude(self),
            (1, 1) => self.cmp_magnitude(other),
            (mine, its) => mine.cmp(&its),
        }
    }
}

impl Decimal {
    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        self.point
            .cmp(&other.point)
            .then_with(|| self.digits.cmp(&other.digits))
    }
}

/// True when both numbers denote the same value: 2.5 and 2.50, 1e2 and 100.
pub fn same_value(one: &Number, other: &Number) -> bool {
    match (Decimal::parse(one.as_str()), Decimal::parse(other.as_str())) {
        (Some(one), Some(other)) => one == other,
        _ => one.as_str() == other.as_str(),
    }
}

/// True when the JCS form of the nearest double denotes the same decimal, so that a hash over RFC 8785 text
/// covers the number digit for digit (process.md §9.1).
pub fn survives_double(number: &Number) -> bool {
    let text = number.as_str();
    let Ok(double) = text.parse::<f64>() else {
        return false;
    };
    if !double.is_finite() {
        return false;
    }
    // The shortest digits that read back as the same double, and of two that are equally near the even ones: what ECMAScript, and
    // with it JCS, prints. The standard library takes the larger ones.
    let shortest = ryu_js::Buffer::new().format_finite(double).to_owned();
    match (Decimal::parse(&shortest), Decimal::parse(text)) {
        (Some(shortest), Some(given)) => shortest == given,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;
    use std::str::FromStr as _;

    use proptest::prelude::*;
    use serde_json::{Number, Value};

    use super::{Decimal, same_value, survives_double};

    fn number(text: &str) -> Number {
        Number::from_str(text).expect("the cases are JSON numbers")
    }

    #[test]
    fn arbitrary_precision_is_on() {
        let text = "12345678901234567890.10";
        let value: Value = serde_json::from_str(text).expect("a JSON number");
        assert_eq!(value.to_string(), text);
    }

    #[test]
    fn equality_is_by_value() {
        for (one, other, same) in [
            ("2.5", "2.50", true),
            ("1e2", "100", true),
            ("-0", "0.000", true),
            ("0.1", "1E-1", true),
            ("9007199254740993", "9007199254740992", false),
            ("1", "-1", false),
            ("1e400", "10e399", true),
        ] {
            assert_eq!(same_value(&number(one), &number(other)), same, "{one} {other}");
        }
    }

    #[test]
    fn order_is_by_value() {
        let ordered = [
            "-1e3", "-2.5", "-0.1", "0", "1e-7", "0.09", "0.1", "0.11", "2", "10",
        ];
        for pair in ordered.windows(2) {
            let (low, high) = (Decimal::parse(pair[0]), Decimal::parse(pair[1]));
            assert_eq!(low.cmp(&high), Ordering::Less, "{pair:?}");
        }
    }

    #[test]
    fn number_is_hashable_when_its_double_denotes_it() {
        for (text, expected) in [
            ("0.1", true),
            ("0.10", true),
            ("-0", true),
            ("1e21", true),
            ("9007199254740992", true),
            ("9007199254740993", false),
            ("1e400", false),
            ("1e-400", false),
            ("0.1000000000000000055", false),
            ("5e-324", true),
            ("1.7976931348623157e308", true),
            // Exactly 24320156052431.5625: two decimals of three places are equally near, and ECMAScript takes the even one.
            ("24320156052431.562", true),
            ("24320156052431.563", false),
        ] {
            assert_eq!(survives_double(&number(text)), expected, "{text}");
        }
    }

    #[test]
    fn integers_are_recognised_in_every_spelling() {
        for (text, expected) in [
            ("2", true),
            ("2.0", true),
            ("20e-1", true),
            ("0", true),
            ("2.5", false),
            ("1e-1", false),
        ] {
            assert_eq!(
                Decimal::parse(text).map(|decimal| decimal.is_integer()),
                Some(expected),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn layout_agrees_with_jcs_on_doubles(double in any::<f64>().prop_filter("finite", |double| double.is_finite())) {
            let printed = serde_jcs::to_string(&double).expect("it is finite");
            let decimal = Decimal::parse(&printed).map(|decimal| decimal.to_ecmascript());
            prop_assert_eq!(decimal.as_deref(), Some(printed.as_str()));
            prop_assert!(survives_double(&number(&printed)), "{}", printed);
        }
    }
}
