//! Seats: how many runs may be live, of one organization and of this server. Whoever finds none free lets the runs leave that have
//! been idle the longest, and waits for one; when none is idle, the next that becomes so leaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use ractor::ActorRef;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::run_actor::RunMessage;

/// Of those that are idle one in so many leaves at a time, so that a full house is not searched for every seat.
const LOT: usize = 16;
/// How often somebody without a seat asks idle runs to leave: those that were asked may have been used again meanwhile, or none was idle.
const TRIES_MAX: usize = 8;
/// How long an actor that leaves may take, and so the wait of one try.
const LEAVING: Duration = Duration::from_millis(250);

/// The right of a run to be live. The actor has it for as long as it lives.
pub(crate) struct Seat {
    pub(crate) of_organization: Taken,
    pub(crate) of_house: Taken,
}

impl Seat {
    /// Whether somebody waits for it.
    pub(crate) fn is_wanted(&self) -> bool {
        let both = [&self.of_organization, &self.of_house];
        both.iter().any(|taken| taken.waiting.load(Ordering::SeqCst) > 0)
    }
}

/// One of the seats of an organization, or of the house.
pub(crate) struct Taken {
    /// Held, and there is nothing to read in it.
    _permit: OwnedSemaphorePermit,
    waiting: Arc<AtomicUsize>,
}

/// A live run that nobody has a place in front of.
pub(crate) struct Idle {
    /// The turn of its last use.
    pub(crate) used: u64,
    pub(crate) actor: ActorRef<RunMessage>,
}

/// The seats of an organization, or of all of them together.
pub(crate) struct Seats {
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    /// How many runs have been asked to leave for somebody who is still to come.
    leaving: AtomicUsize,
}

/// What all organizations of this server share.
pub(crate) struct House {
    pub(crate) seats: Seats,
    turns: AtomicU64,
}

impl House {
    pub(crate) fn new(live_runs_max: usize) -> Self {
        Self {
            seats: Seats::new(live_runs_max),
            turns: AtomicU64::new(0),
        }
    }

    /// The next turn: uses of runs are ordered by it.
    pub(crate) fn turn(&self) -> u64 {
        self.turns.fetch_add(1, Ordering::Relaxed)
    }
}

impl Seats {
    pub(crate) fn new(live_runs_max: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(live_runs_max)),
            waiting: Arc::default(),
            leaving: AtomicUsize::new(0),
        }
    }

    pub(crate) fn try_take(&self) -> Option<Taken> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        Some(self.taken(permit))
    }

    /// A seat, as soon as somebody has left; `None` when all stay in use.
    pub(crate) async fn take(&self, idle: impl Fn() -> Vec<Idle>) -> Option<Taken> {
        let _waiting = Waiting::new(&self.waiting);
        for attempt in 0..TRIES_MAX {
            if let Some(seat) = self.try_take() {
                return Some(seat);
            }
            let is_expected = attempt == 0 && self.expect_one();
            if !is_expected {
                self.make_room(idle());
            }
            let permit = Arc::clone(&self.free).acquire_owned();
            if let Ok(Ok(permit)) = timeout(LEAVING, permit).await {
                return Some(self.taken(permit));
            }
        }
        None
    }

    fn taken(&self, permit: OwnedSemaphorePermit) -> Taken {
        Taken {
            _permit: permit,
            waiting: Arc::clone(&self.waiting),
        }
    }

    /// Whether somebody is leaving already whose seat nobody waits for.
    fn expect_one(&self) -> bool {
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        let expected = self.leaving.fetch_update(set, fetch, |left| left.checked_sub(1));
        expected.is_ok()
    }

    /// Asks those to leave that have been idle the longest.
    fn make_room(&self, mut idle: Vec<Idle>) {
        let count = idle.len().div_ceil(LOT);
        let Some(others) = count.checked_sub(1) else {
            return;
        };
        idle.select_nth_unstable_by_key(others, |idle| idle.used);
        for idle in idle.iter().take(count) {
            // One that is leaving already does not take it, and need not.
            let _ = idle.actor.cast(RunMessage::LeaveIfIdle(Duration::ZERO));
        }
        self.leaving.store(others, Ordering::Relaxed);
    }
}

/// Somebody who waits, until they have a seat or go away.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
