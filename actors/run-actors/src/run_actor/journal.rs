//! Bringing the cached state up to date with the journal.

use std::sync::Arc;

use run_core::RunState;
use run_ports::PortError;
use tracing::{error, warn};

use super::{Live, Loaded};
use crate::plans::NoPlan;

/// Why a run cannot be brought up to date.
pub(crate) enum NotLoaded {
    /// There is no such run.
    NotFound,
    /// Not now.
    Unavailable,
    /// Its journal or its version cannot be understood.
    Broken,
}

impl From<PortError> for NotLoaded {
    fn from(error: PortError) -> Self {
        match error {
            PortError::Unavailable(source) => {
                warn!(%source, "the store is not available");
                Self::Unavailable
            }
            PortError::Corrupt { what, source } => {
                error!(%what, %source, "stored data cannot be read");
                Self::Broken
            }
        }
    }
}

impl From<NoPlan> for NotLoaded {
    fn from(error: NoPlan) -> Self {
        match error {
            NoPlan::Port(error) => error.into(),
            NoPlan::Missing | NoPlan::Broken(_) => {
                error!(%error, "the version of a run is missing or broken");
                Self::Broken
            }
        }
    }
}

impl Live {
    /// The cached run; loaded first when there is none, or when a commit has an unknown fate.
    pub(crate) async fn loaded(&mut self) -> Result<Loaded, NotLoaded> {
        match &self.loaded {
            Some(loaded) if !self.is_unsettled => Ok(loaded.clone()),
            _ => self.catch_up().await,
        }
    }

    /// The run as of now: what was acknowledged before, by whichever server, is in it.
    pub(crate) async fn newest(&mut self) -> Result<Loaded, NotLoaded> {
        if let Some(loaded) = self.loaded.clone().filter(|_| !self.is_unsettled) {
            let (organization, run) = (self.with.organization, self.with.run);
            let look = self.with.ports.store.look(organization, None, Some(run)).await?;
            if look.head.is_some_and(|head| head.seq == loaded.state.seq) {
                return Ok(loaded);
            }
        }
        self.catch_up().await
    }

    /// Loads what the journal has beyond the cached state.
    pub(crate) async fn catch_up(&mut self) -> Result<Loaded, NotLoaded> {
        let (organization, run) = (self.with.organization, self.with.run);
        let after = self.loaded.as_ref().map_or(0, |loaded| loaded.state.seq);
        let store = &self.with.ports.store;
        let journal = if self.is_unsettled {
            store.journal_settled(organization, run, after).await?
        } else {
            store.journal(organization, run, after).await?
        };
        self.is_unsettled = false;
        let Some(journal) = journal else {
            return Err(NotLoaded::NotFound);
        };
        let loaded = if let Some(Loaded { plan, mut state }) = self.loaded.take() {
            let changed = Arc::make_mut(&mut state);
            journal.events.iter().for_each(|event| changed.evolve(event));
            Loaded { plan, state }
        } else {
            let plan = self
                .with
                .plans
                .pinned(organization, &journal.process, journal.version)
                .await?;
            let state = RunState::fold(&journal.events).ok_or(NotLoaded::Broken)?;
            Loaded {
                plan,
                state: Arc::new(state),
            }
        };
        self.loaded = Some(loaded.clone());
        Ok(loaded)
    }
}
