//! Branches (process.md §6 and §9.3).

mod branches;

use doc_kit::Problem;

use super::graph::{Edge, EdgeKind, Graph, Target};
use crate::draft::Draft;
use crate::model::{JOIN, Kind};
use branches::Branches;
pub(super) use branches::reaching_join;

pub(super) fn check(draft: &Draft, graph: &Graph<'_>, problems: &mut Vec<Problem>) {
    if !graph.has_parallel() {
        return;
    }
    reserved_word(draft, problems);
    let branches = Branches::of(draft, graph);
    let nested = nested(draft, graph, &branches);
    let mut explained = vec![false; draft.steps.len()];
    for edge in graph.edges.iter().filter(|edge| edge.sound) {
        if let Some(problem) = problem(edge, draft, graph, (&branches, &nested)) {
            explained[edge.from] = true;
            problems.push(problem);
        }
    }
    members(draft, graph, &branches, &explained, problems);
}

/// No step may be called `join` in such a process.
fn reserved_word(draft: &Draft, problems: &mut Vec<Problem>) {
    for id in draft
        .steps
        .iter()
        .filter_map(|step| step.id.as_ref())
        .filter(|id| id.value == JOIN)
    {
        let message = "`join` is the end of a branch; no step of a process with branches may be called so.";
        problems.push(
            Problem::error("join-as-id", &id.path, id.position, message).fix("Give the step another id."),
        );
    }
}

/// What is wrong with an edge.
fn problem(
    edge: &Edge<'_>,
    draft: &Draft,
    graph: &Graph<'_>,
    (branches, nested): (&Branches, &[bool]),
) -> Option<Problem> {
    let error = |code, message: String, fix: &str| {
        Some(Problem::error(code, &edge.path, edge.position, message).fix(fix))
    };
    let from = branches.of_step(edge.from);
    if from.is_some() && edge.kind == EdgeKind::Following {
        return None; // A branch step must name `next`; that is reported at the step.
    }
    let to = match edge.to {
        Target::Join if from.is_none() && !explains_join(edge.from, nested, graph) => {
            let message = "`join` stands only inside a branch.".to_owned();
            return error("join-outside-branch", message, "Name the step to go on to.");
        }
        Target::Join | Target::Unknown { .. } => return None,
        Target::Step(to) => to,
    };
    let target = &draft.steps[to];
    let label = target.label();
    match (edge.kind, from, branches.of_step(to)) {
        (EdgeKind::Entry, None, _) => entry_problem(edge, to, draft, branches),
        (EdgeKind::OnReject, from, into) if from != into && (from.is_some() || into.is_some()) => {
            let fix = "Inside a branch a rejection stays in that branch; from outside it never enters one.";
            error(
                "reject-crosses-branch",
                format!("This rejection goes to {label}, across the edge of a branch."),
                fix,
            )
        }
        // An entry of a step that is itself in a branch: the step is reported as nested.
        (EdgeKind::OnReject, ..) | (EdgeKind::Entry, Some(_), _) => None,
        (_, Some(_), _) if target.is(Kind::Finish) => error(
            "branch-to-finish",
            format!("{label} ends the run from inside a branch."),
            "End the branch with `next: join`.",
        ),
        (_, Some(branch), _) if branch.parallel == to => error(
            "branch-to-parallel",
            format!("This goes back to {label}, the step that forks."),
            "End the branch with `next: join`.",
        ),
        (_, Some(_), _) if target.is(Kind::Parallel) => error(
            "parallel-nested",
            format!("{label} forks inside a branch."),
            "Branches do not nest; fork after the join.",
        ),
        (_, Some(branch), Some(other)) if branch != other => error(
            "branch-shared",
            format!("{label} belongs to another branch too."),
            "Give each branch a step of its own.",
        ),
        (_, Some(_), None) => error(
            "branch-leaves",
            format!("{label} lies outside of the branch."),
            "End the branch with `next: join`.",
        ),
        (EdgeKind::Following, None, Some(_)) => error(
            "branch-entered",
            format!(
                "{} names no `next`, and the step below it, {label}, is inside a branch.",
                draft.steps[edge.from].label()
            ),
            "Add `next` with the step to go on to.",
        ),
        (_, None, Some(_)) => error(
            "branch-entered",
            format!("{label} is inside a branch; only its parallel step leads there."),
            "Name another step.",
        ),
        _ => None,
    }
}

