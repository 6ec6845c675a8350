//! Rejections over many steps, and the shapes of what they leave (process.md §5 and §9.5).

use super::driver::Run;

/// Every kind of step between the target and the approval.
const LONG: &str = "\
- {id: before, agent: x}
- {id: target, agent: x, output: {n: number}}
- {id: ask, task: x, person: finance}
- {id: pause, wait: 1h}
- {id: paid, wait_for: payment}
- {id: first, approve: x, person: finance}
- {id: last, approve: x, person: finance, on_reject: target}
- {id: done, finish: d}";

/// From the target to the last approval; the n-th pass.
fn pass(run: &mut Run, n: u32) {
    run.submit("target", &format!(r#"{{"n":{n}}}"#), None);
    run.complete("ask", "{}", None);
    run.advance_minutes(60);
    run.send("payment", Some(&format!(r#"{{"n":{n}}}"#)));
    run.approve("first");
}

#[test]
fn rejection_rewinds_steps_of_every_kind_and_keeps_the_target() {
    let mut run = Run::start(LONG);
    run.work("before");
    pass(&mut run, 1);
    assert_eq!(
        run.states(),
        "before:done target:done ask:done pause:done paid:done first:done last:waiting"
    );
    run.reject("last", "Again.");
    assert_eq!(run.states(), "before:done target:ready");
    assert_eq!(
        run.records(),
        "before:1+0 target:1+0 ask:0+1 pause:0+1 paid:0+1 first:0+1 last:1+0"
    );
    // The target has its record, the others have nothing but history, whose entries have none of their own.
    assert_eq!(
        run.record("target"),
        r#"{"at":"00:00","by":"agent","evidence":[],"history":[],"output":{"n":1},"summary":"done"}"#
    );
    assert_eq!(
        run.record("ask"),
        r#"{"history":[{"at":"00:00","by":"mira","evidence":[],"output":{},"summary":"done"}]}"#
    );
    assert_eq!(
        run.record("pause"),
        r#"{"history":[{"at":"01:00","by":"server"}]}"#
    );
    assert_eq!(
        run.record("paid"),
        r#"{"history":[{"at":"01:00","by":"agent","output":{"n":1}}]}"#
    );
    assert_eq!(
        run.record("first"),
        r#"{"history":[{"at":"01:00","by":"mira","decision":"approved"}]}"#
    );
    assert_eq!(
        run.record("last"),
        r#"{"at":"01:00","by":"mira","decision":"rejected","history":[],"note":"Again."}"#
    );
}

#[test]
fn history_is_oldest_first() {
    let mut run = Run::start(LONG);
    run.work("before");
    pass(&mut run, 1);
    run.reject("last", "One.");
    pass(&mut run, 2);
    run.reject("last", "Two.");
    pass(&mut run, 3);
    assert_eq!(
        run.record("paid"),
        r#"{"at":"03:00","by":"agent","history":[{"at":"01:00","by":"agent","output":{"n":1}},"#.to_owned()
            + r#"{"at":"02:00","by":"agent","output":{"n":2}}],"output":{"n":3}}"#
    );
    // The target completed again without having been rewound; the approval rejected twice.
    assert_eq!(
        run.records(),
        "before:1+0 target:1+2 ask:1+2 pause:1+2 paid:1+2 first:1+2 last:1+1"
    );
    run.approve("last");
    assert_eq!(
        run.record("last"),
        r#"{"at":"03:00","by":"mira","decision":"approved","history":["#.to_owned()
            + r#"{"at":"01:00","by":"mira","decision":"rejected","note":"One."},"#
            + r#"{"at":"02:00","by":"mira","decision":"rejected","note":"Two."}]}"#
    );
    assert_eq!(run.end(), "d by server");
}

/// A step that waits begins anew: the duration counts from the rejection, and the event must be another one.
#[test]
fn target_may_be_a_wait() {
    let mut run = Run::start(
        "- {id: pause, wait: 1h}\n- {id: paid, wait_for: payment}\n- {id: a, approve: x, person: finance, on_reject: paid}\n\
         - {id: b, approve: x, person: finance, on_reject: pause}\n- {id: done, finish: d}",
    );
    run.advance_minutes(60);
    run.send("payment", Some(r#"{"n":1}"#));
    run.reject("a", "The wrong one.");
    assert_eq!(run.states(), "pause:done paid:waiting");
    assert_eq!(run.records(), "pause:1+0 paid:1+0 a:1+0");
    run.send("payment", Some(r#"{"n":2}"#));
    assert_eq!(run.records(), "pause:1+0 paid:1+1 a:1+0");
    run.approve("a");
    run.advance_minutes(15);
    run.reject("b", "Later.");
    assert_eq!(run.states(), "pause:waiting");
    assert_eq!(run.records(), "pause:1+0 paid:0+2 a:0+2 b:1+0");
    run.advance_minutes(60);
    assert_eq!(run.states(), "pause:done paid:waiting");
    assert!(
        run.record("pause").starts_with(r#"{"at":"02:15""#),
        "{}",
        run.record("pause")
    );
}

/// `b` was done and is rewound; `c` then sends the run into it. `a`, which completed since, is what `b` is to work on: it stays.
#[test]
fn target_that_was_rewound_lies_ahead_and_nothing_is_rewound() {
    let mut run = Run::start(
        "- {id: a, agent: x, next: [b, c]}\n- {id: b, agent: x}\n- {id: c, approve: x, person: finance, on_reject: b, next: d}\n\
         - {id: d, approve: x, person: finance, on_reject: a}\n- {id: done, finish: e}",
    );
    run.submit("a", "{}", Some("b"));
    run.work("b");
    run.approve("c");
    run.reject("d", "Start over.");
    assert_eq!(run.records(), "a:1+0 b:0+1 c:0+1 d:1+0");
    run.submit("a", "{}", Some("c"));
    run.reject("c", "Not without b.");
    assert_eq!(run.states(), "a:done b:ready");
    assert_eq!(run.records(), "a:1+1 b:0+1 c:1+1 d:1+0");
    run.work("b");
    assert_eq!(run.records(), "a:1+1 b:1+1 c:1+1 d:1+0");
    assert_eq!(run.states(), "a:done b:done c:waiting");
}

/// An approval that rejected has completed by that (its record is current), so a rejection into it rewinds what came after.
#[test]
fn target_that_rejected_has_completed_by_that() {
    let mut run = Run::start(
        "- {id: a, agent: x, next: [b, c]}\n- {id: b, approve: x, person: finance, on_reject: a}\n\
         - {id: c, approve: x, person: finance, on_reject: b}\n- {id: done, finish: e}",
    );
    run.submit("a", "{}", Some("b"));
    run.reject("b", "Again.");
    run.submit("a", "{}", Some("c"));
    run.reject("c", "Ask b.");
    assert_eq!(run.states(), "b:waiting");
    assert_eq!(run.records(), "a:0+2 b:1+0 c:1+0");
}

#[test]
fn rejecting_approval_shows_null_and_keeps_its_rejection_until_it_completes_again() {
    let rejected = r#""at":"00:00","by":"mira","decision":"rejected""#;
    let kept = format!(r#"{{{rejected},"history":[],"note":"No."}}"#);
    let asked_again = || {
        let mut run = Run::start(
            "- {id: a, agent: x, next: [b, done]}\n- {id: b, approve: x, person: finance, on_reject: a}\n- {id: done, finish: d}",
        );
        run.submit("a", "{}", Some("b"));
        run.reject("b", "No.");
        assert_eq!(
            (run.states().as_str(), run.record("b")),
            ("a:ready", kept.clone())
        );
        run.submit("a", "{}", Some("b"));
        assert_eq!(run.states(), "a:done b:waiting");
        assert_eq!(run.record("b"), kept, "also while it is asked again");
        run
    };
    let mut approved = asked_again();
    approved.approve("b");
    assert_eq!(
        approved.record("b"),
        format!(
            r#"{{"at":"00:00","by":"mira","decision":"approved","history":[{{{rejected},"note":"No."}}]}}"#
        )
    );
    let mut left = asked_again();
    left.reject("b", "No.");
    left.submit("a", "{}", Some("done"));
    assert_eq!(left.states(), "a:done done:done");
    assert_eq!(
        left.record("b"),
        format!(r#"{{{rejected},"history":[{{{rejected},"note":"No."}}],"note":"No."}}"#)
    );
}

/// The target fails its step in the rework: its former record is in the history of the failed one.
#[test]
fn step_that_fails_in_the_rework_keeps_its_former_record_in_history() {
    let mut run = Run::start(
        "- {id: a, task: x, person: finance}\n- {id: b, approve: x, person: finance, on_reject: a}\n- {id: done, finish: d}",
    );
    run.complete("a", "{}", None);
    run.reject("b", "Again.");
    run.fail("a", "Not again.");
    assert_eq!(
        run.record("a"),
        r#"{"at":"00:00","by":"mira","decision":"failed","history":["#.to_owned()
            + r#"{"at":"00:00","by":"mira","evidence":[],"output":{},"summary":"done"}],"note":"Not again."}"#
    );
    assert_eq!(run.states(), "a:failed");
}
