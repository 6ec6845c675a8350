//! Keepers: they take no input, do the same thing twice without harm, and work on a timer and on a nudge that may be lost.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use base::{OrganizationId, RunId};
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
/// How many runs one sweep steps over because they cannot be settled.
const STUCK_MAX: usize = 1_024;

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
        let sweeper = tokio::spawn(repeat(
            SWEEP_TICK,
            runs.clone(),
            Arc::new(Notify::new()),
            sweep_and_tell,
        ));
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
        match sweep(&self.runs).await? {
            0 => Ok(()),
            _ => Err(RunError::Unavailable),
        }
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
        settle(&runs, &due).await;
    }
}

async fn sweep_and_tell(runs: Runs) {
    match sweep(&runs).await {
        Ok(0) => {}
        Ok(stuck) => warn!(
            stuck,
            "some overdue runs could not be settled; the next sweep tries again"
        ),
        Err(error) => warn!(%error, "a sweep ended early; the next one goes on"),
    }
}

/// Settles every overdue run; how many could not be. Those must not keep the others, which stand behind them, from their turn.
async fn sweep(runs: &Runs) -> Result<usize, RunError> {
    let ports = &runs.inner().ports;
    let until = ports.clock.now().as_millis();
    let (mut stuck, mut tried) = (BTreeSet::new(), Vec::new());
    loop {
        let limit = BATCH + stuck.len();
        let due = ports.store.due_runs(until, limit).await;
        let mut due = due.map_err(|error| port_failed(&error))?;
        let is_last = due.len() < limit;
        // A run that has been settled up to now is not due any more.
        stuck.extend(due.iter().copied().filter(|run| tried.contains(run)));
        due.retain(|run| !stuck.contains(run));
        if due.is_empty() && (is_last || stuck.len() >= STUCK_MAX) {
            return Ok(stuck.len());
        }
        settle(runs, &due).await;
        tried = due;
    }
}

/// Settles runs side by side.
async fn settle(runs: &Runs, due: &[(OrganizationId, RunId)]) {
    let mut under_way = JoinSet::new();
    for &(organization, run) in due {
        let runs = runs.clone();
        under_way.spawn(async move {
            if let Err(error) = runs.see(organization, run).await {
                warn!(%run, %error, "an overdue run could not be settled");
            }
        });
    }
    while under_way.join_next().await.is_some() {}
}
