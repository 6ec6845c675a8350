//! Moving items of organizations whose change nobody applies any more, side by side, so that none waits for another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::OrganizationId;
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinSet};
use tracing::warn;

use crate::error::RunError;
use crate::handle::{Runs, port_failed};

/// How many organizations are worked on at once.
const AT_ONCE: usize = 16;
/// How many organizations are read at once.
const PAGE: usize = 64;

/// Applies reassignments that were noted and not applied. What is under way ends with it.
pub(super) struct Reassigner {
    runs: Runs,
    at_once: Arc<Semaphore>,
    under_way: JoinSet<()>,
    of: BTreeMap<OrganizationId, AbortHandle>,
    /// Those that had something to move the last time: whoever made the change is hardly at it any more. `None` before the first time.
    noticed: Option<BTreeSet<OrganizationId>>,
}

impl Reassigner {
    pub(super) fn new(runs: &Runs) -> Self {
        Self {
            runs: runs.clone(),
            at_once: Arc::new(Semaphore::new(AT_ONCE)),
            under_way: JoinSet::new(),
            of: BTreeMap::new(),
            noticed: None,
        }
    }

    /// Begins with every organization that has had something to move since the last time, and returns when the last of them has begun.
    /// The first time it begins with all.
    pub(super) async fn sweep(&mut self) -> Result<(), RunError> {
        while self.under_way.try_join_next().is_some() {}
        self.of.retain(|_, task| !task.is_finished());
        let runs = self.runs.clone();
        let noticed = self.noticed.take();
        let mut found = BTreeSet::new();
        loop {
            let after = found.last().copied();
            let page = runs.inner().ports.reassignments.organizations(after, PAGE).await;
            let page = page.map_err(|error| port_failed(&error))?;
            if page.is_empty() {
                self.noticed = Some(found);
                return Ok(());
            }
            for organization in page {
                found.insert(organization);
                let is_left = noticed
                    .as_ref()
                    .is_none_or(|noticed| noticed.contains(&organization));
                if is_left && !self.of.contains_key(&organization) {
                    self.begin(organization).await;
                }
            }
        }
    }

    async fn begin(&mut self, organization: OrganizationId) {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&self.at_once).acquire_owned().await else {
            return;
        };
        let runs = self.runs.clone();
        let task = self.under_way.spawn(async move {
            let _permit = permit;
            if let Err(error) = runs.reassign_all(organization).await {
                warn!(%organization, %error, "some items have not moved yet; the next sweep goes on");
            }
        });
        self.of.insert(organization, task);
    }
}
