//! Routes: a list only on agent and task, `when` not empty, two routes to one step a warning (process.md §2).

use std::collections::BTreeSet;

use doc_kit::Problem;

use crate::draft::{Draft, DraftNext, DraftRoute};
use crate::model::Kind;
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for step in &draft.steps {
        let Some(DraftNext::Choose { routes, at }) = &step.next else {
            continue;
        };
        let kind = step.kind.as_ref().map(|kind| kind.value);
        if let Some(kind) = kind.filter(|kind| !matches!(kind, Kind::Agent | Kind::Task | Kind::Finish)) {
            let message = format!("Nobody chooses a route on a step of kind `{}`.", kind.as_str());
            let problem = Problem::error("routes-misplaced", &at.path, at.position, message);
            let fix = if kind == Kind::Approve {
                "Write the id of one step; where a rejection leads stands in `on_reject`."
            } else {
                "Write the id of one step."
            };
            problems.push(problem.fix(fix));
        }
        for route in routes {
            when(route, problems);
        }
        twice(routes, problems);
    }
}

fn when(route: &DraftRoute, problems: &mut Vec<Problem>) {
    let Some(when) = route.when.as_ref().filter(|when| when.value.trim().is_empty()) else {
        return;
    };
    let problem = if when.value.is_empty() {
        Problem::error("when-empty", &when.path, when.position, "`when` is empty.")
    } else {
        Problem::warning("when-blank", &when.path, when.position, "`when` is blank.")
    };
    problems.push(problem.fix("Say when to choose this route, or delete `when`."));
}

fn twice(routes: &[DraftRoute], problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for to in routes.iter().filter_map(|route| route.to.as_ref()) {
        if !seen.insert(&to.value) {
            let message = format!("Two routes go to `{}`.", shorten(&to.value));
            problems.push(
                Problem::warning("route-twice", &to.path, to.position, message).fix("Join them into one."),
            );
        }
    }
}
