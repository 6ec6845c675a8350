//! Keepers: they take no input, do the same thing twice without harm, and work on a timer and on a nudge that may be lost.

mod reassigner;
mod settler;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Interval, MissedTickBehavior, interval};
use tracing::warn;

use self::reassigner::Reassigner;
use self::settler::{AT_ONCE, Settler};
use crate::error::RunError;
use crate::handle::Runs;

/// How often the timers are asked.
const TIMER_TICK: Duration = Duration::from_millis(250);
/// How often the rows are read for deadlines that no timer told of, at first as soon as it starts: what a list shows may lag by this.
const SWEEP_TICK: Duration = Duration::from_secs(1);

/// How often items are looked for that are still to move, at first as soon as it starts. Whoever makes a change applies it at once, so
/// what is still there the next time was left by a server that was killed in between, or did not succeed.
const REASSIGN_TICK: Duration = Duration::from_secs(5);

/// The keepers of one server: of timers, of overdue runs and of items that are to move. All end when it is dropped, and ask no further
/// run. One that they have asked already goes on with what it is doing, as it does for every caller that goes away; `Runs::drain` waits for that.
pub struct Keeper {
    runs: Runs,
    nudge: Arc<Notify>,
    tasks: Vec<JoinHandle<()>>,
}

impl Keeper {
    /// Starts them.
    pub fn start(runs: &Runs) -> Self {
        let nudge = Arc::new(Notify::new());
        let timer = tokio::spawn(fire_timers(runs.clone(), Arc::clone(&nudge)));
        let sweeper = tokio::spawn(sweep(runs.clone()));
        let reassigner = tokio::spawn(reassign(runs.clone()));
        Self {
            runs: runs.clone(),
            nudge,
            tasks: vec![timer, sweeper, reassigner],
        }
    }

    /// Whether all of them still run. They end by themselves only when they panic.
    pub fn is_alive(&self) -> bool {
        !self.tasks.iter().any(JoinHandle::is_finished)
    }

    /// Asks the timers now: something may have become due.
    pub fn nudge(&self) {
        self.nudge.notify_one();
    }

    /// Applies every deadline that has passed and returns when all of it is committed.
    pub async fn settle_all(&self) -> Result<(), RunError> {
        let mut settler = Settler::new(&self.runs);
        settler.sweep().await?;
        match settler.finish().await {
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

async fn fire_timers(runs: Runs, nudge: Arc<Notify>) {
    let (mut ticks, mut settler) = (ticks(TIMER_TICK), Settler::new(&runs));
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = nudge.notified() => {}
        }
        let ports = &runs.inner().ports;
        loop {
            let due = ports.timers.due(ports.clock.now(), AT_ONCE).await;
            if due.is_empty() {
                break;
            }
            for run in due {
                settler.settle(run).await;
            }
        }
        // What could not be settled is the sweeper's.
        settler.forget_ended();
    }
}

async fn sweep(runs: Runs) {
    let (mut ticks, mut settler) = (ticks(SWEEP_TICK), Settler::new(&runs));
    loop {
        ticks.tick().await;
        if let Err(error) = settler.sweep().await {
            warn!(%error, "a sweep ended early; the next one goes on");
        }
    }
}

async fn reassign(runs: Runs) {
    let (mut ticks, mut reassigner) = (ticks(REASSIGN_TICK), Reassigner::new(&runs));
    loop {
        ticks.tick().await;
        if let Err(error) = reassigner.sweep().await {
            warn!(%error, "items that are to move could not be read; the next sweep goes on");
        }
    }
}

fn ticks(tick: Duration) -> Interval {
    let mut ticks = interval(tick);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
