//! `send_event`: an event from outside is taken by the Plan, delivered to a waiting step, or held (core-2 §3.6).

use std::sync::Arc;

use base::Caller;

use super::identity;
use crate::draft::{Draft, Stop, Why};
use crate::event::{DeliveredFrom, EventKind, SentEvent, Then};
use crate::plan::{Cause, Takes};
use crate::refusal::Refusal;
use crate::settle::listener;
use crate::words::Map;

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
        Takes::Invalid(issues) => Err(Refusal::Invalid(issues).into()),
        Takes::Take => take(draft, event),
        Takes::Hold => {
            check_size(draft, &event)?;
            hold(draft, event)
        }
    }
}

fn take(draft: &mut Draft<'_>, event: SentEvent) -> Result<(), Stop> {
    draft.push(EventKind::EventTaken {
        event: event.clone(),
        then: Then::default(),
    });
    let cause = Cause::Event {
        name: &event.name,
        data: event.data.as_deref(),
    };
    let moves = draft.plan.moves(&cause, &draft.state);
    draft.follow_last(moves)
}

fn hold(draft: &mut Draft<'_>, event: SentEvent) -> Result<(), Stop> {
    if let Some(step) = listener(draft.plan, &draft.state, &event.name) {
        let why = Why::Completed {
            step: step.clone(),
            next: None,
        };
        let from = DeliveredFrom::Sender;
        let kind = EventKind::EventDelivered {
            step,
            event,
            from,
            then: Then::default(),
        };
        return draft.push_and_follow(draft.now, kind, &why);
    }
    if draft.state.held.len() >= HELD_EVENTS_MAX {
        return Err(Refusal::Invalid(vec![format!("events: {HELD_EVENTS_MAX} held")]).into());
    }
    draft.push(EventKind::EventHeld(event));
    Ok(())
}

/// What is held counts towards the cap on run data, since it will become run data (process.md §9.14).
fn check_size(draft: &Draft<'_>, event: &SentEvent) -> Result<(), Stop> {
    let bytes_of = |event: &SentEvent| {
        let data = event
            .data
            .as_deref()
            .map_or(2, |data| serde_json::to_string(data).map_or(0, |text| text.len()));
        data + event.name.len()
    };
    let held: usize = draft.state.held.iter().map(bytes_of).sum();
    let (bytes, limit) = (
        draft.state.data_bytes() + held + bytes_of(event),
        draft.state.limits.run_data_bytes,
    );
    if bytes > limit {
        return Err(Refusal::Invalid(vec![format!("run data: {bytes} bytes, limit {limit}")]).into());
    }
    Ok(())
}
