//! Tasks, approvals, escalations, and whom they are for (process.md §2 and §5).

use run_core::EvidenceKind;
use run_core::command::Verdict;
use run_core::state::Submission;

use super::driver::{Run, issues_of_start, object};

/// A person offers a price; the way on depends on it.
const OFFER: &str = "\
- {id: offer, task: Make an offer., person: finance, output: {price: number}, evidence: [link], due: 2h,
   next: [{to: sign, when: it is high}, done]}
- {id: sign, approve: Sign it?, person: finance, due: 1d}
- {id: done, finish: offered}";

fn offer() -> Submission {
    Submission {
        output: object(r#"{"price":12345678901234567890.10}"#),
        evidence: vec![(EvidenceKind::Link, "room 4".to_owned())],
        summary: None,
        next: Some("sign".to_owned()),
        reason: Some("It is high.".to_owned()),
    }
}

#[test]
fn task_is_completed_by_a_person_with_output_evidence_and_a_chosen_route() {
    let mut run = Run::start(OFFER);
    assert_eq!(run.states(), "offer:waiting");
    run.complete_as("offer", offer());
    assert_eq!(run.states(), "offer:done sign:waiting");
    assert_eq!(
        run.record("offer"),
        r#"{"at":"00:00","by":"mira","evidence":[{"kind":"link","ref":"room 4"}],"history":[],"#.to_owned()
            + r#""next":"sign","output":{"price":12345678901234567890.10},"reason":"It is high."}"#
    );
}

#[test]
fn task_records_a_summary_when_there_is_one() {
    let mut run = Run::start("- {id: a, task: x, person: finance}\n- {id: b, finish: d}");
    let summary = Some("We met.".to_owned());
    run.complete_as(
        "a",
        Submission {
            summary,
            ..Submission::default()
        },
    );
    assert_eq!(
        run.record("a"),
        r#"{"at":"00:00","by":"mira","evidence":[],"history":[],"output":{},"summary":"We met."}"#
    );
    assert_eq!(run.end(), "d by server");
}

#[test]
fn tasks_result_is_judged_like_an_agents() {
    let mut run = Run::start(OFFER);
    let nothing = run.refused_completion("offer", Submission::default());
    assert_eq!(
        nothing,
        [
            "evidence: link required",
            "next: required, one of sign, done",
            "reason: required",
            "output.price: missing",
        ]
    );
    let wrong = Submission {
        output: object(r#"{"price":"high"}"#),
        reason: Some(" ".to_owned()),
        ..offer()
    };
    assert_eq!(
        run.refused_completion("offer", wrong),
        ["reason: required", "output.price: expected number"]
    );
    run.complete_as("offer", offer());
}

#[test]
fn route_on_a_task_without_a_list_is_an_issue() {
    let mut run = Run::start("- {id: a, task: x, person: finance}\n- {id: b, finish: d}");
    let route = |next: Option<&str>, reason: Option<&str>| Submission {
        next: next.map(str::to_owned),
        reason: reason.map(str::to_owned),
        ..Submission::default()
    };
    let issues = [
        "next: not allowed, this step has no list of routes",
        "reason: not allowed, this step has no list of routes",
    ];
    assert_eq!(run.refused_completion("a", route(Some("b"), Some("so"))), issues);
    assert_eq!(run.refused_completion("a", route(Some("b"), None)), issues[..1]);
    assert_eq!(run.refused_completion("a", route(None, Some("so"))), issues[1..]);
}

#[test]
fn failed_decision_ends_the_run_and_is_all_that_its_step_records() {
    let mut run = Run::start(OFFER);
    run.fail("offer", "No money.");
    assert_eq!(
        run.record("offer"),
        r#"{"at":"00:00","by":"mira","decision":"failed","history":[],"note":"No money."}"#
    );
    assert_eq!((run.states().as_str(), run.word()), ("offer:failed", "ended"));
    assert_eq!(run.end(), "failed by person: No money.");

    let mut run = Run::start("- {id: a, approve: x, person: finance}\n- {id: b, finish: d}");
    run.fail("a", "Nobody knows.");
    assert_eq!(
        run.record("a"),
        r#"{"at":"00:00","by":"mira","decision":"failed","history":[],"note":"Nobody knows."}"#
    );
    assert_eq!(run.states(), "a:failed");
}

#[test]
fn approval_records_its_note_when_there_is_one() {
    let steps = "- {id: a, approve: x, person: finance}\n- {id: b, finish: d}";
    for (note, recorded) in [(None, ""), (Some("Fine."), r#","note":"Fine.""#)] {
        let mut run = Run::start(steps);
        let note = note.map(str::to_owned);
        run.decide("a", Verdict::Approved { note });
        assert_eq!(
            run.record("a"),
            format!(r#"{{"at":"00:00","by":"mira","decision":"approved","history":[]{recorded}}}"#)
        );
    }
}

#[test]
fn due_runs_for_tasks_and_approvals_too() {
    let mut run = Run::start(OFFER);
    run.advance_minutes(10);
    assert_eq!(run.due_minutes("offer"), Some(120));
    run.complete_as("offer", offer());
    assert_eq!(run.due_minutes("sign"), Some(10 + 24 * 60));
    run.advance_minutes(24 * 60);
    assert_eq!(run.states(), "offer:done sign:waiting", "the work stays open");
}

#[test]
fn any_step_of_the_initiator_keeps_an_agent_from_starting() {
    let steps = "- {id: a, task: x, person: initiator}\n- {id: b, finish: d}";
    assert_eq!(
        issues_of_start("inputs: {}", steps, "{}"),
        ["initiator: only a person can start this process"]
    );
    let mut run = Run::start_by_person(steps);
    run.complete("a", "{}", None);
    assert_eq!(run.end(), "d by server");
    // Also when the run need never come to it.
    let on_the_side =
        "- {id: a, agent: x, next: [c, b]}\n- {id: b, task: x, person: initiator}\n- {id: c, finish: d}";
    assert_eq!(
        issues_of_start("inputs: {}", on_the_side, "{}"),
        ["initiator: only a person can start this process"]
    );
}

#[test]
fn person_path_names_a_member_by_an_input_or_an_output() {
    let steps = "- {id: a, approve: x, person: inputs.boss}\n- {id: b, agent: x, output: {peer: person}}\n\
                 - {id: c, task: x, person: steps.b.output.peer}\n- {id: d, finish: e}";
    let mut run = Run::start_with("inputs: {boss: person}", steps, r#"{"boss":"mira@example.com"}"#);
    run.approve("a");
    run.submit("b", r#"{"peer":"mira@example.com"}"#, None);
    run.complete("c", "{}", None);
    assert_eq!(run.end(), "e by server");
}

/// The output is one step's, the item another's: the record of the failing step says that the server failed it.
#[test]
fn person_path_that_resolves_to_no_member_fails_the_run_by_the_server() {
    let steps = "- {id: a, agent: x, output: {peer: person}}\n- {id: b, task: x, person: steps.a.output.peer}\n- {id: c, finish: d}";
    let mut run = Run::start(steps);
    run.advance_minutes(5);
    run.submit("a", r#"{"peer":"gone@example.com"}"#, None);
    assert_eq!(run.states(), "a:done b:failed");
    assert_eq!(
        run.record("b"),
        r#"{"at":"00:05","by":"server","decision":"failed","history":[],"note":"gone@example.com is not a member of this organization"}"#
    );
    assert_eq!(
        run.end(),
        "failed by server: gone@example.com is not a member of this organization"
    );
}

#[test]
fn escalated_agent_step_is_returned_and_goes_on() {
    let mut run = Run::start("- {id: a, agent: x, due: 1h}\n- {id: b, finish: d}");
    run.escalate("a");
    assert_eq!((run.states().as_str(), run.word()), ("a:waiting", "waiting"));
    run.advance_minutes(20);
    run.hand_back("a", "Look in the archive.");
    assert_eq!((run.states().as_str(), run.word()), ("a:ready", "active"));
    assert_eq!(run.due_minutes("a"), Some(60), "the clock of the attempt runs on");
    run.work("a");
    assert_eq!(run.end(), "d by server");
}

#[test]
fn escalated_agent_step_is_completed_by_an_operator_under_the_same_rules() {
    let steps = "- {id: a, agent: x, output: {price: number}, evidence: [link], next: [b, c]}\n- {id: b, finish: d}\n- {id: c, finish: e}";
    let mut run = Run::start(steps);
    run.escalate("a");
    assert_eq!(
        run.refused_completion("a", Submission::default()),
        [
            "evidence: link required",
            "next: required, one of b, c",
            "reason: required",
            "output.price: missing",
        ]
    );
    let next = Some("c".to_owned());
    run.complete_as("a", Submission { next, ..offer() });
    assert_eq!(run.end(), "e by server");
    assert!(run.record("a").contains(r#""by":"olga""#), "{}", run.record("a"));
}

#[test]
fn escalated_agent_step_that_fails_ends_the_run() {
    let mut run = Run::start("- {id: a, agent: x}\n- {id: b, finish: d}");
    run.escalate("a");
    run.fail("a", "Not by anybody.");
    assert_eq!(
        run.record("a"),
        r#"{"at":"00:00","by":"olga","decision":"failed","history":[],"note":"Not by anybody."}"#
    );
    assert_eq!(run.end(), "failed by person: Not by anybody.");
}
