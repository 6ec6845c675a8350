//! The same request again: its original answer, from the journal as it was then.

use base::OrganizationId;
use run_core::RunState;
use run_ports::{RequestKey, RequestRow, RequestTarget};

use crate::error::RunError;
use crate::handle::{Runs, done, no_plan, port_failed};
use crate::run_actor::Done;

impl Runs {
    /// Same id, same tool, same arguments, same caller: the original result. Anything else different: a conflict (core-2 §4).
    pub(crate) async fn replay(
        &self,
        organization: OrganizationId,
        request: &RequestKey,
        row: RequestRow,
    ) -> Result<Done, RunError> {
        if row.key != *request {
            return Err(RunError::RequestReused);
        }
        let RequestTarget::Run {
            run,
            first_seq,
            last_seq,
        } = row.target
        else {
            return Err(RunError::Internal);
        };
        let journal = self.inner().ports.store.journal(organization, run, 0).await;
        let journal = journal
            .map_err(|error| port_failed(&error))?
            .ok_or(RunError::Internal)?;
        let plan = self
            .inner()
            .plans
            .pinned(organization, &journal.process, journal.version)
            .await;
        let plan = plan.map_err(|error| no_plan(&error))?;
        let then = || journal.events.iter().take_while(|event| event.seq <= last_seq);
        let state = RunState::fold(then()).ok_or(RunError::Internal)?;
        let own = then().filter(|event| event.seq >= first_seq).cloned().collect();
        Ok(done(plan, state, own, row.at))
    }
}
