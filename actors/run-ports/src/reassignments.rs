//! Open items that are to move, because who is who has changed (process.md §5).

use async_trait::async_trait;
use base::{OrganizationId, RunId};

use crate::PortError;

/// Runs whose open items are to be looked at anew. A change of the directory notes them in its own transaction.
#[async_trait]
pub trait Reassignments: Send + Sync {
    /// Such runs of the organization by their ids, those behind `after`, at most `limit`.
    async fn noted(
        &self,
        organization: OrganizationId,
        after: Option<RunId>,
        limit: usize,
    ) -> Result<Vec<NotedRun>, PortError>;

    /// Organizations that have such runs by their ids, those behind `after`, at most `limit`. For the sweeper only.
    async fn organizations(
        &self,
        after: Option<OrganizationId>,
        limit: usize,
    ) -> Result<Vec<OrganizationId>, PortError>;

    /// Forgets runs that have been looked at, but not one that was noted again meanwhile.
    async fn forget(&self, organization: OrganizationId, seen: &[NotedRun]) -> Result<(), PortError>;
}

/// A run whose open items are to be looked at anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotedRun {
    /// Which.
    pub run: RunId,
    /// The revision of the directory that asked for it last.
    pub revision: u64,
}
