use serde_json::json;

use super::plans::flow::{Flow, agent, approve, finish, task};
use super::world::{World, alpha, bad, good, map, mira, rejected, route, start_command};
use crate::command::Verdict;
use crate::state::Submission;
use crate::view::outcome;
use crate::{EvidenceKind, Refusal};

/// Submits to a step and compares the issues.
fn check(flow: &Flow, submission: Submission, issues: &[&str]) {
    let mut world = World::new(flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    let refused = world
        .submit(claim, submission)
        .map(|view| outcome(&view.run).map(str::to_owned));
    let expected = Refusal::NotAccepted(issues.iter().map(|issue| (*issue).to_owned()).collect());
    assert_eq!(refused, Err(expected));
}

fn with_evidence(items: &[(EvidenceKind, &str)]) -> Submission {
    let evidence = items
        .iter()
        .map(|(kind, reference)| (*kind, (*reference).to_owned()))
        .collect();
    Submission { evidence, ..good() }
}

#[test]
fn an_agent_says_what_was_done() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    for summary in [None, Some(""), Some(" \n\t")] {
        let summary = summary.map(str::to_owned);
        check(&flow, Submission { summary, ..good() }, &["summary: missing"]);
    }
}

#[test]
fn a_person_need_not_say_what_was_done() {
    let flow = Flow::new([task("call", "finance"), finish("done")]);
    let mut world = World::new(&flow);
    world
        .decide_step("call", mira(), Verdict::Completed(Submission::default()))
        .expect("mira is of finance");
    assert_eq!(
        world.record("call").get("summary"),
        None,
        "what was not said is absent"
    );
    assert_eq!(world.record("call")["output"], json!({}));
    assert_eq!(world.record("call")["evidence"], json!([]));
}

#[test]
fn a_route_is_chosen_from_the_list_with_a_reason() {
    let flow = Flow::new([
        agent("draft").routes(&["book", "done"]),
        agent("book"),
        finish("done"),
    ]);
    let chosen = |next: Option<&str>, reason: Option<&str>| Submission {
        next: next.map(str::to_owned),
        reason: reason.map(str::to_owned),
        ..good()
    };
    let required = "next: required, one of book, done";
    let not_allowed = "next: not allowed, one of book, done";
    check(&flow, chosen(None, Some("so")), &[required]);
    check(&flow, chosen(None, None), &[required, "reason: required"]);
    check(&flow, chosen(Some("draft"), Some("so")), &[not_allowed]);
    check(&flow, chosen(Some("book"), None), &["reason: required"]);
    check(&flow, chosen(Some("book"), Some(" ")), &["reason: required"]);
}

#[test]
fn a_route_where_there_is_nothing_to_choose_is_an_issue() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let issues = [
        "next: not allowed, this step has no list of routes",
        "reason: not allowed, this step has no list of routes",
    ];
    check(&flow, route("done"), &issues);
    let (next, reason) = (None, None);
    check(
        &flow,
        Submission {
            next,
            ..route("done")
        },
        &issues[1..],
    );
    check(
        &flow,
        Submission {
            reason,
            ..route("done")
        },
        &issues[..1],
    );
}

#[test]
fn required_evidence_is_there_and_a_link_is_no_file() {
    let flow = Flow::new([agent("draft").evidence(EvidenceKind::File), finish("done")]);
    let file = |reference| (EvidenceKind::File, reference);
    let link = (EvidenceKind::Link, "https://example.com/1");
    check(&flow, good(), &["evidence: file required"]);
    check(&flow, with_evidence(&[link]), &["evidence: file required"]);
    let missing = ["evidence: file required", "evidence f_404: not found"];
    check(&flow, with_evidence(&[file("f_404")]), &missing);
    check(
        &flow,
        with_evidence(&[file("f_1"), file("f_404")]),
        &["evidence f_404: not found"],
    );

    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world
        .submit(claim, with_evidence(&[file("f_1"), link]))
        .expect("the file exists");
    let expected = json!([
        { "kind": "file", "ref": "f_1", "sha256": "aa".repeat(32) },
        { "kind": "link", "ref": "https://example.com/1" },
    ]);
    assert_eq!(world.record("draft")["evidence"], expected);
}

#[test]
fn history_counts_towards_the_limit() {
    let flow = Flow::new([
        agent("draft"),
        approve("check", "finance").on_reject("draft"),
        finish("done"),
    ]);
    let mut command = start_command();
    // 24 and the records: `draft` with {} has 131 + 2 bytes, and a rejected `check`
    // ,"check":{"at":"2023-11-14T22:13:20.000Z","by":"u_00000000000000000000000000","decision":"rejected","history":[],
    // "note":"not like this"} has 1 + 7 + 1 + 1 + 31 + 1 + 35 + 1 + 21 + 1 + 12 + 1 + 22 + 1 = 136. The second `draft` moves
    // the first one to history: {"at":…,"by":…,"evidence":[],"output":{},"summary":"done"} has 1 + 31 + 1 + 35 + 14 + 12 + 17 + 1 = 112.
    let whole = 24 + 133 + 136 + 112;
    for (limit, fits) in [(whole, true), (whole - 1, false)] {
        command.limits.run_data_bytes = limit;
        let mut world = World::start(&flow, &command).expect("the inputs are small");
        world.work("draft").expect("it fits");
        world
            .decide_step("check", mira(), rejected())
            .expect("mira is of finance");
        let again = world.work("draft").map(|_| ());
        let issue = format!("run data: {whole} bytes, limit {limit}");
        let expected = if fits {
            Ok(())
        } else {
            Err(Refusal::NotAccepted(vec![issue]))
        };
        assert_eq!(again, expected);
    }
}

