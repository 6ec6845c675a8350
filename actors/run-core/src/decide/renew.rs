//! `renew`: a new token and an expiry of now plus the lease; the old token dies at once (core-2 §3.3).

use base::Caller;

use super::identity;
use crate::command::Lease;
use crate::draft::{Draft, Stop};
use crate::event::EventKind;
use crate::refusal::{Outdated, Unentitled};
use crate::words::{ClaimId, ClaimNumber, StepId};

pub(super) fn renew(
    draft: &mut Draft<'_>,
    claim: &ClaimId,
    by: &Caller,
    (progress, lease): (Option<String>, Lease),
) -> Result<(), Stop> {
    let step = held_step(draft, claim, by)?;
    draft.push(EventKind::ClaimRenewed {
        step,
        claim: ClaimNumber(draft.state.claims_made),
        expires_at: draft.now.after(lease.duration),
        key: lease.key,
        progress,
    });
    Ok(())
}

/// The step that the caller holds by this claim. Identity is judged before staleness (process.md §9.9).
pub(super) fn held_step(draft: &Draft<'_>, claim: &ClaimId, by: &Caller) -> Result<StepId, Stop> {
    if identity::agent(by)?.id != claim.agent {
        return Err(Unentitled::NotTheHolder.into());
    }
    match draft.state.step_of_claim(claim.number) {
        None => Err(Outdated::ClaimReplaced.into()),
        Some((_, held)) if !held.is_live(draft.now) => Err(Outdated::LeaseEnded.into()),
        Some((step, _)) => Ok(step.clone()),
    }
}
