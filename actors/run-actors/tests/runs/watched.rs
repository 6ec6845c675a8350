//! The store as one server reaches it: every call noted, and held, delayed or broken where a test wants it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base::{OrganizationId, RequestId, RunId};
use run_ports::{Commit, CommitVerdict, Journal, Look, PortError, RunStore};
use run_sim::{MemoryStore, SeededRandom};
use tokio::sync::{Semaphore, watch};

/// More than any test makes.
const CALLS_MAX: usize = 1 << 20;

pub(crate) struct Watched {
    store: Arc<MemoryStore>,
    calls: Mutex<Vec<&'static str>>,
    panics: AtomicUsize,
    commits: Semaphore,
    settled: Semaphore,
    settled_unavailable: AtomicUsize,
    delays: Option<SeededRandom>,
    broken: Mutex<BTreeSet<RunId>>,
    hanging: Mutex<BTreeSet<RunId>>,
    /// How many commits are under way.
    committing: watch::Sender<usize>,
    /// Another server's way to the same store: what it is committing is seen from here.
    beside: Option<Arc<Watched>>,
}

impl Watched {
    pub(crate) fn new(store: Arc<MemoryStore>) -> Self {
        Self {
            store,
            calls: Mutex::default(),
            panics: AtomicUsize::new(0),
            commits: Semaphore::new(CALLS_MAX),
            settled: Semaphore::new(CALLS_MAX),
            settled_unavailable: AtomicUsize::new(0),
            delays: None,
            broken: Mutex::default(),
            hanging: Mutex::default(),
            committing: watch::Sender::new(0),
            beside: None,
        }
    }

    /// The same store for a second server, which sees what the first one is committing.
    pub(crate) fn beside(first: &Arc<Self>) -> Self {
        Self {
            beside: Some(Arc::clone(first)),
            ..Self::new(Arc::clone(&first.store))
        }
    }

    /// Lets other tasks go first now and then, before each call and after it.
    pub(crate) fn delayed(store: Arc<MemoryStore>, seed: u64) -> Self {
        Self {
            delays: Some(SeededRandom::new(seed)),
            ..Self::new(store)
        }
    }

    /// The calls since the last time this was asked.
    pub(crate) fn take_calls(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets the actor die in its next commits.
    pub(crate) fn panic_in_commits(&self, times: usize) {
        self.panics.store(times, Ordering::SeqCst);
    }

    /// From now on commits wait.
    pub(crate) fn hold_commits(&self) {
        self.commits.forget_permits(CALLS_MAX);
    }

    /// Lets so many of them go.
    pub(crate) fn release_commits(&self, count: usize) {
        self.commits.add_permits(count);
    }

    /// From now on nobody learns what became of an unknown commit.
    pub(crate) fn hold_settled(&self) {
        self.settled.forget_permits(CALLS_MAX);
    }

    /// Lets them learn it.
    pub(crate) fn release_settled(&self) {
        self.settled.add_permits(CALLS_MAX);
    }

    /// The next times the store cannot say what became of an unknown commit.
    pub(crate) fn fail_settled(&self, times: usize) {
        self.settled_unavailable.store(times, Ordering::SeqCst);
    }

    /// From now on the journals of exactly these runs cannot be read.
    pub(crate) fn break_journals(&self, runs: BTreeSet<RunId>) {
        *self.broken.lock().unwrap_or_else(PoisonError::into_inner) = runs;
    }

    /// From now on whoever reads the journal of this run waits for ever.
    pub(crate) fn hang_journal(&self, run: RunId) {
        self.hanging
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(run);
    }

    fn is_named(runs: &Mutex<BTreeSet<RunId>>, run: RunId) -> bool {
        runs.lock().unwrap_or_else(PoisonError::into_inner).contains(&run)
    }

    fn note(&self, call: &'static str) {
        self.calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(call);
    }

    async fn delay(&self) {
        if let Some(delays) = &self.delays {
            for _ in 0..delays.next() % 3 {
                tokio::task::yield_now().await;
            }
        }
    }
}

#[async_trait]
impl RunStore for Watched {
    async fn journal(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        self.note("journal");
        if Self::is_named(&self.hanging, run) {
            std::future::pending::<()>().await;
        }
        if Self::is_named(&self.broken, run) {
            return Err(PortError::Corrupt {
                what: format!("run {run}"),
                source: "the test says so".into(),
            });
        }
        self.delay().await;
        let journal = self.store.journal(organization, run, after).await;
        self.delay().await;
        journal
    }

    async fn journal_settled(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        self.note("journal_settled");
        if take_one(&self.settled_unavailable) {
            return Err(PortError::Unavailable("the test says so".into()));
        }
        let _permit = self.settled.acquire().await;
        if let Some(beside) = &self.beside {
            let mut committing = beside.committing.subscribe();
            // The sender lives as long as what it belongs to.
            let _ = committing.wait_for(|count| *count == 0).await;
        }
        self.store.journal_settled(organization, run, after).await
    }

    async fn look(
        &self,
        organization: OrganizationId,
        request: Option<&RequestId>,
        run: Option<RunId>,
    ) -> Result<Look, PortError> {
        self.note("look");
        self.delay().await;
        let mut look = self.store.look(organization, request, run).await;
        if let (Ok(look), Some(beside)) = (&mut look, &self.beside)
            && let Some(head) = &mut look.head
        {
            head.is_being_written = *beside.committing.borrow() > 0;
        }
        self.delay().await;
        look
    }

    async fn commit(&self, commit: Commit) -> CommitVerdict {
        self.note("commit");
        assert!(!take_one(&self.panics), "the test asked the store to panic");
        self.committing.send_modify(|count| *count += 1);
        if let Ok(permit) = self.commits.acquire().await {
            permit.forget();
        }
        self.delay().await;
        let verdict = self.store.commit(commit).await;
        self.committing.send_modify(|count| *count -= 1);
        self.delay().await;
        verdict
    }

    async fn due_runs(
        &self,
        until_millis: i64,
        limit: usize,
    ) -> Result<Vec<(OrganizationId, RunId)>, PortError> {
        self.note("due_runs");
        self.store.due_runs(until_millis, limit).await
    }
}

/// Whether there was one left to take.
fn take_one(count: &AtomicUsize) -> bool {
    let taken = count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
    taken.is_ok()
}
