//! Where a run goes on.

use run_core::plan::{EndedBy, Move};
use run_core::state::StepState;
use run_core::{RunState, StepId};

use super::ProcessPlan;
use super::branches::Branch;
use crate::model::{JOIN, Next, StepKind};

impl ProcessPlan {
    /// Opens a step. A finish ends the run at once; a fork opens all its entries in the same write (process.md §6).
    pub(super) fn reach(&self, id: &str) -> Vec<Move> {
        let step = StepId::from(id);
        match self.step(id).map(|planned| &planned.kind) {
            Some(StepKind::Finish(outcome)) => {
                vec![
                    Move::Satisfied(step),
                    Move::End {
                        outcome: outcome.clone(),
                        by: EndedBy::Server,
                        note: None,
                    },
                ]
            }
            Some(StepKind::Parallel(entries)) => {
                let entries = entries.iter().map(|entry| Move::Reach(entry.as_str().into()));
                std::iter::once(Move::Reach(step)).chain(entries).collect()
            }
            _ => vec![Move::Reach(step)],
        }
    }

    /// To the chosen route, or where `next` says.
    pub(super) fn go_on(&self, step: &StepId, chosen: Option<&str>, state: &RunState) -> Vec<Move> {
        let to = match (self.step(step.as_str()).map(|step| &step.next), chosen) {
            (Some(Next::To(to)), _) => Some(to.as_str()),
            (Some(Next::Choose(_)), chosen) => chosen,
            (Some(Next::Nowhere) | None, _) => None,
        };
        to.map(|to| self.follow(step, to, state)).unwrap_or_default()
    }

    pub(super) fn after_timeout(&self, step: &StepId, state: &RunState) -> Vec<Move> {
        match self.step(step.as_str()).map(|step| &step.kind) {
            Some(StepKind::WaitFor {
                on_timeout: Some(to), ..
            }) => self.follow(step, to, state),
            _ => self.go_on(step, None, state),
        }
    }

    /// Along an edge: to a step, or to the join of the branch that the edge lies in.
    fn follow(&self, from: &StepId, to: &str, state: &RunState) -> Vec<Move> {
        match self.branches.get(from) {
            Some(branch) if to == JOIN => self.join(branch, state),
            _ => self.reach(to),
        }
    }

    /// A branch has come to `join`. With the last one the parallel step is done, and its `next` is reached (process.md §6).
    ///
    /// Nothing has to be remembered about the branches that joined before: a branch is under way exactly while one of its steps
    /// is open. The fork opens every entry in one write, before any of them can complete. From then on what closes a step of a
    /// branch opens another one of that branch (`next`, `on_timeout`, `on_reject` stay inside), joins it, or ends the run; and
    /// nothing from outside opens one. So a branch has one open step until it joins, and none afterwards until the next fork.
    fn join(&self, branch: &Branch, state: &RunState) -> Vec<Move> {
        let parallel = &branch.parallel;
        let is_open = |step: &StepId| state.step(step.as_str()).is_some_and(StepState::is_open);
        let mut region = self
            .branches
            .iter()
            .filter(|(_, other)| other.parallel == *parallel);
        if region.any(|(step, _)| is_open(step)) {
            return Vec::new();
        }
        let mut moves = vec![Move::Satisfied(parallel.clone())];
        moves.extend(self.go_on(parallel, None, state));
        moves
    }

    /// Into `on_reject`, or to the end of the run with the rejection's note (core-2 §3.1 and §3.5).
    pub(super) fn after_rejection(&self, step: &StepId, note: &str, state: &RunState) -> Vec<Move> {
        let target = match self.step(step.as_str()).map(|step| &step.kind) {
            Some(StepKind::Approve {
                on_reject: Some(target),
                ..
            }) => target.as_str(),
            _ => {
                return vec![Move::End {
                    outcome: "rejected".to_owned(),
                    by: EndedBy::Cause,
                    note: Some(note.to_owned()),
                }];
            }
        };
        let mut moves = self.rewound(step, target, state);
        moves.extend(self.reach(target));
        moves
    }

    /// Every step that completed after the target's latest completion, except the rejecting approval (process.md §5). A rejection inside a
    /// branch rewinds only steps of that branch; one into a parallel step rewinds its whole region, which completed before the
    /// join did (§6).
    ///
    /// The completion that counts is the one whose record is current. A target that was never completed lies ahead, and nothing is
    /// rewound. So does one that was itself rewound: it is not reached now and has no value (core-2 §3.1). What completed since its
    /// former completion is the rework that leads to it anew; to rewind that would take from the target what it is to work on.
    fn rewound(&self, rejecting: &StepId, target: &str, state: &RunState) -> Vec<Move> {
        let completed = |step: &str| state.step(step).and_then(|step| step.completed_seq);
        let Some(since) = completed(target) else {
            return Vec::new();
        };
        let here = self.branches.get(rejecting);
        let is_later = |step: &StepId, seq: u64| {
            let branch = self.branches.get(step);
            let is_of_target = branch.is_some_and(|branch| branch.parallel.as_str() == target);
            (seq > since || is_of_target) && (here.is_none() || branch == here)
        };
        let ids = self.outlines.iter().map(|outline| &outline.id);
        let later =
            ids.filter(|id| *id != rejecting && completed(id.as_str()).is_some_and(|seq| is_later(id, seq)));
        later.cloned().map(Move::Rewind).collect()
    }
}
