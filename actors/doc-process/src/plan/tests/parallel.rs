//! Forks and joins (process.md §6).

use super::driver::Run;

/// A fork into an agent, a person and an event, and an approval after the join.
const RESPONSE: &str = "\
- {id: open, agent: Open the bridge.}
- {id: respond, parallel: [restore, notice, vendor], next: close}
- {id: restore, agent: Restore service., next: join}
- {id: notice, task: Write the notice., person: finance, next: join}
- {id: vendor, wait_for: confirmed, timeout: 4h, on_timeout: call, next: join}
- {id: call, agent: Call the vendor., next: join}
- {id: close, approve: Close it?, person: finance, on_reject: respond}
- {id: done, finish: stabilized}";

fn responding() -> Run {
    let mut run = Run::start(RESPONSE);
    run.work("open");
    run
}

/// Two branches of one agent step each, and a third line of steps after the join.
fn fork(branches: &str, after: &str) -> String {
    format!("- {{id: fork, parallel: [a, b], next: after}}\n{branches}\n{after}")
}

const TWO_AGENTS: &str = "- {id: a, agent: x, next: join}\n- {id: b, agent: x, next: join}";
const AFTER: &str = "- {id: after, agent: x}\n- {id: end, finish: d}";

#[test]
fn fork_waits_and_opens_all_entries_in_the_same_write() {
    let mut run = Run::start(RESPONSE);
    run.work("open");
    assert_eq!(
        run.states(),
        "open:done respond:waiting restore:ready notice:waiting vendor:waiting"
    );
    // The start, a claim and a submission: the fork is no write of its own.
    assert_eq!(run.seq(), 3);
}

#[test]
fn last_branch_that_reaches_join_makes_the_fork_done_and_its_next_ready_in_the_same_write() {
    let mut run = responding();
    run.work("restore");
    run.complete("notice", "{}", None);
    assert_eq!(
        run.states(),
        "open:done respond:waiting restore:done notice:done vendor:waiting"
    );
    let before = run.seq();
    assert_eq!(run.send("confirmed", None).as_deref(), Some("vendor"));
    assert_eq!(
        run.states(),
        "open:done respond:done restore:done notice:done vendor:done close:waiting"
    );
    assert_eq!(run.seq(), before + 1);
}

#[test]
fn fork_and_join_record_nothing() {
    let mut run = responding();
    run.work("restore");
    run.complete("notice", "{}", None);
    run.send("confirmed", None);
    run.approve("close");
    assert_eq!(run.end(), "stabilized by server");
    assert_eq!(run.record("respond"), "null");
    assert_eq!(
        run.records(),
        "open:1+0 restore:1+0 notice:1+0 vendor:1+0 close:1+0"
    );
}

#[test]
fn branches_join_in_any_order() {
    for order in [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]] {
        let mut run = Run::start(
            "- {id: fork, parallel: [a, b, c], next: after}\n- {id: a, agent: x, next: join}\n\
             - {id: b, agent: x, next: join}\n- {id: c, agent: x, next: join}\n- {id: after, agent: x}\n\
             - {id: end, finish: d}",
        );
        run.work(order[0]);
        run.work(order[1]);
        assert!(!run.states().contains("after"), "{order:?}: {}", run.states());
        run.work(order[2]);
        assert_eq!(
            run.states(),
            "fork:done a:done b:done c:done after:ready",
            "{order:?}"
        );
    }
}

#[test]
fn branch_of_several_steps_joins_with_its_last() {
    let mut run = Run::start(&fork(
        "- {id: a, agent: x, next: a2}\n- {id: a2, wait: 1h, next: join}\n- {id: b, agent: x, next: join}",
        AFTER,
    ));
    run.work("b");
    run.work("a");
    assert_eq!(run.states(), "fork:waiting a:done a2:waiting b:done");
    run.advance_minutes(60);
    assert_eq!(run.states(), "fork:done a:done a2:done b:done after:ready");
}

