use super::{check_steps, document, file, file_with};
use crate::Next;

#[test]
fn targets_must_exist() {
    check_steps(
        "- {id: check_it, agent: x, next: aprove}\n- {id: approve, approve: x, person: p, on_reject: chek_it}\n\
         - {id: w, wait_for: e, timeout: 1d, on_timeout: gone}\n- {id: done, finish: d}",
        "unknown-step 6:34 steps[0].next\nunknown-step 7:51 steps[1].on_reject\nunknown-step 8:49 steps[2].on_timeout",
    );
    check_steps(
        "- {id: a, agent: x, next: [b, c]}\n- {id: b, finish: d}",
        "unknown-step 6:31 steps[0].next[1]",
    );
    check_steps(
        "- {id: a, agent: x, next: join}\n- {id: b, finish: d}",
        "unknown-step 6:27 steps[0].next",
    );
}

#[test]
fn join_is_an_ordinary_id_without_branches() {
    check_steps("- {id: a, agent: x, next: join}\n- {id: join, finish: d}", "");
}

#[test]
fn every_step_is_reachable() {
    check_steps(
        "- {id: a, agent: x, next: c}\n- {id: b, agent: x}\n- {id: c, finish: d}",
        "unreachable 7:3 steps[1]",
    );
    // Rejection alone is enough.
    check_steps(
        "- {id: a, approve: x, person: p, next: c, on_reject: b}\n- {id: b, finish: no}\n- {id: c, finish: d}",
        "",
    );
    // And so is a timeout, a route of a list, an entry of a parallel step.
    check_steps(
        "- {id: a, wait_for: e, timeout: 1d, on_timeout: b, next: c}\n- {id: b, finish: no}\n- {id: c, finish: d}",
        "",
    );
    check_steps(
        "- {id: a, agent: x, next: [b, c]}\n- {id: b, finish: no}\n- {id: c, finish: d}",
        "",
    );
    check_steps(
        "- {id: a, parallel: [b, c], next: d}\n- {id: b, agent: x, next: join}\n- {id: c, agent: x, next: join}\n- {id: d, finish: d}",
        "",
    );
}

#[test]
fn wrong_edge_is_reported_once_where_it_is() {
    let then = "\n- {id: b, agent: x}\n- {id: c, finish: d}";
    for (first, expected) in [
        (
            "- {id: a, agent: x, next: archive}",
            "unknown-step 6:27 steps[0].next",
        ),
        (
            "- {id: a, agent: x, next: {yes: b}}",
            "wrong-type 6:27 steps[0].next",
        ),
        ("- {id: a, agent: x, next: a}", "cycle 6:27 steps[0].next"),
    ] {
        check_steps(&format!("{first}{then}"), expected);
    }
    // A step that nothing was meant to lead to is still told.
    check_steps(
        "- {id: a, agent: x, next: archive}\n- {id: b, finish: d}\n- {id: c, finish: e}",
        "unknown-step 6:27 steps[0].next\nunreachable 8:3 steps[2]",
    );
    check_steps(
        "- {id: a, agent: x}\n- {id: b, finish: d, next: a}",
        "key-misplaced 7:22 steps[1].next",
    );
}

#[test]
fn id_that_is_refused_is_known_by_the_one_proposed_for_it() {
    check_steps(
        "- {id: Check it, agent: x}\n- {id: b, approve: x, person: p, on_reject: check_it}\n- {id: c, finish: d}",
        "step-id 6:8 steps[0].id",
    );
}

#[test]
fn last_step_names_next_or_is_a_finish() {
    check_steps("- {id: a, agent: x}", "next-missing 6:3 steps[0].next");
    check_steps("- {id: a, agent: x, next: c}\n- {id: c, finish: d}\n", "");
}

