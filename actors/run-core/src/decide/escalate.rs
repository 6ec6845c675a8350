//! `escalate`: the holder cannot finish; the step goes to a person with a note (core-2 §3.3).

use base::Caller;

use super::renew::held_step;
use crate::draft::{Draft, Stop};
use crate::event::EventKind;
use crate::words::{Actor, ClaimId};

pub(super) fn escalate(draft: &mut Draft<'_>, claim: &ClaimId, by: &Caller, note: &str) -> Result<(), Stop> {
    let step = held_step(draft, claim, by)?;
    let assigned = draft.known.operators()?.clone();
    draft.push(EventKind::StepEscalated {
        step,
        by: Actor::Agent(claim.agent),
        note: note.to_owned(),
        item: draft.state.items_opened,
        assigned,
    });
    Ok(())
}
