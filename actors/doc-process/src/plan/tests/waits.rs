//! `wait`, `wait_until` and `wait_for` (process.md §2, §5 and §9.13 to §9.14).

use super::driver::Run;

const START: &str = "inputs: {start: {type: datetime, optional: true}}";

#[test]
fn wait_lasts_its_duration_from_the_moment_it_is_reached() {
    let mut run = Run::start("- {id: a, agent: x}\n- {id: b, wait: 2h}\n- {id: c, finish: d}");
    run.advance_minutes(7);
    run.work("a");
    run.advance_minutes(119);
    assert_eq!(
        (run.states().as_str(), run.word()),
        ("a:done b:waiting", "waiting")
    );
    run.advance_minutes(1);
    assert_eq!(run.end(), "d by server");
    assert_eq!(run.record("b"), r#"{"at":"02:07","by":"server","history":[]}"#);
}

/// Nobody looks before the 500th minute; the second wait began at the 60th, and the task is due two hours after the 90th.
#[test]
fn wait_that_follows_a_wait_starts_at_the_first_ones_due_instant() {
    let mut run = Run::start(
        "- {id: a, wait: 1h}\n- {id: b, wait: 30m}\n- {id: c, task: x, person: finance, due: 2h}\n- {id: d, finish: e}",
    );
    run.advance_minutes(500);
    assert_eq!(run.states(), "a:done b:done c:waiting");
    assert_eq!(run.record("a"), r#"{"at":"01:00","by":"server","history":[]}"#);
    assert_eq!(run.record("b"), r#"{"at":"01:30","by":"server","history":[]}"#);
    assert_eq!(run.due_minutes("c"), Some(210));
}

#[test]
fn wait_until_an_instant_to_come_waits_for_it() {
    let steps = "- {id: a, wait_until: inputs.start}\n- {id: b, finish: d}";
    // 02:30 in a place one hour east of Greenwich.
    let mut run = Run::start_with(START, steps, r#"{"start":"1970-01-01T02:30:00+01:00"}"#);
    run.advance_minutes(89);
    assert_eq!(run.states(), "a:waiting");
    run.advance_minutes(1);
    assert_eq!(run.record("a"), r#"{"at":"01:30","by":"server","history":[]}"#);
    assert_eq!(run.end_minutes(), Some(90));
}

#[test]
fn wait_until_an_instant_that_is_past_continues_at_once() {
    let steps = "- {id: a, wait_until: inputs.start}\n- {id: b, wait_until: inputs.start}\n- {id: c, agent: x}\n- {id: d, finish: e}";
    let run = Run::start_with(START, steps, r#"{"start":"1969-12-31T00:00:00Z"}"#);
    assert_eq!(run.states(), "a:done b:done c:ready");
    assert_eq!(run.record("b"), r#"{"at":"00:00","by":"server","history":[]}"#);
}

/// Both are due where the fork is, whichever instant passed first; what follows the second one ends the run.
#[test]
fn waits_whose_instants_have_passed_end_in_file_order() {
    let inputs = "inputs: {later: {type: datetime}, earlier: {type: datetime}, none: {type: datetime, optional: true}}";
    let steps = "- {id: f, parallel: [a, b], next: e}\n- {id: a, wait_until: inputs.later, next: join}\n\
                 - {id: b, wait_until: inputs.earlier, next: c}\n- {id: c, wait_until: inputs.none, next: join}\n\
                 - {id: e, finish: x}";
    let values = r#"{"later":"1969-12-31T12:00:00Z","earlier":"1969-12-31T00:00:00Z"}"#;
    let run = Run::start_with(inputs, steps, values);
    assert_eq!(run.states(), "f:cancelled a:done b:done c:failed");
}

#[test]
fn wait_until_a_missing_instant_fails_the_run_by_the_server() {
    let steps = "- {id: a, agent: x}\n- {id: b, wait_until: inputs.start}\n- {id: c, finish: d}";
    let mut run = Run::start_with(START, steps, "{}");
    run.work("a");
    assert_eq!(run.states(), "a:done b:failed");
    assert_eq!(run.end(), "failed by server: inputs.start holds no date and time");
    assert_eq!(
        run.record("b"),
        r#"{"at":"00:00","by":"server","decision":"failed","history":[],"note":"inputs.start holds no date and time"}"#
    );
}

/// The step whose output names the instant was left out, so there is none.
#[test]
fn wait_until_the_output_of_a_step_that_did_not_run_fails_the_run() {
    let mut run = Run::start(
        "- {id: a, agent: x, next: [b, c]}\n- {id: b, agent: x, output: {start: datetime}}\n\
         - {id: c, wait_until: steps.b.output.start}\n- {id: d, finish: e}",
    );
    run.submit("a", "{}", Some("c"));
    assert_eq!(
        run.end(),
        "failed by server: steps.b.output.start holds no date and time"
    );
}

/// Every value that is accepted as a datetime is one for `wait_until` too.
#[test]
fn wait_until_takes_every_datetime() {
    let steps = "- {id: a, wait_until: inputs.start}\n- {id: b, agent: x}\n- {id: c, finish: d}";
    for (start, states) in [
        ("1969-12-31t23:59:59z", "a:done b:ready"),
        ("0000-01-01T00:00:00+23:59", "a:done b:ready"),
        ("1969-12-31T23:59:60Z", "a:done b:ready"),
        ("1970-01-01T00:00:00.0000000000001Z", "a:waiting"),
        ("2016-12-31T23:59:60Z", "a:waiting"),
        ("9999-12-31T23:59:59-23:59", "a:waiting"),
    ] {
        let run = Run::start_with(START, steps, &format!(r#"{{"start":"{start}"}}"#));
        assert_eq!(run.states(), states, "{start}");
    }
}

const PAYMENT: &str = "\
- {id: ask, agent: x}
- {id: paid, wait_for: payment, timeout: 2h, on_timeout: remind}
- {id: book, agent: x, next: done}
- {id: remind, agent: x}
- {id: done, finish: d}";

#[test]
fn event_ends_its_wait_and_is_recorded_with_its_sender() {
    let mut run = Run::start(PAYMENT);
    run.work("ask");
    run.advance_minutes(119);
    assert_eq!(
        run.send("payment", Some(r#"{"cents":100}"#)).as_deref(),
        Some("paid")
    );
    assert_eq!(run.states(), "ask:done paid:done book:ready");
    assert_eq!(
        run.record("paid"),
        r#"{"at":"01:59","by":"agent","history":[],"output":{"cents":100}}"#
    );
}

#[test]
fn timeout_goes_to_on_timeout_and_records_the_server() {
    let mut run = Run::start(PAYMENT);
    run.work("ask");
    run.advance_minutes(200);
    assert_eq!(run.states(), "ask:done paid:done remind:ready");
    assert_eq!(run.record("paid"), r#"{"at":"02:00","by":"server","history":[]}"#);
}

#[test]
fn timeout_without_on_timeout_goes_on_at_next() {
    let mut run = Run::start(
        "- {id: a, wait_for: e, timeout: 1h, next: c}\n- {id: b, agent: x, next: c}\n- {id: c, approve: x, person: finance, on_reject: b}\n- {id: d, finish: f}",
    );
    run.advance_minutes(60);
    assert_eq!(run.states(), "a:done c:waiting");
}

#[test]
fn wait_without_timeout_has_no_end_of_its_own_even_with_on_timeout() {
    let mut run =
        Run::start("- {id: a, wait_for: e, on_timeout: c}\n- {id: b, agent: x}\n- {id: c, finish: d}");
    run.advance_minutes(100_000);
    assert_eq!(run.states(), "a:waiting");
    run.send("e", None);
    assert_eq!(run.states(), "a:done b:ready");
}

/// Sent in the 120th minute, at which the wait ended: it goes to the next wait for that name, or is held.
#[test]
fn event_that_arrives_when_the_timeout_is_due_loses_to_it() {
    let mut run = Run::start(
        "- {id: a, wait_for: e, timeout: 2h}\n- {id: b, agent: x}\n- {id: c, wait_for: e}\n- {id: d, finish: f}",
    );
    run.advance_minutes(119);
    // One minute later nobody has looked yet: the clock is moved by the event itself.
    run.clock_minutes(1);
    assert_eq!(run.send("e", Some(r#"{"n":1}"#)), None);
    assert_eq!(run.record("a"), r#"{"at":"02:00","by":"server","history":[]}"#);
    run.work("b");
    assert_eq!(run.end(), "f by server");
    assert_eq!(
        run.record("c"),
        r#"{"at":"02:00","by":"agent","history":[],"output":{"n":1}}"#
    );
}

#[test]
fn early_events_are_held_and_consumed_oldest_first_one_a_wait() {
    let mut run = Run::start(
        "- {id: a, wait: 1h}\n- {id: b, wait_for: e}\n- {id: c, wait_for: other}\n- {id: d, wait_for: e}\n- {id: e, wait_for: e}\n- {id: f, finish: g}",
    );
    for n in 1..=2 {
        run.advance_minutes(1);
        assert_eq!(run.send("e", Some(&format!(r#"{{"n":{n}}}"#))), None);
    }
    run.advance_minutes(100);
    assert_eq!(run.states(), "a:done b:done c:waiting");
    assert_eq!(
        run.record("b"),
        r#"{"at":"01:00","by":"agent","history":[],"output":{"n":1}}"#,
        "it is consumed when its wait begins"
    );
    // One write: the other event, and the held one after it.
    assert_eq!(run.send("other", None).as_deref(), Some("c"));
    assert_eq!(
        run.record("c"),
        r#"{"at":"01:42","by":"agent","history":[],"output":{}}"#
    );
    assert_eq!(
        run.record("d"),
        r#"{"at":"01:42","by":"agent","history":[],"output":{"n":2}}"#
    );
    assert_eq!(run.states(), "a:done b:done c:done d:done e:waiting");
}

#[test]
fn event_name_has_the_pattern_of_step_ids() {
    let mut run = Run::start(PAYMENT);
    let issue = "name: expected at most 64 characters, a lower-case letter first, then lower-case letters, digits, _ and -";
    for name in ["", "Paid", "1st", "a b", "_a", "é", &"a".repeat(65)] {
        assert_eq!(run.refused_event(name), [issue], "{name}");
    }
    assert_eq!(run.send(&"a".repeat(64), None), None);
    assert_eq!(run.send("a-1_b", None), None);
    // Names compare exactly.
    run.work("ask");
    assert_eq!(run.send("payments", None), None);
    assert_eq!(run.states(), "ask:done paid:waiting");
}

/// Approval, past wait, held event, fork and two past waits, finish: one write.
#[test]
fn write_returns_after_every_automatic_transition() {
    let mut run = Run::start_with(
        START,
        "- {id: a, approve: x, person: finance}\n- {id: b, wait_until: inputs.start}\n- {id: c, wait_for: e}\n\
         - {id: f, parallel: [g, h], next: i}\n- {id: g, wait: 0m, next: join}\n- {id: h, wait_for: e, timeout: 0m, next: join}\n\
         - {id: i, finish: j}",
        r#"{"start":"1969-12-31T00:00:00Z"}"#,
    );
    run.send("e", None);
    run.approve("a");
    assert_eq!(run.end(), "j by server");
    assert_eq!(run.states(), "a:done b:done c:done f:done g:done h:done i:done");
}

#[test]
fn run_is_waiting_while_only_people_timers_events_and_escalations_are_awaited() {
    let steps = "- {id: f, parallel: [a, b, c, d], next: e}\n- {id: a, task: x, person: finance, next: join}\n\
                 - {id: b, wait: 1h, next: join}\n- {id: c, wait_for: paid, next: join}\n- {id: d, agent: x, next: join}\n\
                 - {id: e, finish: g}";
    let mut run = Run::start(steps);
    assert_eq!(run.word(), "active", "an agent can work");
    run.escalate("d");
    assert_eq!(run.word(), "waiting");
    run.hand_back("d", "again");
    assert_eq!(run.word(), "active");
    run.work("d");
    assert_eq!(run.word(), "waiting");
    run.send("paid", None);
    run.advance_minutes(60);
    assert_eq!(
        (run.states().as_str(), run.word()),
        ("f:waiting a:waiting b:done c:done d:done", "waiting")
    );
    run.complete("a", "{}", None);
    assert_eq!(run.word(), "ended");
}