#[test]
fn following_next_no_step_is_visited_twice() {
    check_steps(
        "- {id: a, agent: x, next: a}\n- {id: b, finish: d}",
        "cycle 6:27 steps[0].next",
    );
    check_steps(
        "- {id: a, agent: x}\n- {id: b, agent: x, next: [a, c]}\n- {id: c, finish: d}",
        "cycle 7:28 steps[1].next[0]",
    );
    check_steps(
        "- {id: a, agent: x}\n- {id: b, wait_for: e, timeout: 1d, on_timeout: a}\n- {id: c, finish: d}",
        "cycle 7:49 steps[1].on_timeout",
    );
    // Two ways to one step are no cycle, and a rejection may go back.
    check_steps(
        "- {id: a, agent: x, next: [b, c]}\n- {id: b, approve: x, person: p, on_reject: a}\n- {id: c, finish: d}",
        "",
    );
}

#[test]
fn rejection_to_the_same_approval_is_a_warning() {
    check_steps(
        "- {id: a, approve: x, person: p, on_reject: a}\n- {id: b, finish: d}",
        "warning: reject-to-itself 6:45 steps[0].on_reject",
    );
}

#[test]
fn routes_are_two_or_more_on_agent_and_task() {
    check_steps(
        "- {id: a, agent: x, next: [b]}\n- {id: b, finish: d}",
        "routes-too-few 6:27 steps[0].next",
    );
    check_steps(
        "- {id: a, agent: x, next: []}\n- {id: b, finish: d}",
        "routes-too-few 6:27 steps[0].next",
    );
    check_steps(
        "- {id: a, wait: 1d, next: [b, c]}\n- {id: b, finish: d}\n- {id: c, finish: e}",
        "routes-misplaced 6:27 steps[0].next",
    );
    check_steps(
        "- {id: a, approve: x, person: p, next: [b, c]}\n- {id: b, finish: d}\n- {id: c, finish: e}",
        "routes-misplaced 6:40 steps[0].next",
    );
    check_steps(
        "- {id: a, agent: x, next: {to: b}}\n- {id: b, finish: d}",
        "wrong-type 6:27 steps[0].next",
    );
    for kind in ["agent: x", "task: x, person: p"] {
        check_steps(
            &format!("- {{id: a, {kind}, next: [b, c]}}\n- {{id: b, finish: d}}\n- {{id: c, finish: e}}"),
            "",
        );
    }
    for kind in ["wait_until: inputs.start", "wait_for: e", "parallel: [b, c]"] {
        let steps =
            format!("- {{id: a, {kind}, next: [b, c]}}\n- {{id: b, finish: d}}\n- {{id: c, finish: e}}");
        let checked = crate::check(file_with("inputs: {start: datetime}", &steps).as_bytes(), None);
        let codes: Vec<_> = checked.problems.iter().map(|problem| problem.code).collect();
        assert!(codes.contains(&"routes-misplaced"), "{kind} {codes:?}");
    }
    check_steps(
        "- {id: a, agent: x, next: [{when: y}, b]}\n- {id: b, finish: d}",
        "missing-key 6:28 steps[0].next[0].to",
    );
}

#[test]
fn when_is_not_empty() {
    check_steps(
        "- {id: a, agent: x, next: [{to: b, when: ''}, {to: c, when: ' '}]}\n- {id: b, finish: d}\n- {id: c, finish: e}",
        "when-empty 6:42 steps[0].next[0].when\nwarning: when-blank 6:61 steps[0].next[1].when",
    );
}

#[test]
fn two_routes_to_one_step_are_a_warning() {
    check_steps(
        "- {id: a, agent: x, next: [b, {to: b, when: y}]}\n- {id: b, finish: d}",
        "warning: route-twice 6:36 steps[0].next[1].to",
    );
}

#[test]
fn default_next_is_the_following_step() {
    let document = document(&file("- {id: a, agent: x}\n- {id: b, finish: d}"));
    assert_eq!(document.process.steps[0].next, Next::To("b".to_owned()));
    assert_eq!(document.process.steps[1].next, Next::Nowhere);
}

#[test]
fn long_chains_are_walked_without_recursion() {
    use std::fmt::Write as _;
    let mut steps = String::new();
    for index in 0..crate::STEPS_MAX - 1 {
        let _ = writeln!(steps, "- {{id: s{index}, agent: x}}");
    }
    check_steps(&format!("{steps}- {{id: end, finish: d}}"), "");
}
