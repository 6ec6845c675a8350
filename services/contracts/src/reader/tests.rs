use serde_json::Value;

use super::*;
use crate::{cancel, claim, decide, escalate, get_work, start_run, submit};

fn object(json: &str) -> Map<String, Value> {
    serde_json::from_str(json).expect("the case is a JSON object")
}

#[track_caller]
fn check<A: Read + std::fmt::Debug>(json: &str, expected: &[&str]) {
    let issues = decode::<A>(object(json)).map_or_else(|error| error.issues, |_| Vec::new());
    assert_eq!(issues, expected, "{json}");
}

#[test]
fn every_problem_is_told_at_once() {
    check::<claim::Arguments>(
        r#"{"runId": 1, "requestId": "", "step": "a"}"#,
        &[
            "arguments.runId: expected string",
            "arguments.stepId: missing",
            "arguments.requestId: 0 characters, expected at least 1",
            "arguments.step: not declared, did you mean stepId",
        ],
    );
    check::<submit::Arguments>(
        r#"{"token": null, "output": [], "evidence": [{"kind": "photo", "x": 1}, 7], "summary": "s",
            "next": {}, "requestId": "q"}"#,
        &[
            "arguments.token: expected string",
            "arguments.output: expected object",
            "arguments.evidence[0].kind: expected one of file, link",
            "arguments.evidence[0].ref: missing",
            "arguments.evidence[0].x: not declared",
            "arguments.evidence[1]: expected object with kind and ref",
            "arguments.next: expected string",
        ],
    );
}

#[test]
fn the_refusal_is_invalid_and_names_the_tool() {
    let refused = decode::<claim::Arguments>(Map::new()).expect_err("nothing was given");
    assert_eq!(refused.code, ErrorCode::Invalid);
    assert_eq!(
        refused.message,
        "The arguments of claim are not valid. It takes runId, stepId, requestId."
    );
}

#[test]
fn a_misspelled_argument_is_told_what_it_was_meant_to_be() {
    check::<claim::Arguments>(
        r#"{"run_id": "r", "StepID": "s", "requestId": "q", "request_id": "q"}"#,
        &[
            "arguments.runId: missing",
            "arguments.stepId: missing",
            "arguments.StepID: not declared, did you mean stepId",
            "arguments.request_id: not declared",
            "arguments.run_id: not declared, did you mean runId",
        ],
    );
}

#[test]
fn an_object_that_came_as_a_string_is_told_so() {
    check::<submit::Arguments>(
        r#"{"token": "t", "output": "{\"a\": 1}", "summary": "s", "requestId": "q"}"#,
        &["arguments.output: expected object, not a string that holds one"],
    );
}

