//! `claim`: an agent takes a ready step (core-2 §3.3, tools.md).

use base::Caller;

use super::identity;
use crate::command::Lease;
use crate::draft::{Draft, Stop};
use crate::event::EventKind;
use crate::plan::{Ask, Performer};
use crate::refusal::{Conflict, Missing, Unentitled};
use crate::state::{Phase, StepState};
use crate::words::{ClaimNumber, StepId};

pub(super) fn claim(draft: &mut Draft<'_>, step: &str, by: &Caller, lease: Lease) -> Result<(), Stop> {
    let step = StepId::from(step);
    let is_listed = draft.plan.steps().iter().any(|outline| outline.id == step);
    if !is_listed && draft.state.step(step.as_str()).is_none() {
        return Err(Missing::Step.into());
    }
    let agent = identity::agent(by)?;
    if !agent.rights.work.covers(&draft.state.process) {
        return Err(Unentitled::ProcessNotAllowed.into());
    }
    let Ask::Work(work) = draft.plan.ask(&step, &draft.state) else {
        return Err(Unentitled::NotAnAgentStep.into());
    };
    if !matches!(work.performer, Performer::Agent { .. }) {
        return Err(Unentitled::NotAnAgentStep.into());
    }
    match draft.state.step(step.as_str()) {
        Some(StepState {
            phase: Phase::Claimed(held),
            ..
        }) if held.is_live(draft.now) => {
            return Err(if held.agent == agent.id {
                Conflict::ClaimedByYou.into()
            } else {
                Conflict::ClaimedByOther {
                    until: held.expires_at,
                }
                .into()
            });
        }
        Some(StepState {
            phase: Phase::Claimed(_),
            ..
        }) => {}
        Some(StepState {
            phase: Phase::Ready { reserved },
            ..
        }) => {
            if reserved.is_some_and(|kept| draft.now < kept.until && kept.agent != agent.id) {
                return Err(Conflict::NotReady.into());
            }
        }
        _ => return Err(Conflict::NotReady.into()),
    }
    draft.push(EventKind::StepClaimed {
        step,
        claim: ClaimNumber(draft.state.claims_made),
        by: agent.id,
        expires_at: draft.now.after(lease.duration),
        key: lease.key,
    });
    Ok(())
}
