//! Moves worked out by hand, on runs that go through the lifecycle itself.

mod driver;
mod parallel;
mod parallel_rework;
mod people;
mod property;
mod records;
mod rework;
mod waits;

use driver::{Run, issues_of_start};

/// An agent screens, a person approves, a rejection goes back; the agent may also decline.
const SCREENING: &str = "\
- {id: check, agent: Screen it., output: {cleared: boolean}, next: [{to: tidy, when: fine}, decline]}
- {id: tidy, agent: Tidy up., due: 2d}
- {id: approve, approve: Approve it., person: finance, on_reject: check, next: done}
- {id: decline, finish: declined}
- {id: done, finish: onboarded}";

#[test]
fn first_step_is_ready_at_start() {
    let run = Run::start(SCREENING);
    assert_eq!(run.states(), "check:ready");
}

#[test]
fn chosen_route_is_followed() {
    let mut run = Run::start(SCREENING);
    run.submit("check", r#"{"cleared":true}"#, Some("tidy"));
    assert_eq!(run.states(), "check:done tidy:ready");
}

#[test]
fn finish_ends_the_run_with_its_outcome() {
    let mut run = Run::start(SCREENING);
    run.submit("check", r#"{"cleared":false}"#, Some("decline"));
    assert_eq!(run.states(), "check:done decline:done");
    assert_eq!(run.end(), "declined by server");
}

#[test]
fn approval_goes_on_at_next() {
    let mut run = Run::start(SCREENING);
    run.submit("check", r#"{"cleared":true}"#, Some("tidy"));
    run.submit("tidy", "{}", None);
    assert_eq!(run.states(), "check:done tidy:done approve:waiting");
    run.approve("approve");
    assert_eq!(run.end(), "onboarded by server");
}

#[test]
fn rejection_rewinds_what_completed_after_its_target() {
    let mut run = Run::start(SCREENING);
    run.submit("check", r#"{"cleared":true}"#, Some("tidy"));
    run.submit("tidy", "{}", None);
    run.reject("approve", "again, please");
    // The target keeps its record until it completes again; the step between has none; the approval keeps its rejection.
    assert_eq!(run.states(), "check:ready");
    assert_eq!(run.records(), "check:1+0 tidy:0+1 approve:1+0");
    run.submit("check", r#"{"cleared":true}"#, Some("tidy"));
    assert_eq!(run.records(), "check:1+1 tidy:0+1 approve:1+0");
    run.submit("tidy", "{}", None);
    run.approve("approve");
    assert_eq!(run.records(), "check:1+1 tidy:1+1 approve:1+1");
    assert_eq!(run.end(), "onboarded by server");
}

#[test]
fn route_not_taken_again_stays_rewound() {
    let mut run = Run::start(SCREENING);
    run.submit("check", r#"{"cleared":true}"#, Some("tidy"));
    run.submit("tidy", "{}", None);
    run.reject("approve", "no");
    run.submit("check", r#"{"cleared":false}"#, Some("decline"));
    assert_eq!(run.states(), "check:done decline:done");
    assert_eq!(run.records(), "check:1+1 tidy:0+1 approve:1+0");
}

#[test]
fn rejection_without_on_reject_ends_the_run_with_its_note() {
    let mut run = Run::start("- {id: a, approve: x, person: finance}\n- {id: b, finish: d}");
    run.reject("a", "not like this");
    assert_eq!(run.end(), "rejected by person: not like this");
    assert_eq!(run.states(), "a:done");
}

#[test]
fn rejection_may_go_ahead_and_rewinds_nothing() {
    let mut run = Run::start(
        "- {id: a, agent: x}\n- {id: b, approve: x, person: finance, on_reject: c, next: d}\n- {id: c, agent: x}\n- {id: d, finish: e}",
    );
    run.submit("a", "{}", None);
    run.reject("b", "another way");
    assert_eq!(run.states(), "a:done c:ready");
    assert_eq!(run.records(), "a:1+0 b:1+0");
    run.submit("c", "{}", None);
    assert_eq!(run.end(), "e by server");
}

#[test]
fn rejection_may_go_to_a_finish() {
    let mut run = Run::start(
        "- {id: a, agent: x}\n- {id: b, approve: x, person: finance, on_reject: no, next: yes}\n- {id: no, finish: refused}\n- {id: yes, finish: agreed}",
    );
    run.submit("a", "{}", None);
    run.reject("b", "no");
    assert_eq!(run.end(), "refused by server");
    assert_eq!(run.records(), "a:1+0 b:1+0");
}

#[test]
fn rejection_into_itself_asks_again() {
    let mut run = Run::start(
        "- {id: a, agent: x}\n- {id: b, approve: x, person: finance, on_reject: b}\n- {id: c, finish: d}",
    );
    run.submit("a", "{}", None);
    run.reject("b", "look again");
    assert_eq!(run.states(), "a:done b:waiting");
    assert_eq!(run.records(), "a:1+0 b:1+0");
    run.approve("b");
    assert_eq!(run.records(), "a:1+0 b:1+1");
}

/// Two approvals one after the other: the second one's rejection rewinds the first one's approval too.
#[test]
fn rejection_rewinds_approvals_between() {
    let mut run = Run::start(
        "- {id: a, agent: x}\n- {id: b, approve: x, person: finance, on_reject: a}\n- {id: c, approve: x, person: finance, on_reject: a}\n- {id: d, finish: e}",
    );
    run.submit("a", "{}", None);
    run.reject("b", "one");
    run.submit("a", "{}", None);
    run.approve("b");
    run.reject("c", "two");
    assert_eq!(run.states(), "a:ready");
    assert_eq!(run.records(), "a:1+1 b:0+2 c:1+0");
}

#[test]
fn due_runs_from_the_moment_the_step_is_reached() {
    let mut run = Run::start(SCREENING);
    run.advance_minutes(5);
    run.submit("check", r#"{"cleared":true}"#, Some("tidy"));
    assert_eq!(run.due_minutes("tidy"), Some(5 + 2 * 24 * 60));
    assert_eq!(run.due_minutes("check"), None);
}

#[test]
fn inputs_are_checked_at_start() {
    let inputs = "inputs: {amount: number, boss: {type: person, optional: true}}";
    let issues = issues_of_start(inputs, "- {id: a, finish: d}", r#"{"amount":"5","other":1}"#);
    assert_eq!(
        issues,
        ["inputs.amount: expected number", "inputs.other: not declared"]
    );
    assert!(issues_of_start(inputs, "- {id: a, finish: d}", r#"{"amount":5}"#).is_empty());
}

#[test]
fn agent_cannot_start_a_process_that_asks_its_initiator() {
    let issues = issues_of_start(
        "inputs: {}",
        "- {id: a, approve: x, person: initiator}\n- {id: b, finish: d}",
        "{}",
    );
    assert_eq!(issues, ["initiator: only a person can start this process"]);
}

#[test]
fn initiator_is_the_person_who_started_the_run() {
    let mut run = Run::start_by_person("- {id: a, approve: x, person: initiator}\n- {id: b, finish: d}");
    run.approve("a");
    assert_eq!(run.end(), "d by server");
}

#[test]
fn output_is_judged_by_its_fields() {
    let mut run = Run::start(SCREENING);
    let issues = run.refused("check", r#"{"cleared":"yes","extra":1}"#, Some("tidy"));
    assert_eq!(
        issues,
        ["output.cleared: expected boolean", "output.extra: not declared"]
    );
    run.submit("check", r#"{"cleared":true}"#, Some("tidy"));
    assert_eq!(
        run.refused("tidy", r#"{"x":1}"#, None),
        ["output.x: not declared"]
    );
}

#[test]
fn person_path_that_names_nobody_fails_the_run() {
    let steps = "- {id: a, agent: x, output: {boss: {type: person, optional: true}}}\n- {id: b, approve: x, person: steps.a.output.boss}\n- {id: c, finish: d}";
    let mut run = Run::start(steps);
    run.submit("a", "{}", None);
    assert_eq!(run.states(), "a:done b:failed");
    assert!(run.end().starts_with("failed by server: "), "{}", run.end());
}
