//! Compiled versions. A version is immutable, so a kept Plan is never wrong.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use base::OrganizationId;
use lru::LruCache;
use run_core::Plan;
use run_ports::{PortError, VersionRow, Versions};

use crate::guard::guarded;

/// How a published version becomes a Plan; only the wiring knows the formats.
pub type Compile = Arc<dyn Fn(&VersionRow) -> Result<Arc<dyn Plan>, PlanError> + Send + Sync>;

/// A published version that no longer compiles: a fault of ours, since it did when it was published.
#[derive(Debug, thiserror::Error)]
#[error("version {version} of {process} does not compile: {reason}")]
pub struct PlanError {
    /// The process.
    pub process: String,
    /// The version.
    pub version: u32,
    /// What the format said.
    pub reason: String,
}

/// Why there is no Plan.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPlan {
    #[error("no such version")]
    Missing,
    #[error(transparent)]
    Port(#[from] PortError),
    #[error(transparent)]
    Broken(#[from] PlanError),
}

type Key = (OrganizationId, String, u32);

pub(crate) struct Plans {
    versions: Arc<dyn Versions>,
    compile: Compile,
    kept: Mutex<LruCache<Key, Arc<dyn Plan>>>,
}

impl Plans {
    pub(crate) fn new(versions: Arc<dyn Versions>, compile: Compile, plans_max: usize) -> Self {
        let capacity = NonZeroUsize::new(plans_max).unwrap_or(NonZeroUsize::MIN);
        Self {
            versions,
            compile,
            kept: Mutex::new(LruCache::new(capacity)),
        }
    }

    /// The Plan of a version that a run is pinned to.
    pub(crate) async fn pinned(
        &self,
        organization: OrganizationId,
        process: &str,
        version: u32,
    ) -> Result<Arc<dyn Plan>, NoPlan> {
        let key = (organization, process.to_owned(), version);
        if let Some(plan) = self.kept(&key) {
            return Ok(plan);
        }
        let row = self
            .versions
            .version(organization, process, Some(version))
            .await?
            .ok_or(NoPlan::Missing)?;
        self.compiled(key, &row)
    }

    /// The Plan of a version to start, or of the latest one, with its number.
    pub(crate) async fn startable(
        &self,
        organization: OrganizationId,
        process: &str,
        version: Option<u32>,
    ) -> Result<(Arc<dyn Plan>, u32), NoPlan> {
        let version = match version {
            Some(version) => version,
            None => self
                .versions
                .latest(organization, process)
                .await?
                .ok_or(NoPlan::Missing)?,
        };
        Ok((self.pinned(organization, process, version).await?, version))
    }

    /// The Plan of a version that is at hand.
    pub(crate) fn of(&self, organization: OrganizationId, row: &VersionRow) -> Result<Arc<dyn Plan>, NoPlan> {
        let key = (organization, row.process.clone(), row.version);
        match self.kept(&key) {
            Some(plan) => Ok(plan),
            None => self.compiled(key, row),
        }
    }

    fn kept(&self, key: &Key) -> Option<Arc<dyn Plan>> {
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)
            .cloned()
    }

    fn compiled(&self, key: Key, row: &VersionRow) -> Result<Arc<dyn Plan>, NoPlan> {
        let plan = guarded(|| (self.compile)(row)).unwrap_or_else(|| {
            Err(PlanError {
                process: row.process.clone(),
                version: row.version,
                reason: "the compiler panicked".to_owned(),
            })
        })?;
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .put(key, Arc::clone(&plan));
        Ok(plan)
    }
}
