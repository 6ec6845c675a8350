//! Decoding what is stored.

use bolero::check;
use run_core::stored::{self, KINDS};

const PHRASES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "null",
    "true",
    "0",
    "1",
    "-1",
    "1e400",
    "18446744073709551616",
    "\"a\"",
    "\"step\":\"a\"",
    "\"v1\":",
    "\"by\":\"server\"",
    "\"by\":\"a_01M8Q68VCC4AD74ZX9M765FC6E\"",
    "\"by\":\"u_01M8Q68VCC4AD74ZX9M765FC6E\"",
    "\"then\":",
    "\"moves\":[",
    "\"memory\":",
    "\"opens\":",
    "\"then\":{\"moves\":[]}",
    "\"item\":",
    "\"handoff\":",
    "\"record\":",
    "\"output\":{",
    "\"evidence\":[",
    "\"summary\":\"s\"",
    "\"note\":\"n\"",
    "\"key\":",
    "\"until\":",
    "\"at\":1",
    "\"$serde_json::private::Number\":\"1\"",
    "\"$serde_json::private::RawValue\":\"1\"",
    "\\u0000",
    "é",
];

#[test]
fn stored_forms() {
    check!().for_each(|input: &[u8]| {
        let Some((first, rest)) = input.split_first() else {
            return;
        };
        let bytes = fuzz::spell(rest, PHRASES);
        if let Ok(json) = std::str::from_utf8(&bytes) {
            holds(usize::from(*first), json);
        }
    });
}

/// What can be read is what would be written; anything else is an error.
fn holds(which: usize, json: &str) {
    let kind = KINDS[which % KINDS.len()];
    if let Ok(event) = stored::decode(kind, 1, 7, 0, json) {
        let written = stored::encode(&event);
        assert_eq!(written.kind, kind);
        let again = stored::decode(kind, written.version, 7, 0, &written.json);
        assert_eq!(again.ok(), Some(event), "{json} {}", written.json);
    }
    if let Ok(item) = stored::decode_item(json) {
        assert_eq!(
            stored::decode_item(&stored::encode_item(&item)).ok(),
            Some(item),
            "{json}"
        );
    }
    if let Ok(handoff) = stored::decode_handoff(json) {
        assert_eq!(
            stored::decode_handoff(&stored::encode_handoff(&handoff)).ok(),
            Some(handoff),
            "{json}"
        );
    }
}
