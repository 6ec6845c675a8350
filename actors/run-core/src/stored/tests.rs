mod arbitrary;
mod samples;

use proptest::prelude::*;

use super::{KINDS, StoredError, decode, decode_handoff, decode_item, encode, encode_handoff, encode_item};
use crate::event::Event;
use samples::{AT, SAMPLES, at};

#[test]
fn every_released_form_is_read_and_written_again_as_it_was() {
    for (kind, text, event) in SAMPLES {
        let event = Event {
            seq: 7,
            at: at(0),
            kind: event(),
        };
        let read = decode(kind, 1, 7, AT, text.trim_end());
        assert_eq!(read.ok().as_ref(), Some(&event), "{kind}");
        let stored = encode(&event);
        assert_eq!(
            (stored.kind, stored.version, stored.json.as_str()),
            (*kind, 1, text.trim_end())
        );
    }
}

#[test]
fn every_kind_has_a_sample() {
    let sampled: Vec<_> = SAMPLES.iter().map(|(kind, _, _)| *kind).collect();
    assert_eq!(sampled, KINDS);
}

#[test]
fn rows_are_read_and_written_again_as_they_were() {
    let item = include_str!("../../samples/v1/rows/item.json").trim_end();
    assert_eq!(decode_item(item).ok(), Some(samples::item()));
    assert_eq!(encode_item(&samples::item()), item);
    let handoff = include_str!("../../samples/v1/rows/handoff.json").trim_end();
    assert_eq!(decode_handoff(handoff).ok(), Some(samples::handoff()));
    assert_eq!(encode_handoff(&samples::handoff()), handoff);
}

#[test]
fn an_unknown_form_is_told_from_an_unreadable_one() {
    for (kind, version) in [
        ("step_forgotten", 1),
        ("step_overdue", 2),
        ("", 1),
        ("step_overdue", 0),
    ] {
        let refused = decode(kind, version, 1, 0, r#"{"step":"a"}"#);
        assert!(
            matches!(refused, Err(StoredError::UnknownForm { .. })),
            "{kind} {version}"
        );
    }
    for json in [
        "",
        "{}",
        "null",
        r#"{"step":1}"#,
        r#"{"step":"a","more":1}"#,
        r#"{"step":"a"},"x":{}"#,
    ] {
        let refused = decode("step_overdue", 1, 1, 0, json);
        assert!(matches!(refused, Err(StoredError::Unreadable { .. })), "{json}");
    }
}

#[test]
fn a_memory_that_became_null_is_not_one_that_stayed() {
    for (json, memory) in [
        (r#"{"step":"a","then":{"moves":[]}}"#, None),
        (
            r#"{"step":"a","then":{"memory":null,"moves":[]}}"#,
            Some(serde_json::Value::Null),
        ),
    ] {
        let event = decode("wait_elapsed", 1, 2, 0, json).expect("a form as it is written");
        assert_eq!(
            event.kind.then().and_then(|(then, _)| then.memory.clone()),
            memory
        );
        assert_eq!(encode(&event).json, json);
    }
}

proptest! {
    #[test]
    fn what_is_stored_is_what_happened(event in arbitrary::event()) {
        let stored = encode(&event);
        let read = decode(stored.kind, stored.version, event.seq, event.at.as_millis(), &stored.json);
        prop_assert_eq!(read.ok(), Some(event));
    }

    #[test]
    fn a_row_shows_what_was_put_into_it(item in arbitrary::item()) {
        prop_assert_eq!(decode_handoff(&encode_handoff(&item.handoff)).ok(), Some(item.handoff.clone()));
        prop_assert_eq!(decode_item(&encode_item(&item)).ok(), Some(item));
    }
}