#[test]
fn an_evidence_link_is_recorded_as_stated_and_may_be_more_than_is_asked() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world
        .submit(claim, with_evidence(&[(EvidenceKind::Link, "room 4")]))
        .expect("more is welcome");
    assert_eq!(
        world.record("draft")["evidence"],
        json!([{ "kind": "link", "ref": "room 4" }])
    );
}

#[test]
fn everything_that_is_wrong_is_said_at_once_and_in_order() {
    let flow = Flow::new([
        agent("draft")
            .routes(&["book", "done"])
            .evidence(EvidenceKind::File),
        agent("book"),
        finish("done"),
    ]);
    let issues = [
        "summary: missing",
        "evidence: file required",
        "evidence f_404: not found",
        "next: required, one of book, done",
        "reason: required",
        "output.bad: not declared",
    ];
    let evidence = vec![(EvidenceKind::File, "f_404".to_owned())];
    check(
        &flow,
        Submission {
            evidence,
            summary: None,
            ..bad()
        },
        &issues,
    );
}

#[test]
fn run_data_stays_within_its_limit() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut command = start_command();
    command.limits.run_data_bytes = 300;
    let mut world = World::start(&flow, &command).expect("the inputs are small");
    let claim = world.claim("draft", alpha()).expect("it is ready");
    // {"inputs":{},"steps":{}} has 24 bytes, and the record of `draft` with output o
    // "draft":{"at":"2023-11-14T22:13:20.000Z","by":"a_00000000000000000000000000","evidence":[],"history":[],
    // "output":o,"summary":"done"} has 8 + 1 + 31 + 1 + 35 + 14 + 13 + 10 + 17 + 1 = 131 and o.
    let text = |bytes: usize| Submission {
        output: map(json!({ "x": "y".repeat(bytes - 8) })),
        ..good()
    };
    let issue = "run data: 301 bytes, limit 300".to_owned();
    assert_eq!(
        world.submit(claim, text(146)).err(),
        Some(Refusal::NotAccepted(vec![issue]))
    );
    world.submit(claim, text(145)).expect("it fits");
    assert_eq!(world.state.data_bytes(), 300);
}

#[test]
fn inputs_count_towards_the_limit() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut command = start_command();
    command.inputs = map(json!({ "bad": "x" }));
    command.limits.run_data_bytes = 33;
    let refused = World::start(&flow, &command).map(|world| world.journal.len());
    // {"inputs":{"bad":"x"},"steps":{}}
    let issues = ["inputs.bad: not declared"].map(str::to_owned).to_vec();
    assert_eq!(refused, Err(Refusal::Invalid(issues.clone())));
    let long = map(json!({ "x": "é" }));
    // {"inputs":{"x":"é"},"steps":{}} has 31 letters in 32 bytes.
    let fitting = |bytes| {
        let mut command = start_command();
        command.inputs = long.clone();
        command.limits.run_data_bytes = bytes;
        World::start(&flow, &command).map(|world| world.journal.len())
    };
    assert_eq!(fitting(32), Ok(1));
    let size = "run data: 32 bytes, limit 31".to_owned();
    assert_eq!(fitting(31), Err(Refusal::Invalid(vec![size])));
    command.limits.run_data_bytes = 32;
    let refused = World::start(&flow, &command).map(|world| world.journal.len());
    let size = "run data: 33 bytes, limit 32".to_owned();
    assert_eq!(
        refused,
        Err(Refusal::Invalid([issues, vec![size]].concat())),
        "all issues at once"
    );
}

#[test]
fn at_most_100_issues_are_kept() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    let evidence = (0..200)
        .map(|_| (EvidenceKind::File, "f_404".to_owned()))
        .collect();
    let refused = world.submit(claim, Submission { evidence, ..good() });
    let Err(Refusal::NotAccepted(issues)) = refused else {
        panic!("no such file exists");
    };
    assert_eq!(issues.len(), 100);
    assert_eq!(world.step("draft").handoff.issues.as_ref(), Some(&issues));
}

#[test]
fn numbers_come_back_digit_for_digit() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    let text = r#"{"a":12345678901234567890.10,"b":1.0,"c":-0.0,"d":9007199254740993}"#;
    let output = map(serde_json::from_str(text).expect("a fixed text"));
    world
        .submit(claim, Submission { output, ..good() })
        .expect("it is good");
    assert_eq!(world.record("draft")["output"].to_string(), text);
}

#[test]
fn an_issue_does_not_repeat_a_text_of_a_megabyte() {
    let flow = Flow::new([
        agent("draft").routes(&["book", "done"]),
        agent("book"),
        finish("done"),
    ]);
    let long = "é".repeat(2_000_000);
    let mut world = World::new(&flow);
    world.known.note_file(long.clone(), None);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    let submission = Submission {
        evidence: vec![(EvidenceKind::File, long)],
        ..route("done")
    };
    let issue = format!("evidence {}…: not found", "é".repeat(64));
    let refused = world.submit(claim, submission).err();
    assert_eq!(refused, Some(Refusal::NotAccepted(vec![issue.clone()])));
    assert_eq!(world.step("draft").handoff.issues, Some(vec![issue]));
}
