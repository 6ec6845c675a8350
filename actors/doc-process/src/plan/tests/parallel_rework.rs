//! Rejections in branches and after a join (process.md §5 and §6).

use super::driver::Run;

/// Each branch is an agent and an approval that sends it back; after the join one approval goes back to the fork, and the
/// next one to the very beginning.
const REVIEW: &str = "\
- {id: plan, agent: x}
- {id: fork, parallel: [a1, b1], next: check}
- {id: a1, agent: x, next: a2}
- {id: a2, agent: x, next: a3}
- {id: a3, approve: x, person: finance, on_reject: a1, next: join}
- {id: b1, agent: x, next: b2}
- {id: b2, approve: x, person: finance, on_reject: b1, next: join}
- {id: check, approve: x, person: finance, on_reject: fork}
- {id: sign, approve: x, person: finance, on_reject: plan}
- {id: end, finish: d}";

fn forked() -> Run {
    let mut run = Run::start(REVIEW);
    run.work("plan");
    run
}

fn joined() -> Run {
    let mut run = forked();
    run.work("a1");
    run.work("a2");
    run.approve("a3");
    run.work("b1");
    run.approve("b2");
    run
}

/// b1 completed after a1, and is of another branch.
#[test]
fn rejection_inside_a_branch_rewinds_only_later_steps_of_that_branch() {
    let mut run = forked();
    run.work("a1");
    run.work("b1");
    run.work("a2");
    run.reject("a3", "again");
    assert_eq!(run.states(), "plan:done fork:waiting a1:ready b1:done b2:waiting");
    assert_eq!(run.records(), "plan:1+0 a1:1+0 a2:0+1 a3:1+0 b1:1+0");
}

#[test]
fn rejection_inside_a_branch_leaves_branches_that_have_joined() {
    let mut run = forked();
    run.work("a1");
    run.work("a2");
    run.work("b1");
    run.approve("b2");
    run.reject("a3", "again");
    assert_eq!(run.states(), "plan:done fork:waiting a1:ready b1:done b2:done");
    assert_eq!(run.records(), "plan:1+0 a1:1+0 a2:0+1 a3:1+0 b1:1+0 b2:1+0");
}

#[test]
fn branch_that_is_reworked_joins_once_and_then_all_have_joined() {
    let mut run = forked();
    run.work("b1");
    run.approve("b2");
    run.work("a1");
    run.work("a2");
    for note in ["one", "two"] {
        run.reject("a3", note);
        assert_eq!(run.states(), "plan:done fork:waiting a1:ready b1:done b2:done");
        run.work("a1");
        run.work("a2");
        assert_eq!(
            run.states(),
            "plan:done fork:waiting a1:done a2:done a3:waiting b1:done b2:done"
        );
    }
    run.approve("a3");
    assert_eq!(
        run.states(),
        "plan:done fork:done a1:done a2:done a3:done b1:done b2:done check:waiting"
    );
    assert_eq!(run.records(), "plan:1+0 a1:1+2 a2:1+2 a3:1+2 b1:1+0 b2:1+0");
}

#[test]
fn both_branches_may_be_reworked_at_once() {
    let mut run = forked();
    run.work("a1");
    run.work("b1");
    run.work("a2");
    run.reject("b2", "again");
    run.reject("a3", "again");
    assert_eq!(run.states(), "plan:done fork:waiting a1:ready b1:ready");
    run.work("a1");
    run.work("b1");
    run.approve("b2");
    run.work("a2");
    run.approve("a3");
    assert_eq!(
        run.states(),
        "plan:done fork:done a1:done a2:done a3:done b1:done b2:done check:waiting"
    );
}

/// Every step of the region completed before the fork joined.
#[test]
fn rejection_into_the_fork_rewinds_the_whole_region_and_forks_again() {
    let mut run = joined();
    run.reject("check", "all of it");
    assert_eq!(run.states(), "plan:done fork:waiting a1:ready b1:ready");
    assert_eq!(
        run.records(),
        "plan:1+0 a1:0+1 a2:0+1 a3:0+1 b1:0+1 b2:0+1 check:1+0"
    );
    run.work("a1");
    run.work("a2");
    run.approve("a3");
    assert_eq!(
        run.states(),
        "plan:done fork:waiting a1:done a2:done a3:done b1:ready"
    );
    run.work("b1");
    run.approve("b2");
    run.approve("check");
    assert_eq!(
        run.records(),
        "plan:1+0 a1:1+1 a2:1+1 a3:1+1 b1:1+1 b2:1+1 check:1+1"
    );
    assert_eq!(
        run.states(),
        "plan:done fork:done a1:done a2:done a3:done b1:done b2:done check:done sign:waiting"
    );
}

