//! Changes from outside: who is who, or something that only the format understands.

use crate::command::Adjustment;
use crate::draft::{Draft, Stop};
use crate::event::{Assigned, EventKind, Then};
use crate::known::Query;
use crate::plan::{Ask, Assignee, Cause, Performer};
use crate::state::{Phase, StepState};
use crate::words::{Actor, StepId};

pub(super) fn adjust(draft: &mut Draft<'_>, by: Actor, adjustment: &Adjustment) -> Result<(), Stop> {
    match adjustment {
        Adjustment::Reassign => reassign(draft),
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

/// Open items are for whom their group means now (process.md §5). An item of one person stays with it, and an item of a role that means
/// no group any more stays where it is.
fn reassign(draft: &mut Draft<'_>) -> Result<(), Stop> {
    let (mut moved, mut needs) = (Vec::new(), Vec::new());
    for (id, step) in &draft.state.steps {
        match group_of(draft, (id, step)) {
            Ok(group) => moved.extend(group.map(|assigned| (id.clone(), assigned.clone()))),
            Err(query) => needs.push(query),
        }
    }
    if !needs.is_empty() {
        return Err(Stop::Needs(needs));
    }
    for (step, assigned) in moved {
        draft.push(EventKind::ItemReassigned { step, assigned });
    }
    Ok(())
}

/// The group that the step's open item is for, when that is another one now or has other members.
fn group_of<'a>(draft: &Draft<'a>, (id, step): (&StepId, &StepState)) -> Result<Option<&'a Assigned>, Query> {
    let (item, group) = match &step.phase {
        Phase::Escalated { item, .. } => (item, Some(draft.known.operators()?)),
        Phase::Assigned(item) => (item, group_asked_for(draft, id)?),
        _ => return Ok(None),
    };
    Ok(group.filter(|group| **group != item.assigned))
}

fn group_asked_for<'a>(draft: &Draft<'a>, step: &StepId) -> Result<Option<&'a Assigned>, Query> {
    let Ask::Work(work) = draft.plan.ask(step, &draft.state) else {
        return Ok(None);
    };
    match &work.performer {
        Performer::Task(Assignee::Role(role)) | Performer::Approve(Assignee::Role(role)) => {
            draft.known.role(role)
        }
        Performer::Task(Assignee::Operators) | Performer::Approve(Assignee::Operators) => {
            draft.known.operators().map(Some)
        }
        Performer::Task(Assignee::Initiator | Assignee::Member(_))
        | Performer::Approve(Assignee::Initiator | Assignee::Member(_))
        | Performer::Agent { .. } => Ok(None),
    }
}
