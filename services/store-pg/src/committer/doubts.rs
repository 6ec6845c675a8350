//! Sessions that were lost with a commit on the way.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The locks of sessions that may still be working on the server although nobody listens to them. Each session holds its lock for as
/// long as it lives, so whoever gets it knows that the session has done all it will ever do.
#[derive(Debug, Default)]
pub(crate) struct Doubts(Mutex<BTreeSet<i64>>);

impl Doubts {
    pub(crate) fn add(&self, session: i64) {
        self.lock().insert(session);
    }

    /// All of them.
    pub(crate) fn sessions(&self) -> Vec<i64> {
        self.lock().iter().copied().collect()
    }

    /// Their locks were free: they have ended.
    pub(crate) fn resolve(&self, sessions: &[i64]) {
        let mut doubts = self.lock();
        for session in sessions {
            doubts.remove(session);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