#[test]
fn rejection_into_a_step_before_the_fork_rewinds_region_and_fork() {
    let mut run = joined();
    run.approve("check");
    run.reject("sign", "from the start");
    assert_eq!(run.states(), "plan:ready");
    assert_eq!(
        run.records(),
        "plan:1+0 a1:0+1 a2:0+1 a3:0+1 b1:0+1 b2:0+1 check:0+1 sign:1+0"
    );
    run.work("plan");
    assert_eq!(run.states(), "plan:done fork:waiting a1:ready b1:ready");
}

/// What completed after the join is rewound with the region.
#[test]
fn rejection_into_the_fork_rewinds_what_completed_after_the_join() {
    let steps = REVIEW.replace("on_reject: plan", "on_reject: fork");
    let mut run = Run::start(&steps);
    run.work("plan");
    for step in ["a1", "a2"] {
        run.work(step);
    }
    run.approve("a3");
    run.work("b1");
    run.approve("b2");
    run.approve("check");
    run.reject("sign", "all of it");
    assert_eq!(run.states(), "plan:done fork:waiting a1:ready b1:ready");
    assert_eq!(
        run.records(),
        "plan:1+0 a1:0+1 a2:0+1 a3:0+1 b1:0+1 b2:0+1 check:0+1 sign:1+0"
    );
}

/// The target is between the join and the approval: the region completed before it.
#[test]
fn rejection_into_a_step_after_the_join_leaves_the_region() {
    let mut run = Run::start(
        "- {id: fork, parallel: [a, b], next: draft}\n- {id: a, agent: x, next: join}\n- {id: b, agent: x, next: join}\n\
         - {id: draft, agent: x}\n- {id: check, approve: x, person: finance, on_reject: draft}\n- {id: end, finish: d}",
    );
    for step in ["a", "b", "draft"] {
        run.work(step);
    }
    run.reject("check", "again");
    assert_eq!(run.states(), "fork:done a:done b:done draft:ready");
    assert_eq!(run.records(), "a:1+0 b:1+0 draft:1+0 check:1+0");
}

/// A route that one pass took and the next one does not stays rewound, in a branch too.
#[test]
fn branch_may_go_another_way_in_the_rework() {
    let mut run = Run::start(
        "- {id: fork, parallel: [a, b], next: check}\n- {id: a, agent: x, next: [a2, join]}\n- {id: a2, agent: x, next: join}\n\
         - {id: b, agent: x, next: join}\n- {id: check, approve: x, person: finance, on_reject: fork}\n- {id: end, finish: d}",
    );
    run.submit("a", "{}", Some("a2"));
    run.work("a2");
    run.work("b");
    run.reject("check", "again");
    run.submit("a", "{}", Some("join"));
    run.work("b");
    assert_eq!(run.states(), "fork:done a:done b:done check:waiting");
    assert_eq!(run.records(), "a:1+1 a2:0+1 b:1+1 check:1+0");
}

/// An approval that rejected and was not asked again keeps its rejection until the region is rewound.
#[test]
fn rejection_that_was_not_asked_again_is_rewound_with_the_region() {
    let mut run = Run::start(
        "- {id: fork, parallel: [a, b], next: check}\n- {id: a, agent: x, next: [a2, join]}\n\
         - {id: a2, approve: x, person: finance, on_reject: a, next: join}\n- {id: b, agent: x, next: join}\n\
         - {id: check, approve: x, person: finance, on_reject: fork}\n- {id: end, finish: d}",
    );
    run.submit("a", "{}", Some("a2"));
    run.reject("a2", "no");
    run.submit("a", "{}", Some("join"));
    run.work("b");
    assert_eq!(run.states(), "fork:done a:done b:done check:waiting");
    assert_eq!(run.records(), "a:1+1 a2:1+0 b:1+0");
    run.reject("check", "again");
    assert_eq!(run.records(), "a:0+2 a2:0+1 b:0+1 check:1+0");
}

#[test]
fn rejection_in_a_branch_may_go_ahead_in_it_and_rewinds_nothing() {
    let mut run = Run::start(
        "- {id: fork, parallel: [a, b], next: end}\n- {id: a, approve: x, person: finance, next: a2, on_reject: a3}\n\
         - {id: a2, agent: x, next: a3}\n- {id: a3, agent: x, next: join}\n- {id: b, agent: x, next: join}\n- {id: end, finish: d}",
    );
    run.work("b");
    run.reject("a", "skip it");
    assert_eq!(run.states(), "fork:waiting a3:ready b:done");
    run.work("a3");
    assert_eq!(run.end(), "d by server");
}

