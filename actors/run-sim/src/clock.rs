//! A clock that stands still until it is moved.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use base::Timestamp;
use run_ports::Clock;

/// A clock that the test moves.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows this instant.
    pub fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_millis()))
    }

    /// Shows this instant from now on, which may be an earlier one.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_millis(), Ordering::SeqCst);
    }

    /// Moves on, and tells what it shows then.
    pub fn advance(&self, by: Duration) -> Timestamp {
        let now = self.now().after(by);
        self.set(now);
        now
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}
