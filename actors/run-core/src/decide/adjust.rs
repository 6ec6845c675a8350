//! Changes from outside: an item for others, or something that only the format understands.

use crate::command::Adjustment;
use crate::draft::{Draft, Stop};
use crate::event::{EventKind, Then};
use crate::plan::Cause;
use crate::refusal::Missing;
use crate::words::{Actor, StepId};

pub(super) fn adjust(draft: &mut Draft<'_>, by: Actor, adjustment: &Adjustment) -> Result<(), Stop> {
    match adjustment {
        Adjustment::Reassign { step, assigned } => {
            let step = StepId::from(step.as_str());
            let item = draft
                .state
                .step(step.as_str())
                .and_then(|s| s.item())
                .ok_or(Missing::Item)?;
            if item.assigned != *assigned {
                draft.push(EventKind::ItemReassigned {
                    step,
                    assigned: assigned.clone(),
                });
            }
            Ok(())
        }
        Adjustment::Plan(change) => {
            let kind = EventKind::RunAdjusted {
                by,
                change: change.clone(),
                then: Then::default(),
            };
            draft.push_and_follow(draft.now, kind, &Cause::Adjusted { change })
        }
    }
}
