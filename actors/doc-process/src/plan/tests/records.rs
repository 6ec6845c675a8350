//! What each kind of step records, and nothing else (process.md §5 and §9.5).

use run_core::state::Submission;

use super::driver::Run;

#[test]
fn run_data_is_the_inputs_and_a_record_of_each_completed_step() {
    let mut run = Run::start_with(
        "inputs: {amount: number}",
        "- {id: a, agent: x}\n- {id: b, wait: 1h}\n- {id: c, finish: d}",
        r#"{"amount":2.50}"#,
    );
    assert_eq!(run.data(), r#"{"inputs":{"amount":2.50},"steps":{}}"#);
    run.work("a");
    let a = r#""a":{"at":"00:00","by":"agent","evidence":[],"history":[],"output":{},"summary":"done"}"#;
    assert_eq!(
        run.data(),
        format!(r#"{{"inputs":{{"amount":2.50}},"steps":{{{a}}}}}"#)
    );
    run.advance_minutes(60);
    let b = r#""b":{"at":"01:00","by":"server","history":[]}"#;
    assert_eq!(
        run.data(),
        format!(r#"{{"inputs":{{"amount":2.50}},"steps":{{{a},{b}}}}}"#),
        "a finish records nothing"
    );
    assert_eq!(run.end(), "d by server");
}

#[test]
fn next_and_reason_are_recorded_when_they_were_chosen_and_only_then() {
    let mut chosen = Run::start(
        "- {id: a, agent: x, next: [b, c]}\n- {id: b, task: x, person: finance, next: [c, d]}\n\
         - {id: c, finish: e}\n- {id: d, finish: f}",
    );
    chosen.submit("a", "{}", Some("b"));
    chosen.complete("b", "{}", Some("d"));
    let mut unasked =
        Run::start("- {id: a, agent: x}\n- {id: b, task: x, person: finance}\n- {id: c, finish: d}");
    unasked.submit("a", "{}", None);
    unasked.complete("b", "{}", None);
    for (step, by, next) in [("a", "agent", "b"), ("b", "mira", "d")] {
        let head = format!(r#"{{"at":"00:00","by":"{by}","evidence":[],"history":[],"#);
        assert_eq!(
            chosen.record(step),
            format!(r#"{head}"next":"{next}","output":{{}},"reason":"because","summary":"done"}}"#)
        );
        assert_eq!(
            unasked.record(step),
            format!(r#"{head}"output":{{}},"summary":"done"}}"#)
        );
    }
}

#[test]
fn history_is_on_the_record_of_every_kind_of_step() {
    let mut run = Run::start_with(
        "inputs: {start: datetime}",
        "- {id: a, agent: x}\n- {id: b, task: x, person: finance}\n- {id: c, approve: x, person: finance}\n- {id: d, wait: 1h}\n\
         - {id: e, wait_until: inputs.start}\n- {id: f, wait_for: paid}\n- {id: g, task: x, person: finance}\n- {id: h, finish: i}",
        r#"{"start":"1970-01-01T02:00:00Z"}"#,
    );
    run.work("a");
    run.complete("b", "{}", None);
    run.approve("c");
    run.advance_minutes(120);
    run.send("paid", None);
    run.fail("g", "No.");
    for step in ["a", "b", "c", "d", "e", "f", "g"] {
        let record = run.record(step);
        assert!(record.contains(r#""history":[]"#), "{step}: {record}");
    }
}

#[test]
fn agent_and_task_records_always_have_output_and_evidence() {
    let mut run =
        Run::start("- {id: a, agent: x}\n- {id: b, task: x, person: finance}\n- {id: c, finish: d}");
    run.work("a");
    run.complete_as("b", Submission::default());
    for step in ["a", "b"] {
        let record = run.record(step);
        assert!(record.contains(r#""evidence":[],"#), "{record}");
        assert!(record.contains(r#""output":{}"#), "{record}");
    }
}

#[test]
fn approval_records_its_rejection_and_nothing_else() {
    let mut run = Run::start(
        "- {id: a, agent: x}\n- {id: b, approve: x, person: finance, on_reject: a}\n- {id: c, finish: d}",
    );
    run.work("a");
    run.reject("b", "Not so.");
    assert_eq!(
        run.record("b"),
        r#"{"at":"00:00","by":"mira","decision":"rejected","history":[],"note":"Not so."}"#
    );
}

#[test]
fn wait_and_wait_until_record_the_server_and_their_instant() {
    let mut run = Run::start_with(
        "inputs: {start: datetime}",
        "- {id: a, wait: 1h}\n- {id: b, wait_until: inputs.start}\n- {id: c, finish: d}",
        r#"{"start":"1970-01-01T02:30:00Z"}"#,
    );
    run.advance_minutes(500);
    assert_eq!(run.record("a"), r#"{"at":"01:00","by":"server","history":[]}"#);
    assert_eq!(run.record("b"), r#"{"at":"02:30","by":"server","history":[]}"#);
}

#[test]
fn finish_records_nothing() {
    let mut run = Run::start("- {id: a, agent: x}\n- {id: b, finish: d}");
    run.work("a");
    assert_eq!(run.states(), "a:done b:done");
    assert_eq!(run.record("b"), "null");
}

/// The repair lies ahead of the approval, so nothing is rewound, and `a` is reached again although it is done.
const REPAIR: &str = "\
- {id: a, agent: x, next: [x, c]}
- {id: x, agent: x}
- {id: c, approve: x, person: finance, on_reject: r, next: d}
- {id: d, approve: x, person: finance, on_reject: a, next: done}
- {id: r, agent: x, next: a}
- {id: done, finish: e}";

fn repaired() -> Run {
    let mut run = Run::start(REPAIR);
    run.submit("a", "{}", Some("x"));
    run.work("x");
    run.reject("c", "Repair it.");
    run.work("r");
    run.advance_minutes(1);
    run.submit("a", "{}", Some("c"));
    run
}

#[test]
fn step_that_completes_again_without_a_rewind_pushes_its_record_to_history() {
    let run = repaired();
    assert_eq!(run.states(), "a:done x:done c:waiting r:done");
    assert_eq!(
        run.record("a"),
        r#"{"at":"00:01","by":"agent","evidence":[],"history":[{"at":"00:00","by":"agent","evidence":[],"next":"x","#.to_owned()
            + r#""output":{},"reason":"because","summary":"done"}],"next":"c","output":{},"reason":"because","summary":"done"}"#
    );
}

/// `x` and `r` completed after the first completion of `a` and before the latest one.
#[test]
fn rejection_rewinds_what_completed_after_the_latest_completion_of_its_target() {
    let mut run = repaired();
    run.approve("c");
    run.reject("d", "Again.");
    assert_eq!(run.states(), "a:ready x:done r:done");
    assert_eq!(run.records(), "a:1+1 x:1+0 c:0+2 d:1+0 r:1+0");
}
