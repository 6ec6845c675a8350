//! The answer of a request, from the journal alone: the state at its last event, its own events, and its instant. A replay renders
//! the same value again, whatever has happened since.

use std::sync::Arc;

use base::Timestamp;

use crate::event::{Event, EventKind};
use crate::plan::Plan;
use crate::state::RunState;
use crate::view::{ClaimView, RunView, claim_view, run_view};
use crate::words::{ClaimId, StepId};

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Rendered {
    /// Of `start_run`, `submit`, `escalate`, `decide`, `cancel`.
    Run(RunView),
    /// Of `claim`.
    Claim(Box<ClaimView>),
    /// Of `renew`.
    Renewal {
        /// What the new token stands for.
        claim: ClaimId,
        /// When the lease ends now.
        expires_at: Timestamp,
    },
    /// Of `send_event`: the step that consumed it, or `None` while it is held.
    Sent {
        /// That step.
        consumed_by: Option<StepId>,
    },
}

/// Renders the answer of the request that wrote `events`, given the state after the last of them.
pub fn render(plan: &dyn Plan, state: &Arc<RunState>, events: &[Event], at: Timestamp) -> Rendered {
    let own = events.first().map(|event| &event.kind);
    let answer = match own {
        Some(EventKind::StepClaimed { step, .. }) => {
            claim_view(plan, state, step, at).map(|view| Rendered::Claim(Box::new(view)))
        }
        Some(EventKind::ClaimRenewed { step, .. }) => {
            claim_view(plan, state, step, at).map(|view| Rendered::Renewal {
                claim: view.claim,
                expires_at: view.expires_at,
            })
        }
        Some(EventKind::EventDelivered { step, .. }) => Some(Rendered::Sent {
            consumed_by: Some(step.clone()),
        }),
        Some(EventKind::EventHeld(_) | EventKind::EventTaken { .. }) => {
            Some(Rendered::Sent { consumed_by: None })
        }
        _ => None,
    };
    answer.unwrap_or_else(|| Rendered::Run(run_view(plan, state, at)))
}