/// True when another problem is the reason why this step seems to be outside of the branches.
fn explains_join(step: usize, nested: &[bool], graph: &Graph<'_>) -> bool {
    nested[step] || graph.branches_unclear() || graph.index_of(JOIN).is_some()
}

/// The parallel steps that a branch leads to.
fn nested(draft: &Draft, graph: &Graph<'_>, branches: &Branches) -> Vec<bool> {
    let mut nested = vec![false; draft.steps.len()];
    for edge in &graph.edges {
        if let Target::Step(to) = edge.to {
            nested[to] |= draft.steps[to].is(Kind::Parallel)
                && (edge.kind == EdgeKind::Entry || branches.of_step(edge.from).is_some());
        }
    }
    nested
}

/// What is wrong with an entry of a parallel step.
fn entry_problem(edge: &Edge<'_>, to: usize, draft: &Draft, branches: &Branches) -> Option<Problem> {
    let target = &draft.steps[to];
    let label = target.label();
    let (code, message, fix) = if target.is(Kind::Finish) {
        (
            "branch-to-finish",
            format!("{label} ends the run from inside a branch."),
            "Begin the branch with work.",
        )
    } else if to == edge.from {
        (
            "branch-to-parallel",
            format!("{label} cannot be a branch of itself."),
            "Name the first step of a branch.",
        )
    } else if target.is(Kind::Parallel) {
        (
            "parallel-nested",
            format!("{label} forks inside a branch."),
            "Branches do not nest; fork after the join.",
        )
    } else if branches
        .of_step(to)
        .is_some_and(|branch| branch.entry_path != edge.path)
    {
        (
            "branch-shared",
            format!("{label} belongs to another branch too."),
            "Give each branch a step of its own.",
        )
    } else {
        return None;
    };
    Some(Problem::error(code, &edge.path, edge.position, message).fix(fix))
}

/// Each step of a branch names `next` and reaches `join`. Where a wrong edge is the reason, that one is reported already.
fn members(
    draft: &Draft,
    graph: &Graph<'_>,
    branches: &Branches,
    explained: &[bool],
    problems: &mut Vec<Problem>,
) {
    let last = draft.steps.len() - 1;
    for (index, step) in draft.steps.iter().enumerate() {
        if branches.of_step(index).is_none() {
            continue;
        }
        // A last step without `next` is reported by the rule for every process.
        if step.key("next").is_none() && index != last {
            let message = format!(
                "The step {} is inside a branch and does not name `next`.",
                step.label()
            );
            let problem = Problem::error(
                "branch-next-missing",
                &step.path.key("next"),
                step.position,
                message,
            );
            problems.push(problem.fix("Add `next`: a step of the branch, or `join`."));
        } else if !branches.reaches_join(index)
            && step.key("next").is_some()
            && !explained[index]
            && !goes_on_in_branch(index, graph, branches)
        {
            let message = format!("From the step {} the branch never reaches `join`.", step.label());
            let problem = Problem::error("branch-without-join", &step.path, step.position, message);
            problems.push(problem.fix("Let the branch end with `next: join`."));
        }
    }
}

/// True when the way to `join` is another step's to find.
fn goes_on_in_branch(step: usize, graph: &Graph<'_>, branches: &Branches) -> bool {
    graph
        .leaving(step)
        .filter(|edge| edge.kind.goes_on())
        .any(|edge| edge.to.meant().is_some_and(|to| branches.of_step(to).is_some()))
}