#[test]
fn join_in_a_list_is_chosen_with_a_reason_and_recorded_as_next() {
    let mut run = Run::start(&fork(
        "- {id: a, agent: x, next: [{to: join, when: it is enough}, a2]}\n- {id: a2, agent: x, next: join}\n\
         - {id: b, agent: x, next: join}",
        AFTER,
    ));
    assert_eq!(
        run.refused("a", "{}", Some("after")),
        ["next: not allowed, one of join, a2"]
    );
    run.submit("a", "{}", Some("join"));
    assert_eq!(run.states(), "fork:waiting a:done b:ready");
    let record = run.record("a");
    assert!(
        record.contains(r#""next":"join","output":{},"reason":"because""#),
        "{record}"
    );
    run.work("b");
    assert_eq!(run.states(), "fork:done a:done b:done after:ready");
}

#[test]
fn timeout_may_join() {
    let branches = "- {id: a, wait_for: paid, timeout: 1h, on_timeout: join, next: a2}\n- {id: a2, agent: x, next: join}\n\
                    - {id: b, agent: x, next: join}";
    let mut late = Run::start(&fork(branches, AFTER));
    late.work("b");
    late.advance_minutes(60);
    assert_eq!(late.states(), "fork:done a:done b:done after:ready");
    let mut early = Run::start(&fork(branches, AFTER));
    early.work("b");
    assert_eq!(early.send("paid", None).as_deref(), Some("a"));
    assert_eq!(early.states(), "fork:waiting a:done a2:ready b:done");
}

#[test]
fn timeout_without_on_timeout_goes_where_next_says_which_may_be_join() {
    let mut run = Run::start(&fork(
        "- {id: a, wait_for: paid, timeout: 1h, next: join}\n- {id: b, agent: x, next: join}",
        AFTER,
    ));
    run.work("b");
    run.advance_minutes(60);
    assert_eq!(run.states(), "fork:done a:done b:done after:ready");
}

/// The wait is over the moment it begins; its branch joins at once, and the other has not.
#[test]
fn wait_that_is_past_joins_its_own_branch_only() {
    for entries in ["[a, b]", "[b, a]"] {
        let steps = fork(
            "- {id: a, wait_until: inputs.start, next: join}\n- {id: b, agent: x, next: join}",
            AFTER,
        );
        let mut run = Run::start_with(
            "inputs: {start: datetime}",
            &steps.replace("[a, b]", entries),
            r#"{"start":"1969-12-31T00:00:00Z"}"#,
        );
        assert_eq!(run.states(), "fork:waiting a:done b:ready");
        run.work("b");
        assert_eq!(run.states(), "fork:done a:done b:done after:ready");
    }
}

/// Every branch is over the moment it begins, and the run goes on in the write that forked.
#[test]
fn waits_that_are_all_past_join_once() {
    let steps = fork(
        "- {id: a, wait_until: inputs.start, next: join}\n- {id: b, wait: 0m, next: b2}\n- {id: b2, wait: 0m, next: join}",
        AFTER,
    );
    let run = Run::start_with(
        "inputs: {start: datetime}",
        &steps,
        r#"{"start":"1969-12-31T00:00:00Z"}"#,
    );
    assert_eq!(run.states(), "fork:done a:done b:done b2:done after:ready");
    // The start and three waits that are over.
    assert_eq!(run.seq(), 4);
}

/// Held events are consumed when their waits begin, each by one of them, in file order.
#[test]
fn held_events_are_consumed_by_the_fork() {
    let mut run = Run::start(
        "- {id: first, agent: x}\n- {id: fork, parallel: [b, a], next: after}\n- {id: a, wait_for: paid, next: join}\n\
         - {id: b, wait_for: paid, next: join}\n- {id: after, agent: x}\n- {id: end, finish: d}",
    );
    assert_eq!(run.send("paid", Some(r#"{"n":1}"#)), None);
    run.work("first");
    assert_eq!(run.states(), "first:done fork:waiting a:done b:waiting");
    assert_eq!(run.send("paid", Some(r#"{"n":2}"#)).as_deref(), Some("b"));
    assert_eq!(run.states(), "first:done fork:done a:done b:done after:ready");
}

#[test]
fn parallel_step_may_follow_a_parallel_step() {
    let mut run = Run::start(
        "- {id: f1, parallel: [a, b], next: f2}\n- {id: a, agent: x, next: join}\n- {id: b, agent: x, next: join}\n\
         - {id: f2, parallel: [c, d], next: end}\n- {id: c, agent: x, next: join}\n- {id: d, agent: x, next: join}\n\
         - {id: end, finish: d}",
    );
    run.work("b");
    run.work("a");
    assert_eq!(run.states(), "f1:done a:done b:done f2:waiting c:ready d:ready");
    run.work("d");
    run.work("c");
    assert_eq!(run.end(), "d by server");
    assert_eq!(
        run.states(),
        "f1:done a:done b:done f2:done c:done d:done end:done"
    );
}

#[test]
fn join_is_an_ordinary_id_in_a_process_without_branches() {
    let mut run = Run::start(
        "- {id: a, agent: x, next: join}\n- {id: other, agent: x}\n- {id: join, approve: x, person: finance, on_reject: other}\n\
         - {id: end, finish: d}",
    );
    run.work("a");
    assert_eq!(run.states(), "a:done join:waiting");
}

/// What ends the run, by a branch step that is open.
#[test]
fn run_ending_event_in_a_branch_cancels_everything() {
    let branches = "- {id: a, approve: x, person: finance, next: a2}\n- {id: a2, agent: x, next: join}\n\
                    - {id: b, wait: 1h, next: b2}\n- {id: b2, agent: x, next: join}";
    let start = || Run::start(&fork(branches, AFTER));
    let mut rejected = start();
    rejected.reject("a", "no");
    assert_eq!(rejected.end(), "rejected by person: no");
    assert_eq!(rejected.states(), "fork:cancelled a:done b:cancelled");
    let mut failed = start();
    failed.fail("a", "impossible");
    assert_eq!(failed.end(), "failed by person: impossible");
    assert_eq!(failed.states(), "fork:cancelled a:failed b:cancelled");
    failed.advance_minutes(60);
    assert_eq!(
        failed.states(),
        "fork:cancelled a:failed b:cancelled",
        "timers stop"
    );
}

#[test]
fn branch_step_that_cannot_be_opened_fails_the_run() {
    let branches = "- {id: a, agent: x, output: {at: {type: datetime, optional: true}}, next: a2}\n\
                    - {id: a2, wait_until: steps.a.output.at, next: join}\n- {id: b, agent: x, next: join}";
    let mut run = Run::start(&fork(branches, AFTER));
    run.work("a");
    assert_eq!(run.states(), "fork:cancelled a:done a2:failed b:cancelled");
    assert_eq!(
        run.end(),
        "failed by server: steps.a.output.at holds no date and time"
    );
}

/// The entries open in the order of the list; after one that cannot be opened the rest is never reached.
#[test]
fn entry_that_cannot_be_opened_fails_the_run_and_later_entries_stay_null() {
    let steps = "- {id: fork, parallel: [a, b, c], next: end}\n- {id: a, agent: x, next: join}\n\
                 - {id: b, approve: x, person: inputs.boss, next: join}\n- {id: c, agent: x, next: join}\n- {id: end, finish: d}";
    let run = Run::start_with("inputs: {boss: person}", steps, r#"{"boss":"gone@example.com"}"#);
    assert_eq!(run.states(), "fork:cancelled a:cancelled b:failed");
    assert!(
        run.end().starts_with("failed by server: gone@example.com"),
        "{}",
        run.end()
    );
}

#[test]
fn escalated_branch_step_keeps_its_branch_from_joining() {
    let mut run = Run::start(&fork(TWO_AGENTS, AFTER));
    run.escalate("a");
    run.work("b");
    assert_eq!(run.states(), "fork:waiting a:waiting b:done");
    run.hand_back("a", "try the archive");
    assert_eq!(run.states(), "fork:waiting a:ready b:done");
    run.escalate("a");
    run.complete("a", "{}", None);
    assert_eq!(run.states(), "fork:done a:done b:done after:ready");
}

#[test]
fn finish_may_follow_the_join() {
    let mut run = Run::start(
        "- {id: fork, parallel: [a, b], next: end}\n- {id: a, agent: x, next: join}\n- {id: b, agent: x, next: join}\n\
         - {id: end, finish: d}",
    );
    run.work("a");
    run.work("b");
    assert_eq!(run.end(), "d by server");
    assert_eq!(run.states(), "fork:done a:done b:done end:done");
}
