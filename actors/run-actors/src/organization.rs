//! What the handles and the supervisor of an organization share: the places in front of it, and which of its runs are live.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{OrganizationId, RunId};
use ractor::ActorRef;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::Limits;
use crate::run_actor::RunMessage;
use crate::seats::{House, Idle, Seat, Seats};

/// The right to one message in a mailbox. It travels with the message and ends when that has been handled, so that a mailbox is
/// bounded even by callers that go away.
pub(crate) type Place = OwnedSemaphorePermit;

/// An organization on this server.
pub(crate) struct Organization {
    pub(crate) id: OrganizationId,
    places: Arc<Semaphore>,
    limits: Limits,
    pub(crate) seats: Seats,
    house: Arc<House>,
    /// Written by the supervisor alone; handles read it and so need no mailbox but the run's own.
    live: Mutex<BTreeMap<RunId, LiveRun>>,
}

/// A live run: its actor and the places in front of it.
#[derive(Clone)]
pub(crate) struct LiveRun {
    pub(crate) actor: ActorRef<RunMessage>,
    pub(crate) places: Arc<Semaphore>,
    /// The turn of its last use.
    pub(crate) used: Arc<AtomicU64>,
}

/// What became of the way to a run.
pub(crate) enum Found {
    /// Here it is, with a place: the actor does not leave before the place is used or given up.
    Live(ActorRef<RunMessage>, Place),
    /// All places are taken, or this run crashed too often within a minute.
    Busy,
    /// It is not live, and there is no seat for it.
    Full,
}

impl Organization {
    pub(crate) fn new(id: OrganizationId, limits: Limits, house: Arc<House>) -> Self {
        Self {
            id,
            places: Arc::new(Semaphore::new(limits.commands_per_organization_max)),
            limits,
            seats: Seats::new(limits.live_runs_per_organization_max),
            house,
            live: Mutex::default(),
        }
    }

    /// A place for one command, in all its rounds.
    pub(crate) fn enter(&self) -> Option<Place> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Returns when nobody has a place. Whoever waits for this lets nobody in any more.
    pub(crate) async fn emptied(&self) {
        let all = u32::try_from(self.limits.commands_per_organization_max).unwrap_or(u32::MAX);
        // The semaphore is never closed, so this is not an error.
        let _ = self.places.acquire_many(all).await;
    }

    pub(crate) fn live(&self, run: RunId) -> Option<LiveRun> {
        self.lock().get(&run).cloned()
    }

    /// The way to a live run, and a place there.
    pub(crate) fn enter_run(&self, live: &LiveRun) -> Found {
        live.used.store(self.house.turn(), Ordering::Relaxed);
        match Arc::clone(&live.places).try_acquire_owned() {
            Ok(place) => Found::Live(live.actor.clone(), place),
            Err(_) => Found::Busy,
        }
    }

    /// A seat if there is one free.
    pub(crate) fn try_seat(&self) -> Option<Seat> {
        Some(Seat {
            of_organization: self.seats.try_take()?,
            of_house: self.house.seats.try_take()?,
        })
    }

    /// The live runs that nobody is using.
    pub(crate) fn idle(&self) -> Vec<Idle> {
        let places_max = self.limits.commands_per_run_max;
        let live = self.lock();
        let idle = live
            .values()
            .filter(|live| live.places.available_permits() == places_max);
        idle.map(|live| Idle {
            used: live.used.load(Ordering::Relaxed),
            actor: live.actor.clone(),
        })
        .collect()
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