#[test]
fn lengths_count_characters_and_not_bytes() {
    let claim = |characters: usize| {
        let id = "é".repeat(characters);
        format!(r#"{{"runId": "r", "stepId": "s", "requestId": "{id}"}}"#)
    };
    check::<claim::Arguments>(&claim(128), &[]);
    let too_long = "arguments.requestId: 129 characters, expected at most 128";
    check::<claim::Arguments>(&claim(129), &[too_long]);
}

#[test]
fn a_whole_number_is_taken_by_value_and_within_its_bounds() {
    check::<get_work::Arguments>(r#"{"limit": 1e2}"#, &[]);
    check::<get_work::Arguments>(r#"{"limit": 20.0}"#, &[]);
    for limit in ["0", "101", "2.5", "\"20\"", "null"] {
        let expected = "arguments.limit: expected whole number from 1 to 100";
        check::<get_work::Arguments>(&format!(r#"{{"limit": {limit}}}"#), &[expected]);
    }
}

#[test]
fn what_the_schema_allows_and_the_rule_does_not_is_invalid_as_the_specification_spells_it() {
    check::<cancel::Arguments>(
        r#"{"runId": "r", "reason": " \n", "requestId": "q"}"#,
        &["reason: required"],
    );
    check::<escalate::Arguments>(
        r#"{"token": "t", "note": "", "requestId": "q"}"#,
        &["note: required"],
    );
    // A blank summary is the step's to refuse (`not_accepted`).
    check::<submit::Arguments>(
        r#"{"token": "t", "output": {}, "summary": " ", "requestId": "q"}"#,
        &[],
    );
}

#[test]
fn a_decision_says_which_other_arguments_it_takes() {
    let cases: [(&str, &str, &[&str]); 9] = [
        (
            "completed",
            r#", "output": {}, "summary": "s", "next": "n", "reason": "r""#,
            &[],
        ),
        ("completed", r#", "note": "n""#, &["note: not with completed"]),
        ("approved", "", &[]),
        (
            "approved",
            r#", "note": "fine", "evidence": []"#,
            &["evidence: only with completed"],
        ),
        ("rejected", "", &["note: required"]),
        ("returned", r#", "note": "  ""#, &["note: required"]),
        ("failed", r#", "note": 5"#, &["arguments.note: expected string"]),
        (
            "failed",
            r#", "note": "n", "next": "n""#,
            &["next: only with completed"],
        ),
        (
            "undone",
            "",
            &["arguments.decision: expected one of completed, approved, rejected, returned, failed"],
        ),
    ];
    for (decision, rest, expected) in cases {
        let json = format!(
            r#"{{"runId": "r", "workItemId": "w", "snapshot": "s", "requestId": "q",
                "decision": "{decision}"{rest}}}"#
        );
        check::<decide::Arguments>(&json, expected);
    }
}

#[test]
fn next_and_reason_come_with_completed_alone() {
    for (decision, note) in [
        ("completed", ""),
        ("approved", ""),
        ("approved", r#", "note": "n""#),
        ("rejected", r#", "note": "n""#),
        ("returned", r#", "note": "n""#),
        ("failed", r#", "note": "n""#),
    ] {
        for (rest, issues) in [
            (r#", "next": "n""#, &["next: only with completed"][..]),
            (r#", "reason": "r""#, &["reason: only with completed"][..]),
            (
                r#", "next": "n", "reason": "r""#,
                &["next: only with completed", "reason: only with completed"][..],
            ),
        ] {
            let json = format!(
                r#"{{"runId": "r", "workItemId": "w", "snapshot": "s", "requestId": "q",
                    "decision": "{decision}"{note}{rest}}}"#
            );
            let expected = if decision == "completed" { &[] } else { issues };
            check::<decide::Arguments>(&json, expected);
        }
    }
}

#[test]
fn a_note_is_required_with_failed_rejected_and_returned() {
    let check_note = |decision: &str, note: &str, issues: &[&str]| {
        let json = format!(
            r#"{{"runId": "r", "workItemId": "w", "snapshot": "s", "requestId": "q",
                "decision": "{decision}"{note}}}"#
        );
        check::<decide::Arguments>(&json, issues);
    };
    let blank = ["", r#", "note": """#, r#", "note": " \n\t""#];
    for decision in ["failed", "rejected", "returned"] {
        for note in blank {
            check_note(decision, note, &["note: required"]);
        }
        check_note(decision, r#", "note": "n""#, &[]);
    }
    check_note("approved", "", &[]);
    check_note("completed", "", &[]);
}

#[test]
fn a_link_is_any_reference_that_is_not_empty() {
    for (reference, issues) in [
        ("x", &[][..]),
        ("room 4, second shelf", &[]),
        (" ", &[]),
        (
            "",
            &["arguments.evidence[0].ref: 0 characters, expected at least 1"],
        ),
    ] {
        let json = format!(
            r#"{{"token": "t", "output": {{}}, "summary": "s", "requestId": "q",
                "evidence": [{{"kind": "link", "ref": "{reference}"}}]}}"#
        );
        check::<submit::Arguments>(&json, issues);
    }
}

#[test]
fn numbers_of_the_caller_keep_their_digits() {
    let json = r#"{"inputs":{"amount":12345678901234567890.10},"process":"p","requestId":"q"}"#;
    let arguments: start_run::Arguments = decode(object(json)).expect("valid arguments");
    let written = serde_json::to_value(&arguments).expect("string keys only");
    assert_eq!(written.to_string(), json);
}

#[test]
fn a_flood_of_foreign_keys_is_told_in_part() {
    let members: Map<_, _> = (0..1000)
        .map(|n| (format!("{n}{}", "x".repeat(999)), Value::Null))
        .collect();
    let refused = decode::<get_work::Arguments>(members).expect_err("nothing is declared");
    assert_eq!(refused.issues.len(), 100);
    assert!(refused.issues.iter().all(|issue| issue.len() < 100));
}

#[test]
fn a_flood_of_broken_evidence_is_told_in_part() {
    let item = r#"{"kind": "photo", "ref": 1}"#;
    let json = |count: usize| {
        let items = vec![item; count].join(",");
        format!(
            r#"{{"token": "t", "output": {{}}, "summary": "s", "requestId": "q", "evidence": [{items}]}}"#
        )
    };
    let refused = decode::<submit::Arguments>(object(&json(1000))).expect_err("no item is right");
    assert_eq!(refused.issues.len(), 100);
    assert_eq!(refused.issues[99], "arguments.evidence[49].ref: expected string");
}

#[test]
fn at_most_1000_items_of_evidence_are_taken() {
    let item = r#"{"kind": "link", "ref": "x"}"#;
    let json = |count: usize, rest: &str| {
        let items = vec![item; count].join(",");
        object(&format!(r#"{{"requestId": "q", "evidence": [{items}], {rest}}}"#))
    };
    let submitted = r#""token": "t", "output": {}, "summary": "s""#;
    let decided = r#""runId": "r", "workItemId": "w", "snapshot": "s", "decision": "completed""#;
    let too_many = ["arguments.evidence: 1001 items, expected at most 1000"];
    assert!(decode::<submit::Arguments>(json(1000, submitted)).is_ok());
    assert!(decode::<decide::Arguments>(json(1000, decided)).is_ok());
    let refused = decode::<submit::Arguments>(json(1001, submitted)).expect_err("one too many");
    assert_eq!(refused.issues, too_many);
    let refused = decode::<decide::Arguments>(json(1001, decided)).expect_err("one too many");
    assert_eq!(refused.issues, too_many);
    for schema in [
        submit::CONTRACT.arguments_schema,
        decide::CONTRACT.arguments_schema,
    ] {
        let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
        assert_eq!(schema["properties"]["evidence"]["maxItems"], 1000);
    }
}
