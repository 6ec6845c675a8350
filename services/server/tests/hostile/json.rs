//! JSON that must not reach what is behind the doors: at every entry the same texts are refused.

use crate::target::{CLOCK, DRAFTS, MCP, PUBLISH, target};

/// Every entry with the body that it takes when `VALUE` is a value in its own place, and the code of a body that it refuses.
const ENTRIES: [(&str, &str, &str); 5] = [
    (
        MCP,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"start_run","arguments":{"inputs":{"a":VALUE}}}}"#,
        "invalid",
    ),
    (
        MCP,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":VALUE}}}"#,
        "-32600",
    ),
    (DRAFTS, r#"{"source":VALUE}"#, "invalid"),
    (PUBLISH, r#"{"source":"---","roles":{"clerk":VALUE}}"#, "invalid"),
    (CLOCK, r#"{"advanceSeconds":VALUE}"#, "invalid"),
];

/// Values that are JSON to some readers, or to none.
fn values() -> Vec<(&'static str, Vec<u8>)> {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let texts = [
        ("65 arrays", nested(65)),
        ("10,000 arrays", nested(10_000)),
        (
            "10,000 objects",
            format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000)),
        ),
        ("a huge exponent", "1e5000".to_owned()),
        ("a huge exponent below zero", "1e-5000".to_owned()),
        ("an exponent beyond counting", "1e99999999999999999999".to_owned()),
        ("a number of 300 digits", "9".repeat(300)),
        ("a number of 1,000,000 digits", "9".repeat(1_000_000)),
        ("U+0000", r#""\u0000""#.to_owned()),
        ("half a pair", r#""\ud800""#.to_owned()),
        ("the other half", r#""\udc00""#.to_owned()),
        ("halves the wrong way round", r#""\udc00\ud800""#.to_owned()),
        ("a key twice", r#"{"a":1,"a":2}"#.to_owned()),
        ("a key twice, once escaped", r#"{"a":1,"\u0061":2}"#.to_owned()),
        (
            "a private key",
            r#"{"$serde_json::private::Number":"1"}"#.to_owned(),
        ),
        (
            "a private key, escaped",
            r#"{"\u0024serde_json::private::Number":"1"}"#.to_owned(),
        ),
        (
            "another private key",
            r#"{"$serde_json::private::RawValue":"1"}"#.to_owned(),
        ),
        ("a key with U+0000", r#"{"\u0000":1}"#.to_owned()),
    ];
    texts
        .into_iter()
        .map(|(case, text)| (case, text.into_bytes()))
        .collect()
}

/// Values that are no JSON.
fn nonsense() -> Vec<(&'static str, Vec<u8>)> {
    let texts: [(&str, &[u8]); 14] = [
        ("bytes that are not UTF-8", b"\"\xff\""),
        ("a letter in too many bytes", b"\"\xc0\xaf\""),
        ("half a pair in bytes", b"\"\xed\xa0\x80\""),
        ("a raw control character", b"\"\x01\""),
        ("no value", b""),
        ("NaN", b"NaN"),
        ("Infinity", b"-Infinity"),
        ("a leading zero", b"01"),
        ("a leading plus", b"+1"),
        ("a comment", b"1/**/"),
        ("a comma at the end", b"[1,]"),
        ("single quotes", b"'a'"),
        ("an unknown escape", br#""\x41""#),
        ("an end too many", b"1}}"),
    ];
    texts
        .into_iter()
        .map(|(case, text)| (case, text.to_vec()))
        .collect()
}

fn filled(body: &str, value: &[u8]) -> Vec<u8> {
    let (before, after) = body.split_once("VALUE").expect("a place");
    [before.as_bytes(), value, after.as_bytes()].concat()
}

#[test]
fn a_value_that_could_be_read_in_two_ways_or_stored_in_none_is_refused_at_every_entry() {
    let target = target();
    for (path, body, code) in ENTRIES {
        for (case, value) in values() {
            let answer = target.post(path, &filled(body, &value));
            // A tool's own refusal is an answer of the protocol.
            let status = if path == MCP && code == "invalid" {
                200
            } else {
                400
            };
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (status, code),
                "{path} {case}: {answer:?}"
            );
        }
    }
    target.is_unharmed();
}

#[test]
fn what_is_no_json_is_refused_at_every_entry() {
    let target = target();
    for (path, body, code) in ENTRIES {
        let code = if path == MCP { "-32700" } else { code };
        for (case, value) in nonsense() {
            let answer = target.post(path, &filled(body, &value));
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (400, code),
                "{path} {case}: {answer:?}"
            );
        }
        for (case, whole) in [
            ("a byte order mark", "\u{feff}{}".to_owned()),
            ("UTF-16", "\0{\0}".to_owned()),
            ("two documents", "{}{}".to_owned()),
            ("half of one", body[..body.len() / 2].to_owned()),
            ("1 MB of open brackets", "[".repeat(1 << 20)),
        ] {
            let answer = target.post(path, whole.as_bytes());
            assert_eq!(answer.status, 400, "{path} {case}: {answer:?}");
            assert!(!answer.code().is_empty(), "{path} {case}: {answer:?}");
        }
    }
    target.is_unharmed();
}

#[test]
fn a_batch_or_a_bare_value_is_refused_at_every_entry() {
    let target = target();
    for (path, body, _) in ENTRIES {
        let message = body.replace("VALUE", "\"a\"");
        let batch = format!("[{message},{message}]");
        for whole in [batch.as_str(), "[]", "7", "null", "true", "\"text\""] {
            let answer = target.post(path, whole.as_bytes());
            assert_eq!(answer.status, 400, "{path} {whole}: {answer:?}");
            assert!(!answer.code().is_empty(), "{path} {whole}: {answer:?}");
        }
    }
    target.is_unharmed();
}

/// 64 levels may be: the four of a call around `inputs`, and 60 inside.
#[test]
fn a_body_as_deep_as_may_be_is_read() {
    let target = target();
    let (_, body, _) = ENTRIES[0];
    for (depth, is_read) in [(60, true), (61, false)] {
        let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let answer = target.post(MCP, &filled(body, value.as_bytes()));
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(!text.contains("nested too deep"), is_read, "{depth}: {text}");
    }
}

#[test]
fn long_ids_and_texts_are_told_and_not_repeated_at_length() {
    let target = target();
    let long = "x".repeat(1 << 20);
    let id = format!(r#"{{"jsonrpc":"2.0","id":"{long}","method":"ping"}}"#);
    let request_id = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"claim","arguments":{{"runId":"{long}","stepId":"{long}","requestId":"{long}"}}}}}}"#
    );
    let tool = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{long}"}}}}"#);
    let method = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{long}"}}"#);
    let key = format!(r#"{{"{long}":1}}"#);
    for (path, body, most) in [
        (MCP, id, 2 << 20),
        (MCP, request_id, 8 << 10),
        (MCP, tool, 8 << 10),
        (MCP, method, 8 << 10),
        (DRAFTS, key, 8 << 10),
    ] {
        let answer = target.post(path, body.as_bytes());
        answer.json();
        assert!(
            answer.body.len() < most,
            "{path}: {} bytes to {:.90}",
            answer.body.len(),
            body
        );
    }
    target.is_unharmed();
}
