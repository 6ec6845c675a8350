//! `send_event`: an event from outside is taken by the Plan, delivered to a waiting step, or held (core-2 §3.6).

use std::sync::Arc;

use base::Caller;

use super::accept::size_issue;
use super::identity;
use crate::draft::{Draft, Stop};
use crate::event::{DeliveredFrom, EventKind, SentEvent, Then};
use crate::evolve::delivered;
use crate::plan::{Cause, Takes};
use crate::refusal::Refusal;
use crate::settle::listener;
use crate::words::{Map, StepId};

/// The most events that a run holds (process.md §9.14).
const HELD_EVENTS_MAX: usize = 1_000;

pub(super) fn send_event(
    draft: &mut Draft<'_>,
    by: &Caller,
    name: &str,
    data: Option<&Arc<Map>>,
) -> Result<(), Stop> {
    if matches!(by, Caller::Person { .. }) {
        identity::operator(by)?;
    }
    let event = SentEvent {
        name: name.to_owned(),
        data: data.cloned(),
        by: identity::actor(by),
    };
    match draft.plan.takes(name, data.map(Arc::as_ref), &draft.state) {
        Takes::Invalid(issues) => Err(Refusal::Invalid(issues.into_vec()).into()),
        Takes::Take => {
            check_size(draft, &event, None)?;
            take(draft, event)
        }
        Takes::Hold => {
            let step = listener(draft.plan, &draft.state, name);
            check_size(draft, &event, step.as_ref())?;
            match step {
                Some(step) => deliver(draft, event, &step),
                None => hold(draft, event),
            }
        }
    }
}

fn take(draft: &mut Draft<'_>, event: SentEvent) -> Result<(), Stop> {
    let (name, data) = (event.name.clone(), event.data.clone());
    let cause = Cause::Event {
        name: &name,
        data: data.as_deref(),
    };
    let kind = EventKind::EventTaken {
        event,
        then: Then::default(),
    };
    draft.push_and_follow(draft.now, kind, &cause)
}

fn deliver(draft: &mut Draft<'_>, event: SentEvent, step: &StepId) -> Result<(), Stop> {
    let kind = EventKind::EventDelivered {
        step: step.clone(),
        event,
        from: DeliveredFrom::Sender,
        then: Then::default(),
    };
    draft.push_and_follow(draft.now, kind, &Cause::Completed { step, next: None })
}

fn hold(draft: &mut Draft<'_>, event: SentEvent) -> Result<(), Stop> {
    if draft.state.held.len() >= HELD_EVENTS_MAX {
        return Err(Refusal::Invalid(vec![format!("events: {HELD_EVENTS_MAX} held")]).into());
    }
    draft.push(EventKind::EventHeld(event));
    Ok(())
}

/// One that is not delivered now counts as one that is held (process.md §9.14).
fn check_size(draft: &Draft<'_>, event: &SentEvent, step: Option<&StepId>) -> Result<(), Stop> {
    let mut sent = draft.state.clone();
    match step {
        None => sent.held.push(event.clone()),
        Some(step) => sent.complete(step, delivered(event, draft.now)),
    }
    match size_issue(draft.plan, &sent) {
        Some(issue) => Err(Refusal::Invalid(vec![issue]).into()),
        None => Ok(()),
    }
}
