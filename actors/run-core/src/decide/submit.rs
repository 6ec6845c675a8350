//! `submit`: an agent hands in a step.

use base::Caller;

use super::accept::{self, Summary};
use super::renew::held_step;
use crate::draft::{Draft, Stop};
use crate::plan::Ask;
use crate::refusal::Outdated;
use crate::state::Submission;
use crate::words::{Actor, ClaimId};

pub(super) fn submit(
    draft: &mut Draft<'_>,
    claim: &ClaimId,
    by: &Caller,
    submission: &Submission,
) -> Result<(), Stop> {
    let step = held_step(draft, claim, by)?;
    let Ask::Work(work) = draft.plan.ask(&step, &draft.state) else {
        return Err(Outdated::ClaimReplaced.into());
    };
    let by = Actor::Agent(claim.agent);
    let result = accept::accept(draft, (&step, &work), by, (submission, Summary::Required))?;
    accept::complete(draft, step, by, result)
}
