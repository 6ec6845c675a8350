use super::check_steps;

/// A fork into two branches, a step after the join, and a finish; lines 6 to 11.
const FORK: &str = "- {id: start, agent: x}\n- {id: fork, parallel: [a, b], next: after}\n- {id: a, agent: x, next: join}\n\
                    - {id: b, agent: x, next: join}\n- {id: after, agent: x}\n- {id: done, finish: d}";

/// The same with one line replaced.
fn with(line: &str, replacement: &str) -> String {
    assert!(FORK.contains(line));
    FORK.replace(line, replacement)
}

const A: &str = "- {id: a, agent: x, next: join}";
const AFTER: &str = "- {id: after, agent: x}";

#[test]
fn branches_end_at_join_and_that_is_no_cycle() {
    check_steps(FORK, "");
    check_steps(
        &with(
            A,
            "- {id: a, agent: x, next: [{to: join, when: y}, a2]}\n- {id: a2, wait_for: e, timeout: 1d, on_timeout: join, next: join}",
        ),
        "",
    );
}

#[test]
fn parallel_takes_next_and_nothing_else() {
    for (key, value) in [
        ("due", "1d"),
        ("output", "{}"),
        ("evidence", "[link]"),
        ("person", "p"),
        ("on_reject", "start"),
        ("timeout", "1d"),
    ] {
        check_steps(
            &FORK.replace("next: after", &format!("next: after, {key}: {value}")),
            &format!("key-misplaced 7:45 steps[1].{key}"),
        );
    }
    check_steps(
        &FORK.replace("next: after", "next: after, check: q"),
        "key-misplaced 7:45 steps[1].check\nwarning: needs-evaluator 7:45 steps[1].check",
    );
    check_steps(
        &FORK.replace("next: after", "next: after, advisory: true"),
        "advisory-alone 7:45 steps[1].advisory\nkey-misplaced 7:45 steps[1].advisory",
    );
    check_steps(
        &FORK.replace("next: after", "next: after, on_timeout: after"),
        "key-misplaced 7:45 steps[1].on_timeout\nwarning: timeout-missing 7:45 steps[1].on_timeout",
    );
    check_steps(
        &FORK.replace("next: after", "next: [after, done]"),
        "routes-misplaced 7:38 steps[1].next",
    );
}

#[test]
fn parallel_needs_two_branches_that_exist() {
    check_steps(
        "- {id: f, parallel: [a], next: d}\n- {id: a, agent: x, next: join}\n- {id: d, finish: d}",
        "parallel-too-few 6:21 steps[0].parallel",
    );
    check_steps(
        "- {id: f, parallel: a, next: d}\n- {id: d, finish: d}",
        "wrong-type 6:21 steps[0].parallel",
    );
    check_steps(
        &FORK.replace("[a, b]", "[a, b, c]"),
        "unknown-step 7:31 steps[1].parallel[2]",
    );
    check_steps(
        &FORK.replace("[a, b]", "[a, b, a]"),
        "branch-shared 7:31 steps[1].parallel[2]",
    );
}

#[test]
fn branches_that_cannot_be_read_are_reported_once() {
    for (entries, expected) in [
        ("[a]", "parallel-too-few 7:24 steps[1].parallel"),
        ("a and b", "wrong-type 7:24 steps[1].parallel"),
        ("[a, fiscal]", "unknown-step 7:28 steps[1].parallel[1]"),
        ("[{id: c, agent: x}, b]", "wrong-type 7:25 steps[1].parallel[0]"),
    ] {
        check_steps(&FORK.replace("[a, b]", entries), expected);
    }
    check_steps(
        &FORK.replace("id: b,", "id: brim,").replace("[a, b]", "[a, brin]"),
        "unknown-step 7:28 steps[1].parallel[1]",
    );
    check_steps(
        &with(
            A,
            "- {id: a, parallel: [c, e], next: join}\n- {id: c, agent: x, next: join}\n- {id: e, agent: x, next: join}",
        ),
        "parallel-nested 7:25 steps[1].parallel[0]",
    );
}

#[test]
fn branch_steps_name_next() {
    check_steps(
        &with(A, "- {id: a, agent: x}"),
        "branch-next-missing 8:3 steps[2].next",
    );
}

#[test]
fn branches_reach_join_and_never_a_finish() {
    check_steps(
        &with(A, "- {id: a, agent: x, next: done}"),
        "branch-to-finish 8:27 steps[2].next",
    );
    check_steps(
        &FORK.replace("[a, b]", "[a, b, done]"),
        "branch-to-finish 7:31 steps[1].parallel[2]",
    );
}

