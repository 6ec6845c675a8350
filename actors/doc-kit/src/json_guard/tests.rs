use proptest::prelude::*;
use serde_json::Value;

use super::{GuardKind, Limits, check};

fn found(text: &str) -> Option<(GuardKind, usize, Option<String>)> {
    check(text.as_bytes(), &Limits::default())
        .err()
        .map(|problem| (problem.kind, problem.offset, problem.path))
}

fn refused(text: &str, kind: GuardKind, path: &str) {
    let found = found(text).map(|(kind, _, path)| (kind, path.unwrap_or_default()));
    assert_eq!(found, Some((kind, path.to_owned())), "{text}");
}

#[test]
fn ordinary_json_passes() {
    for text in [
        "null",
        " {\"a\" : [1, -0.5e+10, true, false, null, \"x\\n\\u00e9\\ud83d\\ude00\"], \"b\":{} , \"c\":[]}\r\n\t",
        "\"\"",
        "-0",
        "1e1000",
        "1e-1000",
        "{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":1}]}",
        "{\"$serde_json\":1,\"x$serde_json::private::Number\":2}",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn broken_json_is_a_syntax_problem_at_its_offset() {
    for (text, offset) in [
        ("", 0),
        ("{", 1),
        ("{\"a\"}", 4),
        ("{\"a\":1,}", 7),
        ("[1,]", 3),
        ("[1 2]", 3),
        ("{\"a\":1]", 6),
        ("1 2", 2),
        ("01", 1),
        ("1.", 2),
        ("-", 1),
        ("1e", 2),
        ("+1", 0),
        ("nul", 0),
        ("NaN", 0),
        ("'a'", 0),
        ("\"a", 2),
        ("\"\\x\"", 2),
        ("\"\\u12g4\"", 5),
        ("\"\t\"", 1),
        ("\u{feff}1", 0),
        ("{} x", 3),
        ("{a:1}", 1),
    ] {
        assert_eq!(found(text), Some((GuardKind::Syntax, offset, None)), "{text}");
    }
}

#[test]
fn syntax_outranks_content() {
    assert_eq!(
        found("{\"a\":1,\"a\":2}}").map(|(kind, _, _)| kind),
        Some(GuardKind::Syntax)
    );
    assert_eq!(
        found("[\"\\u0000\"").map(|(kind, _, _)| kind),
        Some(GuardKind::Syntax)
    );
}

#[test]
fn duplicate_keys_are_found_after_unescaping() {
    refused("{\"a\":1,\"b\":2,\"a\":3}", GuardKind::DuplicateKey, "a");
    refused(
        "{\"p\":[0,{\"a\":1,\"\\u0061\":3}],\"q\":1}",
        GuardKind::DuplicateKey,
        "p[1].a",
    );
    let (_, offset, _) = found("{\"a\":1,\"a\":3}").expect("refused");
    assert_eq!(offset, 7);
}

#[test]
fn private_keys_of_the_library_are_reserved() {
    refused(
        "{\"x\":{\"$serde_json::private::Number\":\"1.5\"}}",
        GuardKind::ReservedKey,
        "x[\"$serde_json::private::Number\"]",
    );
    refused(
        "{\"\\u0024serde_json::private::RawValue\":\"{}\"}",
        GuardKind::ReservedKey,
        "[\"$serde_json::private::RawValue\"]",
    );
}

#[test]
fn text_that_the_database_refuses_is_named_by_its_path() {
    refused(
        "{\"params\":{\"arguments\":{\"note\":\"a\\u0000b\"}}}",
        GuardKind::NulCharacter,
        "params.arguments.note",
    );
    refused("{\"a\":[0,[\"\\ud800\"]]}", GuardKind::LoneSurrogate, "a[1][0]");
    refused("{\"a\":\"\\udc00\\ud800\"}", GuardKind::LoneSurrogate, "a");
    refused("{\"a\":\"\\ud800\\u0041\"}", GuardKind::LoneSurrogate, "a");
    refused(
        "{\"b\":1,\"a\\u0000\":\"x\"}",
        GuardKind::NulCharacter,
        "[\"a\\u0000\"]",
    );
    refused(
        "{\"a\":{\"b\":1},\"c\":{\"\\ud800\":1}}",
        GuardKind::LoneSurrogate,
        "c[\"\u{fffd}\"]",
    );
}

#[test]
fn numbers_are_bounded() {
    refused(
        &format!("{{\"n\":{}}}", "1".repeat(257)),
        GuardKind::NumberTooLong,
        "n",
    );
    assert_eq!(found(&"1".repeat(256)), None);
    refused("{\"n\":[1e1001]}", GuardKind::ExponentTooLarge, "n[0]");
    refused(
        "{\"n\":1E-99999999999999999999}",
        GuardKind::ExponentTooLarge,
        "n",
    );
}

#[test]
fn batch_is_a_kind_of_its_own() {
    refused("[{\"jsonrpc\":\"2.0\"}]", GuardKind::Batch, "");
    refused(" []", GuardKind::Batch, "");
}

#[test]
fn depth_is_bounded_without_recursion() {
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    assert_eq!(found(&nested(64)), None);
    assert_eq!(
        found(&nested(65)).map(|(kind, _, _)| kind),
        Some(GuardKind::TooDeep)
    );
    assert_eq!(
        found(&"[".repeat(1_000_000)).map(|(kind, _, _)| kind),
        Some(GuardKind::TooDeep)
    );
}

#[test]
fn size_and_encoding_are_checked_first() {
    let limits = Limits {
        bytes_max: 4,
        ..Limits::default()
    };
    assert_eq!(
        check(b"12345", &limits).map_err(|problem| problem.kind),
        Err(GuardKind::TooLarge)
    );
    assert_eq!(check(b"1234", &limits), Ok(()));
    let problem = check(b"\"\xff\"", &limits).expect_err("not UTF-8");
    assert_eq!((problem.kind, problem.offset), (GuardKind::NotUtf8, 1));
}

/// What `serde_json` says about a text, for the differences that the guard makes on purpose.
fn agrees_with_serde(text: &str) -> Result<(), TestCaseError> {
    let serde = serde_json::from_str::<Value>(text);
    match found(text) {
        None => prop_assert!(serde.is_ok(), "guard passes, serde_json refuses: {text}"),
        Some((GuardKind::Syntax, ..)) => {
            prop_assert!(serde.is_err(), "guard refuses, serde_json passes: {text}");
        }
        Some(_) => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn guard_agrees_with_serde_on_json_like_text(text in "[\\[\\]{}:,\"a0-2.eE+\\-\\\\untrfl \\t]{0,24}") {
        agrees_with_serde(&text)?;
    }

    #[test]
    fn guard_agrees_with_serde_on_mutated_json(
        position in any::<prop::sample::Index>(),
        replacement in "[\\[\\]{}:,\"\\\\u0-9a-f.eE+-]{0,3}",
    ) {
        let sample = r#"{"a":[1,-2.5e3,{"b":"x\u00e9\ud83d\ude00\n"},true,false,null],"c":{"d":{},"e":[]},"f":"\\\""}"#;
        let position = position.index(sample.len());
        let mut text = sample.to_owned();
        text.replace_range(position..=position, &replacement);
        agrees_with_serde(&text)?;
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = check(&bytes, &Limits::default());
    }
}