#[test]
fn rejection_into_its_own_approval_in_a_branch_asks_again_and_joins_nothing() {
    let mut run = Run::start(
        "- {id: fork, parallel: [a, b], next: after}\n- {id: a, approve: x, person: finance, next: join, on_reject: a}\n\
         - {id: b, agent: x, next: join}\n- {id: after, agent: x}\n- {id: end, finish: d}",
    );
    run.work("b");
    run.reject("a", "look again");
    assert_eq!(run.states(), "fork:waiting a:waiting b:done");
    run.approve("a");
    assert_eq!(run.states(), "fork:done a:done b:done after:ready");
}

/// The fork is left out at first, and an approval leads into it: it lies ahead, and nothing is rewound.
#[test]
fn rejection_may_go_ahead_into_a_fork() {
    let mut run = Run::start(
        "- {id: first, agent: x}\n- {id: check, approve: x, person: finance, on_reject: fork, next: end}\n\
         - {id: fork, parallel: [a, b], next: end}\n- {id: a, agent: x, next: join}\n- {id: b, agent: x, next: join}\n\
         - {id: end, finish: d}",
    );
    run.work("first");
    run.reject("check", "do more");
    assert_eq!(run.states(), "first:done fork:waiting a:ready b:ready");
    run.work("a");
    run.work("b");
    assert_eq!(run.end(), "d by server");
}

/// A rejection ahead rewinds nothing, so the fork is reached while its steps are done; they complete again, and the join still
/// waits for every branch.
#[test]
fn fork_that_was_not_rewound_forks_again() {
    let mut run = Run::start(
        "- {id: first, agent: x, next: [extra, fork]}\n- {id: extra, agent: x}\n- {id: fork, parallel: [a, b], next: check}\n\
         - {id: a, agent: x, next: join}\n- {id: b, agent: x, next: join}\n\
         - {id: check, approve: x, person: finance, on_reject: extra}\n- {id: end, finish: d}",
    );
    run.submit("first", "{}", Some("fork"));
    run.work("a");
    run.work("b");
    run.reject("check", "extra, please");
    assert_eq!(run.states(), "first:done extra:ready fork:done a:done b:done");
    run.work("extra");
    assert_eq!(run.states(), "first:done extra:done fork:waiting a:ready b:ready");
    run.work("b");
    assert_eq!(run.states(), "first:done extra:done fork:waiting a:ready b:done");
    run.work("a");
    assert_eq!(
        run.states(),
        "first:done extra:done fork:done a:done b:done check:waiting"
    );
    assert_eq!(run.records(), "first:1+0 extra:1+0 a:1+1 b:1+1 check:1+0");
}

/// The second fork is rewound with its region; the first one, which joined before the target completed, is not.
#[test]
fn rejection_into_one_fork_leaves_another() {
    let mut run = Run::start(
        "- {id: f1, parallel: [a, b], next: f2}\n- {id: a, agent: x, next: join}\n- {id: b, agent: x, next: join}\n\
         - {id: f2, parallel: [c, d], next: check}\n- {id: c, agent: x, next: join}\n- {id: d, agent: x, next: join}\n\
         - {id: check, approve: x, person: finance, on_reject: f2, next: sign}\n\
         - {id: sign, approve: x, person: finance, on_reject: f1}\n- {id: end, finish: d}",
    );
    for step in ["a", "b", "c", "d"] {
        run.work(step);
    }
    run.reject("check", "again");
    assert_eq!(run.states(), "f1:done a:done b:done f2:waiting c:ready d:ready");
    assert_eq!(run.records(), "a:1+0 b:1+0 c:0+1 d:0+1 check:1+0");
    run.work("c");
    run.work("d");
    run.approve("check");
    run.reject("sign", "all again");
    assert_eq!(run.states(), "f1:waiting a:ready b:ready");
    assert_eq!(run.records(), "a:0+1 b:0+1 c:0+2 d:0+2 check:0+2 sign:1+0");
}

#[test]
fn rework_of_a_fork_starts_the_due_clocks_anew() {
    let mut run = Run::start(
        "- {id: fork, parallel: [a, b], next: check}\n- {id: a, agent: x, due: 1h, next: join}\n- {id: b, agent: x, next: join}\n\
         - {id: check, approve: x, person: finance, on_reject: fork}\n- {id: end, finish: d}",
    );
    run.work("a");
    run.work("b");
    run.advance_minutes(30);
    run.reject("check", "again");
    assert_eq!(run.due_minutes("a"), Some(90));
}
