//! Settling overdue runs side by side, so that none waits for another.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use base::{OrganizationId, RunId};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tracing::warn;

use crate::error::RunError;
use crate::handle::{Runs, port_failed};

/// How many runs are settled at once.
pub(super) const AT_ONCE: usize = 64;
/// How many runs a sweep steps over because they cannot be settled. Those behind them wait: so much is not one run's fault.
const STUCK_MAX: usize = 1_024;
/// How long a run that could not be settled is left alone.
const STUCK_PAUSE: Duration = Duration::from_secs(5);

type Key = (OrganizationId, RunId);

/// Settles runs, a bounded number at once. What is under way ends with it.
pub(super) struct Settler {
    runs: Runs,
    at_once: Arc<Semaphore>,
    under_way: JoinSet<(Key, Result<(), RunError>)>,
    /// Runs that are not to be tried again for now.
    tried: BTreeMap<Key, Tried>,
}

enum Tried {
    UnderWay,
    /// Not due any more, whatever a read says that began before.
    Settled,
    /// It could not be settled at this instant.
    Stuck(Instant),
}

impl Settler {
    pub(super) fn new(runs: &Runs) -> Self {
        Self {
            runs: runs.clone(),
            at_once: Arc::new(Semaphore::new(AT_ONCE)),
            under_way: JoinSet::new(),
            tried: BTreeMap::new(),
        }
    }

    /// Begins to settle every run that is overdue, and returns when the last of them has begun. Runs that cannot be settled, or take
    /// their time, must not keep the others, which stand behind them, from their turn.
    pub(super) async fn sweep(&mut self) -> Result<(), RunError> {
        self.forget_ended();
        let runs = self.runs.clone();
        let ports = &runs.inner().ports;
        let (until, mut limit) = (ports.clock.now().as_millis(), AT_ONCE + self.tried.len());
        loop {
            let due = ports.store.due_runs(until, limit).await;
            let due = due.map_err(|error| port_failed(&error))?;
            let is_last = due.len() < limit;
            let is_known = |run: &&Key| self.tried.contains_key(run);
            let known = due.iter().filter(is_known).count();
            if known == due.len() && is_last {
                return Ok(());
            }
            if known >= STUCK_MAX {
                warn!("too many overdue runs cannot be settled; a later sweep tries again");
                return Ok(());
            }
            for run in &due {
                if !self.tried.contains_key(run) {
                    self.settle(*run).await;
                }
            }
            self.note_ended();
            let is_open = |run: &&Key| !matches!(self.tried.get(run), Some(Tried::Settled));
            limit = AT_ONCE + due.iter().filter(is_open).count();
        }
    }

    /// Begins to settle a run as soon as there is room.
    pub(super) async fn settle(&mut self, (organization, run): Key) {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&self.at_once).acquire_owned().await else {
            return;
        };
        self.tried.insert((organization, run), Tried::UnderWay);
        let runs = self.runs.clone();
        self.under_way.spawn(async move {
            let _permit = permit;
            ((organization, run), runs.settle(organization, run).await)
        });
    }

    /// Waits for all that is under way; how many runs are stuck.
    pub(super) async fn finish(&mut self) -> usize {
        let mut unknown = 0;
        while let Some(ended) = self.under_way.join_next().await {
            unknown += usize::from(ended.is_err());
            self.note(ended);
        }
        let is_stuck = |tried: &&Tried| matches!(tried, Tried::Stuck(_));
        unknown + self.tried.values().filter(is_stuck).count()
    }

    /// Forgets what is settled, and what has been stuck for long enough to be tried again.
    pub(super) fn forget_ended(&mut self) {
        self.note_ended();
        self.tried.retain(|_, tried| match tried {
            Tried::UnderWay => true,
            Tried::Settled => false,
            Tried::Stuck(since) => since.elapsed() < STUCK_PAUSE,
        });
    }

    fn note_ended(&mut self) {
        while let Some(ended) = self.under_way.try_join_next() {
            self.note(ended);
        }
    }

    fn note(&mut self, ended: Result<(Key, Result<(), RunError>), tokio::task::JoinError>) {
        match ended {
            Ok((key, Ok(()))) => {
                self.tried.insert(key, Tried::Settled);
            }
            Ok((key, Err(error))) => {
                warn!(run = %key.1, %error, "an overdue run could not be settled");
                self.tried.insert(key, Tried::Stuck(Instant::now()));
            }
            Err(error) => {
                warn!(%error, "settling a run ended early");
                // Which one it was is not known, and asking one again that is under way does no harm.
                self.tried.retain(|_, tried| !matches!(tried, Tried::UnderWay));
            }
        }
    }
}
