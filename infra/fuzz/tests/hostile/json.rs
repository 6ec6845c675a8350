//! The guard before JSON.

use doc_kit::json_guard::{GuardKind, Limits, check};

use crate::{LARGEST, filled, within};

/// Every key of an object is kept until its end, the only thing that is.
#[track_caller]
fn refusal(text: &[u8]) -> Option<GuardKind> {
    let verdict = within(text.len(), 100, 200, || check(text, &Limits::default()));
    verdict.err().map(|problem| problem.kind)
}

#[test]
fn a_mebibyte_of_one_thing_costs_little() {
    for text in [
        "[", "]", "{", "}", "[]", "{}", "{\"a\":", "{\"a\":[", "[{},", "[[],", "\"", "\"\"", "\\", "\\u",
        ",", ":", "-", "0", "1", "e", ".", " ", "\n", "\t", "true", "null", "a", "é", "\u{feff}", "\u{0}",
        "\"a\":1,", "/",
    ] {
        for opening in ["", "[", "{", "{\"a\":[", "{\"a\":\"", "{\"a\":", "{\"a\":1"] {
            assert!(
                refusal(format!("{opening}{}", filled(text, LARGEST)).as_bytes()).is_some()
                    || text.trim().parse::<u8>().is_err()
            );
        }
    }
}

#[test]
fn objects_and_arrays_are_64_deep_and_no_deeper() {
    let arrays = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    let objects = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    assert_eq!(refusal(arrays(64).as_bytes()), None);
    assert_eq!(refusal(objects(64).as_bytes()), None);
    for depth in [65, 10_000, 100_000] {
        assert_eq!(
            refusal(arrays(depth).as_bytes()),
            Some(GuardKind::TooDeep),
            "{depth}"
        );
        assert_eq!(
            refusal(objects(depth).as_bytes()),
            Some(GuardKind::TooDeep),
            "{depth}"
        );
    }
}

#[test]
fn many_keys_are_compared_without_much_work() {
    let members: Vec<String> = (0..60_000).map(|index| format!("\"k{index}\":{index}")).collect();
    let object = format!("{{{}}}", members.join(","));
    assert_eq!(refusal(object.as_bytes()), None);
    let twice = format!("{{{},\"k\\u0030\":1}}", members.join(","));
    assert_eq!(refusal(twice.as_bytes()), Some(GuardKind::DuplicateKey));
}

#[test]
fn what_would_mislead_the_library_or_the_database_is_refused() {
    for (text, kind) in [
        (
            &br#"{"$serde_json::private::Number":"1"}"#[..],
            GuardKind::ReservedKey,
        ),
        (
            br#"{"\u0024serde_json::private::Number":"1"}"#,
            GuardKind::ReservedKey,
        ),
        (
            br#"{"a":{"$serde_json\u003a:private::RawValue":"1"}}"#,
            GuardKind::ReservedKey,
        ),
        (br#"{"a":1,"\u0061":2}"#, GuardKind::DuplicateKey),
        (br#"{"a":1e999999999}"#, GuardKind::ExponentTooLarge),
        (br#"{"a":1e-1001}"#, GuardKind::ExponentTooLarge),
        (br#"{"a":"\u0000"}"#, GuardKind::NulCharacter),
        (br#"{"a":"\ud800"}"#, GuardKind::LoneSurrogate),
        (b"\xef\xbb\xbf{}", GuardKind::Syntax),
        (b"{\"a\":\"\xff\"}", GuardKind::NotUtf8),
        (b"[{}]", GuardKind::Batch),
    ] {
        assert_eq!(refusal(text), Some(kind), "{}", String::from_utf8_lossy(text));
    }
    let digits = format!("{{\"a\":{}}}", "9".repeat(1_000_000));
    assert_eq!(refusal(digits.as_bytes()), Some(GuardKind::NumberTooLong));
    let large = vec![b' '; Limits::default().bytes_max + 1];
    assert_eq!(refusal(&large), Some(GuardKind::TooLarge));
}
