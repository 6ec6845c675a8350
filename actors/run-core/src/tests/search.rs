use serde_json::json;

use super::world::map;
use crate::search::{InputWanted, input_digests};

/// Whether a run with this value of its field `x` is found by that one.
fn is_found((declared, value): (&str, &str), asked: &str) -> bool {
    let declared = map(serde_json::from_str(declared).expect("JSON"));
    let [value, asked] = [value, asked].map(|json| serde_json::from_str(json).expect("JSON"));
    let digests = input_digests(&declared, &map(json!({ "x": value, "y": 1 })));
    let wanted = InputWanted::new("x", &asked);
    wanted.any_of.iter().any(|digest| digests.contains(digest))
}

#[test]
fn inputs_are_equal_by_json_value() {
    for (value, asked, expected) in [
        ("2.5", "2.50", true),
        ("1e2", "100", true),
        ("-0", "0", true),
        ("12345678901234567890.10", "12345678901234567890.1", true),
        ("9007199254740993", "9007199254740992", false),
        ("1", "\"1\"", false),
        (r#"{"a": 1, "b": [2.0]}"#, r#"{"b": [2], "a": 1.0}"#, true),
        ("[1, 2]", "[2, 1]", false),
        ("true", "true", true),
        ("true", "false", false),
        (r#""Acme""#, r#""acme""#, false),
        (r#""a@b.example""#, r#""A@b.example""#, false),
    ] {
        let found = is_found((r#"{"x": "string"}"#, value), asked);
        assert_eq!(found, expected, "{value} {asked}");
    }
}

#[test]
fn persons_are_found_without_case_and_nothing_else_is() {
    let (mira, shouted) = (r#""Mira@example.com""#, r#""MIRA@EXAMPLE.COM""#);
    for declared in [
        r#"{"x": "person"}"#,
        r#"{"x": {"type": "person", "optional": true}}"#,
    ] {
        assert!(is_found((declared, mira), shouted), "{declared}");
        assert!(is_found((declared, mira), mira), "{declared}");
    }
    for declared in [
        "{}",
        r#"{"x": "string"}"#,
        r#"{"x": {"type": "string"}, "y": "person"}"#,
    ] {
        assert!(!is_found((declared, mira), shouted), "{declared}");
        assert!(is_found((declared, mira), mira), "{declared}");
    }
    let list = r#"{"x": {"type": "list", "items": "person"}}"#;
    assert!(!is_found((list, &format!("[{mira}]")), &format!("[{shouted}]")));
}

#[test]
fn the_field_counts_as_much_as_the_value() {
    let digests = input_digests(&map(json!({})), &map(json!({ "y": 1 })));
    let wanted = InputWanted::new("x", &json!(1));
    assert!(wanted.any_of.iter().all(|digest| !digests.contains(digest)));
}
