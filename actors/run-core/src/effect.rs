//! What is to be done outside once events are committed. Effects are data; they become outbox rows in the same transaction.

use crate::event::{Event, EventKind, Moved, Opening};
use crate::state::RunState;
use crate::words::{Mode, StepId};

/// An order to the outside.
#[expect(
    clippy::enum_variant_names,
    reason = "an effect is an order, and these three tell somebody something"
)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Tell people that an item is open for them.
    TellItemOpened {
        /// Its step.
        step: StepId,
        /// Its number.
        item: u32,
    },
    /// Tell the assignee and the operators, once, that a step is overdue.
    TellOverdue {
        /// The step.
        step: StepId,
    },
    /// Tell whoever follows the run that it is over.
    TellEnded,
}

/// The effects of events, given the state after the last of them. In test mode nothing real is sent to anyone (core-2 §3.3).
pub fn effects(state: &RunState, events: &[Event]) -> Vec<Effect> {
    if state.mode == Mode::Test {
        return Vec::new();
    }
    let effects = events.iter().flat_map(|event| of_event(&event.kind));
    effects.filter(|effect| is_still_so(state, effect)).collect()
}

/// An item that is gone again by the end of the same write was never there for anybody: the run ended in it.
fn is_still_so(state: &RunState, effect: &Effect) -> bool {
    match effect {
        Effect::TellItemOpened { item, .. } => state.step_of_item(*item).is_some(),
        Effect::TellOverdue { .. } | Effect::TellEnded => true,
    }
}

fn of_event(kind: &EventKind) -> Vec<Effect> {
    let opened = |step: &StepId, opening: &Opening| match opening {
        Opening::Item { item, .. } => Some(Effect::TellItemOpened {
            step: step.clone(),
            item: *item,
        }),
        _ => None,
    };
    let own = match kind {
        EventKind::StepOverdue { step } => Some(Effect::TellOverdue { step: step.clone() }),
        EventKind::StepEscalated { step, item, .. } => Some(Effect::TellItemOpened {
            step: step.clone(),
            item: *item,
        }),
        EventKind::StepReturned { step, opening, .. } => opened(step, opening),
        EventKind::RunCancelled { .. } => Some(Effect::TellEnded),
        _ => None,
    };
    let followed = kind
        .then()
        .map(|(then, _)| then.moves.as_slice())
        .unwrap_or_default();
    let followed = followed.iter().filter_map(|moved| match moved {
        Moved::Reached { step, opening, .. } => opened(step, opening),
        Moved::Ended { .. } => Some(Effect::TellEnded),
        Moved::Withdrawn { .. } | Moved::Satisfied { .. } | Moved::Rewound { .. } => None,
    });
    own.into_iter().chain(followed).collect()
}
