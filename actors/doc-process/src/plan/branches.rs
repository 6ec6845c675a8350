//! Which step belongs to which branch of which parallel step (process.md §6).

use std::collections::BTreeMap;

use run_core::StepId;

use crate::model::{JOIN, Next, Process, Step, StepKind};

/// The branch of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    /// The step that forks into it.
    pub(super) parallel: StepId,
    /// Its first step. No step is in two branches, so this names the branch.
    pub(super) entry: StepId,
}

/// The branches of a process without errors: an entry and everything reachable from it by `next` and `on_timeout`, up to `join`.
pub(super) fn branches(process: &Process) -> BTreeMap<StepId, Branch> {
    let steps: BTreeMap<&str, &Step> = process
        .steps
        .iter()
        .map(|step| (step.id.as_str(), step))
        .collect();
    let mut branches = BTreeMap::new();
    for step in &process.steps {
        let StepKind::Parallel(entries) = &step.kind else {
            continue;
        };
        for entry in entries {
            let branch = Branch {
                parallel: step.id.as_str().into(),
                entry: entry.as_str().into(),
            };
            let mut open = vec![entry.as_str()];
            while let Some(id) = open.pop() {
                if id != JOIN && branches.insert(StepId::from(id), branch.clone()).is_none() {
                    open.extend(steps.get(id).into_iter().flat_map(|step| onward(step)));
                }
            }
        }
    }
    branches
}

/// Where `next` and `on_timeout` lead.
fn onward(step: &Step) -> Vec<&str> {
    let mut to: Vec<&str> = match &step.next {
        Next::Nowhere => Vec::new(),
        Next::To(to) => vec![to],
        Next::Choose(routes) => routes.iter().map(|route| route.to.as_str()).collect(),
    };
    if let StepKind::WaitFor {
        on_timeout: Some(on_timeout),
        ..
    } = &step.kind
    {
        to.push(on_timeout);
    }
    to
}
