//! What the handles and the supervisor of an organization share: the places in front of it, and which of its runs are live.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{OrganizationId, RunId};
use ractor::ActorRef;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::run_actor::RunMessage;

/// The right to one message in a mailbox. It travels with the message and ends when that has been handled, so that a mailbox is
/// bounded even by callers that go away.
pub(crate) type Place = OwnedSemaphorePermit;

/// An organization on this server.
pub(crate) struct Organization {
    pub(crate) id: OrganizationId,
    places: Arc<Semaphore>,
    places_max: usize,
    /// Written by the supervisor alone; handles read it and so need no mailbox but the run's own.
    live: Mutex<BTreeMap<RunId, LiveRun>>,
}

/// A live run: its actor and the places in front of it.
#[derive(Clone)]
pub(crate) struct LiveRun {
    pub(crate) actor: ActorRef<RunMessage>,
    pub(crate) places: Arc<Semaphore>,
}

/// What became of the way to a run.
pub(crate) enum Found {
    /// Here it is, with a place: the actor does not leave before the place is used or given up.
    Live(ActorRef<RunMessage>, Place),
    /// All places are taken, the organization has too many live runs, or this one crashed too often within a minute.
    Busy,
}

impl Organization {
    pub(crate) fn new(id: OrganizationId, places_max: usize) -> Self {
        Self {
            id,
            places: Arc::new(Semaphore::new(places_max)),
            places_max,
            live: Mutex::default(),
        }
    }

    /// A place for one command, in all its rounds.
    pub(crate) fn enter(&self) -> Option<Place> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Returns when nobody has a place. Whoever waits for this lets nobody in any more.
    pub(crate) async fn emptied(&self) {
        let all = u32::try_from(self.places_max).unwrap_or(u32::MAX);
        // The semaphore is never closed, so this is not an error.
        let _ = self.places.acquire_many(all).await;
    }

    pub(crate) fn live(&self, run: RunId) -> Option<LiveRun> {
        self.lock().get(&run).cloned()
    }

    pub(crate) fn all_live(&self) -> Vec<LiveRun> {
        self.lock().values().cloned().collect()
    }

    pub(crate) fn put_live(&self, run: RunId, live: LiveRun) {
        self.lock().insert(run, live);
    }

    pub(crate) fn remove_live(&self, run: RunId) {
        self.lock().remove(&run);
    }

    pub(crate) fn clear_live(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<RunId, LiveRun>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LiveRun {
    pub(crate) fn enter(&self) -> Found {
        match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => Found::Live(self.actor.clone(), place),
            Err(_) => Found::Busy,
        }
    }
}
