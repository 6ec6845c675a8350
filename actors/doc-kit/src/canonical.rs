//! Canonical JSON text, for digests.
//!
//! [`jcs`] is RFC 8785 with exact numbers: keys in UTF-16 order, no white space, numbers laid out by the
//! ECMAScript rule *from their own digits*. It differs from the RFC only for a literal that is not the shortest
//! form of a double, which the RFC rounds and we must not; documents refuse such numbers (process.md §9.1).
//! [`sorted`] is for arguments and snapshots: keys in byte order of their UTF-8, numbers as spelled, no white space.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use crate::number::Decimal;

/// RFC 8785 text of the value, with exact numbers.
pub fn jcs(value: &Value) -> String {
    let mut text = String::new();
    push_value(&mut text, value, Form::Jcs);
    text
}

/// The value without white space, keys in byte order, numbers as spelled.
pub fn sorted(value: &Value) -> String {
    let mut text = String::new();
    push_value(&mut text, value, Form::Sorted);
    text
}

/// [`sorted`] of an object, without wrapping it in a value first.
pub fn sorted_object(object: &Map<String, Value>) -> String {
    let mut text = String::new();
    push_object(&mut text, object, Form::Sorted);
    text
}

#[derive(Clone, Copy)]
enum Form {
    Jcs,
    Sorted,
}

fn push_value(text: &mut String, value: &Value, form: Form) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => push_number(text, number, form),
        Value::String(string) => push_string(text, string),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                push_value(text, item, form);
            }
            text.push(']');
        }
        Value::Object(object) => push_object(text, object, form),
    }
}

fn push_object(text: &mut String, object: &Map<String, Value>, form: Form) {
    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
    match form {
        // UTF-16 order differs from byte order only above U+FFFF, yet there it must be kept.
        Form::Jcs => entries.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16())),
        Form::Sorted => entries.sort_by_key(|(key, _)| *key),
    }
    text.push('{');
    for (index, (key, value)) in entries.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        push_string(text, key);
        text.push(':');
        push_value(text, value, form);
    }
    text.push('}');
}

fn push_number(text: &mut String, number: &Number, form: Form) {
    let spelled = number.as_str();
    match (form, Decimal::parse(spelled)) {
        (Form::Jcs, Some(decimal)) => text.push_str(&decimal.to_ecmascript()),
        _ => text.push_str(spelled),
    }
}

/// Appends a JSON string with the escapes of RFC 8785 §3.2.2.2, the shortest there are.
pub(crate) fn push_string(text: &mut String, string: &str) {
    text.push('"');
    let mut plain_from = 0;
    for (at, byte) in string.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            b'\t' => "\\t",
            b'\n' => "\\n",
            0x0c => "\\f",
            b'\r' => "\\r",
            0..0x20 => "",
            _ => continue,
        };
        text.push_str(&string[plain_from..at]);
        plain_from = at + 1;
        text.push_str(escape);
        if escape.is_empty() {
            let _ = write!(text, "\\u{byte:04x}"); // Writing to a string cannot fail.
        }
    }
    text.push_str(&string[plain_from..]);
    text.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::{jcs, sorted};

    fn value(text: &str) -> Value {
        serde_json::from_str(text).expect("the cases are JSON")
    }

    #[test]
    fn example_of_rfc_8785_3_2_4() {
        let source = r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
            "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#;
        // 333333333.33333329 keeps its digits here; the RFC would round it to ...3333.
        let expected = r#"{"literals":[null,true,false],"numbers":[333333333.33333329,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#;
        assert_eq!(jcs(&value(source)), expected);
    }

    #[test]
    fn keys_are_in_utf16_order_for_jcs_and_byte_order_for_sorted() {
        // U+1F600 is D83D DE00 in UTF-16, before U+FB33, and F0… in UTF-8, after EF….
        let source = "{\"\u{fb33}\":1,\"\u{1f600}\":2,\"a\":3}";
        assert_eq!(jcs(&value(source)), "{\"a\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}");
        assert_eq!(sorted(&value(source)), "{\"a\":3,\"\u{fb33}\":1,\"\u{1f600}\":2}");
    }

    #[test]
    fn sorted_keeps_numbers_as_spelled_and_jcs_keeps_their_digits() {
        let source = "[12345678901234567890.10,1.0,-0,1e400,100e-2]";
        assert_eq!(
            sorted(&value(source)),
            "[12345678901234567890.10,1.0,-0,1e+400,100e-2]"
        );
        assert_eq!(jcs(&value(source)), "[12345678901234567890.1,1,0,1e+400,1]");
    }

    proptest! {
        #[test]
        fn jcs_agrees_with_serde_jcs(value in json()) {
            prop_assert_eq!(jcs(&value), serde_jcs::to_string(&value).expect("serialisable"));
        }

        #[test]
        fn sorted_text_reads_back_as_the_same_value(value in json()) {
            let back: Value = serde_json::from_str(&sorted(&value)).expect("JSON");
            prop_assert_eq!(back, value);
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }
}