#[test]
fn branches_do_not_leave() {
    check_steps(
        &with(A, "- {id: a, agent: x, next: [join, after]}"),
        "branch-leaves 8:34 steps[2].next[1]",
    );
    check_steps(
        &with(A, "- {id: a, agent: x, next: [join, fork]}"),
        "branch-to-parallel 8:34 steps[2].next[1]",
    );
}

/// A step that only a timeout leads to is of the branch like any other: it may not leave it, be shared, or be a target from outside.
#[test]
fn branch_has_what_next_and_on_timeout_reach() {
    let timed = "- {id: a, wait_for: e, timeout: 1d, on_timeout: late, next: join}\n- {id: late, agent: x, next: join}";
    check_steps(&with(A, timed), "");
    check_steps(
        &with(A, &timed.replace("x, next: join", "x, next: after")),
        "branch-leaves 9:30 steps[3].next",
    );
    check_steps(
        &with(A, timed).replace("id: b, agent: x, next: join", "id: b, agent: x, next: late"),
        "branch-shared 10:27 steps[4].next",
    );
    check_steps(
        &with(A, timed).replace(AFTER, "- {id: after, approve: x, person: p, on_reject: late}"),
        "reject-crosses-branch 11:49 steps[5].on_reject",
    );
    check_steps(
        &with(
            A,
            "- {id: a, wait_for: e, timeout: 1d, on_timeout: after, next: join}",
        ),
        "branch-leaves 8:49 steps[2].on_timeout",
    );
}

#[test]
fn branches_share_no_step() {
    check_steps(
        &with(A, "- {id: a, agent: x, next: c}\n- {id: c, agent: x, next: join}")
            .replace("- {id: b, agent: x, next: join}", "- {id: b, agent: x, next: c}"),
        "branch-shared 10:27 steps[4].next",
    );
}

#[test]
fn nothing_outside_routes_into_a_branch() {
    check_steps(
        &FORK.replace(
            "- {id: start, agent: x}",
            "- {id: start, agent: x, next: [fork, a]}",
        ),
        "branch-entered 6:38 steps[0].next[1]",
    );
    check_steps(
        &FORK.replace(
            "- {id: start, agent: x}",
            "- {id: start, wait_for: e, timeout: 1d, on_timeout: a, next: fork}",
        ),
        "branch-entered 6:53 steps[0].on_timeout",
    );
}

#[test]
fn parallel_step_whose_default_next_is_an_entry_is_refused() {
    check_steps(&FORK.replace(", next: after", ""), "branch-entered 7:3 steps[1]");
}

#[test]
fn join_stands_only_inside_a_branch() {
    check_steps(
        &with(AFTER, "- {id: after, agent: x, next: [join, done]}"),
        "join-outside-branch 10:32 steps[4].next[0]",
    );
    check_steps(
        &FORK.replace("- {id: done, finish: d}", "- {id: join, finish: d}"),
        "join-as-id 11:8 steps[5].id",
    );
}

#[test]
fn branches_do_not_nest() {
    check_steps(
        &with(
            A,
            "- {id: a, agent: x, next: [join, f2]}\n- {id: f2, parallel: [c, e], next: after}\n- {id: c, agent: x, next: join}\n- {id: e, agent: x, next: join}",
        ),
        "parallel-nested 8:34 steps[2].next[1]",
    );
}

#[test]
fn rejection_stays_in_its_branch() {
    let rejecting = |target: &str| {
        with(
            A,
            &format!(
                "- {{id: a, agent: x, next: a2}}\n- {{id: a2, approve: x, person: p, next: join, on_reject: {target}}}"
            ),
        )
    };
    check_steps(&rejecting("a"), "");
    for target in ["b", "fork", "start", "done", "after"] {
        check_steps(
            &rejecting(target),
            "reject-crosses-branch 9:58 steps[3].on_reject",
        );
    }
    check_steps(&rejecting("join"), "unknown-step 9:58 steps[3].on_reject");
}

#[test]
fn rejection_after_the_join_goes_anywhere_but_into_a_branch() {
    let rejecting = |target: &str| {
        with(
            AFTER,
            &format!("- {{id: after, approve: x, person: p, on_reject: {target}}}"),
        )
    };
    for target in ["fork", "start", "done"] {
        check_steps(&rejecting(target), "");
    }
    for target in ["a", "b"] {
        check_steps(
            &rejecting(target),
            "reject-crosses-branch 10:49 steps[4].on_reject",
        );
    }
}

#[test]
fn cycle_inside_a_branch_is_a_cycle() {
    check_steps(
        &with(
            A,
            "- {id: a, agent: x, next: a2}\n- {id: a2, agent: x, next: [a, join]}",
        ),
        "cycle 9:29 steps[3].next[0]",
    );
}
