//! Moving open items when who is who has changed (process.md §5).

use base::OrganizationId;
use futures::{StreamExt, stream};
use run_core::{Conflict, Refusal};
use run_ports::NotedRun;
use tokio::time::timeout;
use tracing::warn;

use crate::error::RunError;
use crate::handle::{Runs, port_failed};
use crate::run_actor::AskOfRun;

/// How many runs of an organization are looked at at once.
const AT_ONCE: usize = 32;
/// How many notes are read and forgotten at once.
const PAGE: usize = 256;

impl Runs {
    /// Looks at every run of the organization that was noted before this call, and returns when their open items are for whom they are
    /// to be for. What takes too long or does not succeed is left to the sweeper: nothing is lost, it only happens later.
    pub async fn apply_reassignments(&self, organization: OrganizationId) {
        let grace = self.inner().limits.call_timeout;
        match timeout(grace, self.reassign_all(organization)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => warn!(%organization, %error, "some items have not moved yet; a sweep goes on"),
            Err(_) => warn!(%organization, "not all items have moved in time; a sweep goes on"),
        }
    }

    /// The same, however long it takes.
    pub(crate) async fn reassign_all(&self, organization: OrganizationId) -> Result<(), RunError> {
        let port = &self.inner().ports.reassignments;
        let (mut after, mut failed) = (None, None);
        loop {
            let noted = port.noted(organization, after, PAGE).await;
            let noted = noted.map_err(|error| port_failed(&error))?;
            let Some(last) = noted.last() else {
                return failed.map_or(Ok(()), Err);
            };
            after = Some(last.run);
            let looks = noted.into_iter().map(|noted| self.reassign(organization, noted));
            let looks: Vec<_> = stream::iter(looks).buffer_unordered(AT_ONCE).collect().await;
            let mut seen = Vec::new();
            for look in looks {
                match look {
                    Ok(noted) => seen.push(noted),
                    Err(error) => failed = Some(error),
                }
            }
            let forgotten = port.forget(organization, &seen).await;
            forgotten.map_err(|error| port_failed(&error))?;
        }
    }

    /// A run that has ended or is not there has no open items.
    async fn reassign(&self, organization: OrganizationId, noted: NotedRun) -> Result<NotedRun, RunError> {
        match self.read((organization, noted.run), AskOfRun::Reassign).await {
            Ok(_) | Err(RunError::Refused(Refusal::Conflict(Conflict::RunEnded)) | RunError::RunNotFound) => {
                Ok(noted)
            }
            Err(error) => {
                warn!(run = %noted.run, %error, "the items of a run have not moved yet");
                Err(error)
            }
        }
    }
}
