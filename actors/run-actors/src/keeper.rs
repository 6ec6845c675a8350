//! Keepers: they take no input, do the same thing twice without harm, and work on a timer and on a nudge that may be lost.

use std::sync::Arc;
use std::time::Duration;

use base::{OrganizationId, RunId, Timestamp};
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{MissedTickBehavior, interval};
use tracing::warn;

use crate::error::RunError;
use crate::handle::{Runs, port_failed};

/// How often the timers are asked.
const TIMER_TICK: Duration = Duration::from_millis(250);
/// How often the rows are read for deadlines that the timers have lost.
const SWEEP_TICK: Duration = Duration::from_secs(5);
/// How many runs are settled at once.
const BATCH: usize = 64;

/// The timer keeper and the sweeper of one server. Both end when it is dropped.
pub struct Keeper {
    runs: Runs,
    nudge: Arc<Notify>,
    tasks: Vec<JoinHandle<()>>,
}

impl Keeper {
    /// Starts both.
    pub fn start(runs: &Runs) -> Self {
        let nudge = Arc::new(Notify::new());
        let timer = tokio::spawn(repeat(TIMER_TICK, runs.clone(), Arc::clone(&nudge), fire_timers));
        let sweeper = tokio::spawn(repeat(SWEEP_TICK, runs.clone(), Arc::new(Notify::new()), sweep));
        Self {
            runs: runs.clone(),
            nudge,
            tasks: vec![timer, sweeper],
        }
    }

    /// Asks the timers now: something may have become due.
    pub fn nudge(&self) {
        self.nudge.notify_one();
    }

    /// Applies every deadline that has passed and returns when all of it is committed.
    pub async fn settle_all(&self) -> Result<(), RunError> {
        while sweep_batch(&self.runs).await? > 0 {}
        Ok(())
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

async fn repeat<F, W>(tick: Duration, runs: Runs, nudge: Arc<Notify>, work: F)
where
    F: Fn(Runs) -> W,
    W: Future<Output = ()>,
{
    let mut ticks = interval(tick);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = nudge.notified() => {}
        }
        work(runs.clone()).await;
    }
}

async fn fire_timers(runs: Runs) {
    loop {
        let ports = &runs.inner().ports;
        let due = ports.timers.due(ports.clock.now(), BATCH).await;
        if due.is_empty() {
            return;
        }
        settle(&runs, due).await;
    }
}

async fn sweep(runs: Runs) {
    loop {
        match sweep_batch(&runs).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                warn!(%error, "a sweep ended early; the next one goes on");
                return;
            }
        }
    }
}

/// Settles the most overdue runs; how many there were.
async fn sweep_batch(runs: &Runs) -> Result<usize, RunError> {
    let ports = &runs.inner().ports;
    let now: Timestamp = ports.clock.now();
    let due = ports
        .store
        .due_runs(now.as_millis(), BATCH)
        .await
        .map_err(|error| port_failed(&error))?;
    let found = due.len();
    let failed = settle(runs, due).await;
    // Runs that cannot be settled now must not keep a sweep from its end.
    if found > 0 && failed == found {
        Err(RunError::Unavailable)
    } else {
        Ok(found)
    }
}

/// Settles runs side by side; how many could not be.
async fn settle(runs: &Runs, due: Vec<(OrganizationId, RunId)>) -> usize {
    let mut under_way = JoinSet::new();
    for (organization, run) in due {
        let runs = runs.clone();
        under_way.spawn(async move { runs.see(organization, run).await.is_ok() });
    }
    let mut failed = 0;
    while let Some(settled) = under_way.join_next().await {
        failed += usize::from(!settled.unwrap_or(false));
    }
    failed
}
