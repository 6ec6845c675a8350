//! Timers of one process, for a server without Redis.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use base::{OrganizationId, RunId, Timestamp};
use run_ports::Timers;

type Key = (OrganizationId, RunId);

/// Deadlines in memory, ordered.
#[derive(Default)]
pub struct LocalTimers {
    deadlines: Mutex<Deadlines>,
}

#[derive(Default)]
struct Deadlines {
    by_instant: BTreeSet<(Timestamp, Key)>,
    by_run: BTreeMap<Key, Timestamp>,
}

impl Deadlines {
    fn disarm(&mut self, key: Key) {
        if let Some(at) = self.by_run.remove(&key) {
            self.by_instant.remove(&(at, key));
        }
    }
}

#[async_trait]
impl Timers for LocalTimers {
    async fn arm(&self, organization: OrganizationId, run: RunId, at: Option<Timestamp>) {
        let key = (organization, run);
        let mut deadlines = self.deadlines.lock().unwrap_or_else(PoisonError::into_inner);
        deadlines.disarm(key);
        if let Some(at) = at {
            deadlines.by_run.insert(key, at);
            deadlines.by_instant.insert((at, key));
        }
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Vec<(OrganizationId, RunId)> {
        let mut deadlines = self.deadlines.lock().unwrap_or_else(PoisonError::into_inner);
        let due: Vec<Key> = deadlines
            .by_instant
            .iter()
            .take_while(|(at, _)| *at <= now)
            .take(limit)
            .map(|(_, key)| *key)
            .collect();
        for key in &due {
            deadlines.disarm(*key);
        }
        due
    }
}
