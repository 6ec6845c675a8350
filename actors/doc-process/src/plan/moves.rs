//! Where a run goes on.

use run_core::plan::{EndedBy, Move};
use run_core::{RunState, StepId};

use super::ProcessPlan;
use crate::model::{Next, StepKind};

impl ProcessPlan {
    /// Opens a step; a finish ends the run at once.
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
            _ => vec![Move::Reach(step)],
        }
    }

    /// To the chosen route, or where `next` says.
    pub(super) fn go_on(&self, step: &StepId, chosen: Option<&str>) -> Vec<Move> {
        let to = match (self.step(step.as_str()).map(|step| &step.next), chosen) {
            (Some(Next::To(to)), _) => Some(to.as_str()),
            (Some(Next::Choose(_)), chosen) => chosen,
            (Some(Next::Nowhere) | None, _) => None,
        };
        to.map(|to| self.reach(to)).unwrap_or_default()
    }

    pub(super) fn after_timeout(&self, step: &StepId) -> Vec<Move> {
        match self.step(step.as_str()).map(|step| &step.kind) {
            Some(StepKind::WaitFor {
                on_timeout: Some(to), ..
            }) => self.reach(to),
            _ => self.go_on(step, None),
        }
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
        let mut moves = self.rewound(step.as_str(), target, state);
        moves.extend(self.reach(target));
        moves
    }

    /// Every step that completed after the target's latest completion, except the two of them. A target that has no current
    /// completion lies ahead, and nothing is rewound (process.md §5).
    fn rewound(&self, rejecting: &str, target: &str, state: &RunState) -> Vec<Move> {
        let completed = |step: &str| state.step(step).and_then(|step| step.completed_seq);
        let Some(since) = completed(target) else {
            return Vec::new();
        };
        let ids = self.outlines.iter().map(|outline| &outline.id);
        let later = ids.filter(|id| {
            let id = id.as_str();
            id != rejecting && id != target && completed(id).is_some_and(|seq| seq > since)
        });
        later.cloned().map(Move::Rewind).collect()
    }
}
