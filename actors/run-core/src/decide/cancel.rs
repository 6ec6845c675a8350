//! `cancel`: an operator stops the run. It undoes nothing that the run caused outside (core-2 §3.5).

use base::Caller;

use super::identity;
use crate::draft::{Draft, Stop};
use crate::event::EventKind;

pub(super) fn cancel(draft: &mut Draft<'_>, by: &Caller, reason: &str) -> Result<(), Stop> {
    let by = identity::operator(by)?.id;
    draft.push(EventKind::RunCancelled {
        by,
        reason: reason.to_owned(),
    });
    Ok(())
}
