//! The way of one server to the database that all share, and what may happen on it.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use base::{GroupId, OrganizationId, PersonId, RequestId, RunId, Timestamp};
use run_actors::LocalTimers;
use run_core::event::Assigned;
use run_ports::{
    Clock, Commit, CommitVerdict, Directory, Journal, Look, NotedRun, PortError, Published, Reassignments,
    RunStore, Timers, VersionRow, Versions,
};
use run_sim::{Dice, MemoryStore};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

use crate::watched::Watched;

/// How long a server waits for a commit that is still under way.
const SETTLED_MAX: Duration = Duration::from_secs(5);

/// How long servers may take until nobody has to ask twice, once nothing goes wrong any more: runs that crashed too often within a
/// minute are left alone for the rest of it.
const RECOVERY_MAX: Duration = Duration::from_secs(90);

/// Lets virtual time pass.
pub(crate) async fn pause(length: Duration) {
    sleep_until(Instant::now() + length).await;
}

/// What goes wrong, drawn from the seed, and how often it did.
pub(crate) struct Fates {
    pub(crate) dice: Dice,
    calm_since: OnceLock<Instant>,
    counts: Mutex<BTreeMap<&'static str, u64>>,
}

impl Fates {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            dice: Dice::new(seed),
            calm_since: OnceLock::new(),
            counts: Mutex::default(),
        }
    }

    /// From now on nothing goes wrong.
    pub(crate) fn calm(&self) {
        self.calm_since.get_or_init(Instant::now);
    }

    pub(crate) fn is_calm(&self) -> bool {
        self.calm_since.get().is_some()
    }

    /// Whether nothing has gone wrong for so long that nothing is left of it.
    pub(crate) fn are_well(&self) -> bool {
        let since = self.calm_since.get();
        since.is_some_and(|since| since.elapsed() > RECOVERY_MAX)
    }

    /// Whether this strikes now: so many times out of a thousand.
    pub(crate) fn strikes(&self, what: &'static str, per_mille: usize) -> bool {
        let strikes = !self.is_calm() && self.dice.below(1_000) < per_mille;
        if strikes {
            self.count(what);
        }
        strikes
    }

    pub(crate) fn count(&self, what: &'static str) {
        *lock(&self.counts).entry(what).or_default() += 1;
    }

    pub(crate) fn counts(&self) -> BTreeMap<&'static str, u64> {
        lock(&self.counts).clone()
    }

    /// Mostly a moment, sometimes long.
    async fn delay(&self) {
        let millis = match self.dice.below(200) {
            0 if !self.is_calm() => self.dice.between(1_000, 25_000),
            1..=9 => self.dice.between(20, 400),
            10..=99 => self.dice.below(20),
            _ => 0,
        };
        if millis > 0 {
            pause(Duration::from_millis(millis as u64)).await;
        }
    }
}

/// The database: the store in memory, and the commits that have reached it and are not done.
pub(crate) struct Database {
    pub(crate) store: Arc<MemoryStore>,
    /// How many are under way to each run.
    writing: Watched<BTreeMap<RunId, usize>>,
    is_down: AtomicBool,
}

impl Database {
    pub(crate) fn new() -> Self {
        Self {
            store: Arc::new(MemoryStore::new()),
            writing: Watched::default(),
            is_down: AtomicBool::new(false),
        }
    }

    pub(crate) fn go_away(&self) {
        self.is_down.store(true, Ordering::SeqCst);
    }

    pub(crate) fn come_back(&self) {
        self.is_down.store(false, Ordering::SeqCst);
    }

    fn is_writing(&self, run: RunId) -> bool {
        self.writing.read(|writing| writing.contains_key(&run))
    }

    fn begin(&self, run: RunId) {
        self.writing
            .change(|writing| *writing.entry(run).or_default() += 1);
    }

    fn end(&self, run: RunId) {
        self.writing.change(|writing| {
            if let Some(count) = writing.get_mut(&run) {
                *count -= 1;
                if *count == 0 {
                    writing.remove(&run);
                }
            }
        });
    }
}

/// A clock that shows virtual time, more or less right.
pub(crate) struct VirtualClock {
    pub(crate) began: Instant,
    pub(crate) at_millis: i64,
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        let elapsed = i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_millis(self.at_millis + elapsed)
    }
}

/// One server's ports.
pub(crate) struct Link {
    pub(crate) database: Arc<Database>,
    pub(crate) fates: Arc<Fates>,
    /// Says that the server is gone: nothing of it goes on, and what has reached the database does.
    pub(crate) is_dead: Arc<Watched<bool>>,
    pub(crate) timers: LocalTimers,
}

impl Link {
    async fn alive(&self) {
        if self.is_dead.read(|is_dead| *is_dead) {
            pending::<()>().await;
        }
    }

    /// There.
    async fn travel(&self) -> Result<(), PortError> {
        self.alive().await;
        self.fates.delay().await;
        self.alive().await;
        if self.database.is_down.load(Ordering::SeqCst) || self.fates.strikes("a port failed", 8) {
            return Err(unavailable());
        }
        Ok(())
    }

    /// And back.
    async fn back<T>(&self, answer: T) -> Result<T, PortError> {
        self.fates.delay().await;
        self.alive().await;
        if self.fates.strikes("an answer was lost", 4) {
            return Err(unavailable());
        }
        Ok(answer)
    }

    /// The actor that calls dies here.
    fn survive(&self) {
        assert!(
            !self.fates.strikes("an actor was killed", 4),
            "killed by the simulation"
        );
    }

    async fn journal_now(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        let journal = self.database.store.journal(organization, run, after).await?;
        let journal = self.back(journal).await;
        self.survive();
        journal
    }
}

fn unavailable() -> PortError {
    PortError::Unavailable("the simulation says so".into())
}

#[async_trait]
impl RunStore for Link {
    async fn journal(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        self.travel().await?;
        self.journal_now(organization, run, after).await
    }

    async fn journal_settled(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        self.travel().await?;
        let writing = &self.database.writing;
        let settled = writing.wait_for(|writing| !writing.contains_key(&run));
        if timeout(SETTLED_MAX, settled).await.is_err() {
            return Err(unavailable());
        }
        self.journal_now(organization, run, after).await
    }

    async fn look(
        &self,
        organization: OrganizationId,
        request: Option<&RequestId>,
        run: Option<RunId>,
    ) -> Result<Look, PortError> {
        self.travel().await?;
        self.survive();
        let mut look = self.database.store.look(organization, request, run).await?;
        if let (Some(head), Some(run)) = (&mut look.head, run) {
            head.is_being_written = self.database.is_writing(run);
        }
        self.back(look).await
    }

    /// What has reached the database goes on there, whatever becomes of the server that sent it.
    async fn commit(&self, commit: Commit) -> CommitVerdict {
        if let Err(error) = self.travel().await {
            return CommitVerdict::Unavailable(error);
        }
        self.survive();
        let (database, fates, run) = (Arc::clone(&self.database), Arc::clone(&self.fates), commit.run);
        let (told, verdict) = oneshot::channel();
        database.begin(run);
        tokio::spawn(async move {
            fates.delay().await;
            if fates.strikes("a commit was undone", 30) {
                database.end(run);
                return;
            }
            let verdict = database.store.commit(commit).await;
            database.end(run);
            let _ = told.send(verdict);
        });
        if self.fates.strikes("nobody waited for a commit", 30) {
            return CommitVerdict::Unknown(unavailable());
        }
        let Ok(verdict) = verdict.await else {
            return CommitVerdict::Unknown(unavailable());
        };
        self.fates.delay().await;
        self.alive().await;
        if self.fates.strikes("a verdict was lost", 30) {
            return CommitVerdict::Unknown(unavailable());
        }
        self.survive();
        verdict
    }

    async fn due_runs(
        &self,
        until_millis: i64,
        limit: usize,
    ) -> Result<Vec<(OrganizationId, RunId)>, PortError> {
        self.travel().await?;
        let due = self.database.store.due_runs(until_millis, limit).await?;
        self.back(due).await
    }
}

#[async_trait]
impl Directory for Link {
    async fn revision(&self, organization: OrganizationId) -> Result<u64, PortError> {
        self.travel().await?;
        self.back(self.database.store.revision(organization).await?).await
    }

    async fn member(&self, organization: OrganizationId, email: &str) -> Result<Option<PersonId>, PortError> {
        self.travel().await?;
        self.back(self.database.store.member(organization, email).await?)
            .await
    }

    async fn role(
        &self,
        organization: OrganizationId,
        process: &str,
        role: &str,
    ) -> Result<Option<Assigned>, PortError> {
        self.travel().await?;
        self.back(self.database.store.role(organization, process, role).await?)
            .await
    }

    async fn operators(&self, organization: OrganizationId) -> Result<Assigned, PortError> {
        self.travel().await?;
        self.back(self.database.store.operators(organization).await?)
            .await
    }

    async fn group(&self, organization: OrganizationId, name: &str) -> Result<Option<GroupId>, PortError> {
        self.travel().await?;
        self.back(self.database.store.group(organization, name).await?)
            .await
    }

    async fn file(&self, organization: OrganizationId, reference: &str) -> Result<Option<String>, PortError> {
        self.travel().await?;
        self.back(self.database.store.file(organization, reference).await?)
            .await
    }
}

#[async_trait]
impl Reassignments for Link {
    async fn noted(
        &self,
        organization: OrganizationId,
        after: Option<RunId>,
        limit: usize,
    ) -> Result<Vec<NotedRun>, PortError> {
        self.travel().await?;
        self.back(self.database.store.noted(organization, after, limit).await?)
            .await
    }

    async fn organizations(
        &self,
        after: Option<OrganizationId>,
        limit: usize,
    ) -> Result<Vec<OrganizationId>, PortError> {
        self.travel().await?;
        self.back(self.database.store.organizations(after, limit).await?)
            .await
    }

    async fn forget(&self, organization: OrganizationId, seen: &[NotedRun]) -> Result<(), PortError> {
        self.travel().await?;
        self.database.store.forget(organization, seen).await?;
        self.back(()).await
    }
}

#[async_trait]
impl Versions for Link {
    async fn version(
        &self,
        organization: OrganizationId,
        process: &str,
        version: Option<u32>,
    ) -> Result<Option<VersionRow>, PortError> {
        self.travel().await?;
        self.back(
            self.database
                .store
                .version(organization, process, version)
                .await?,
        )
        .await
    }

    async fn latest(&self, organization: OrganizationId, process: &str) -> Result<Option<u32>, PortError> {
        self.travel().await?;
        self.back(self.database.store.latest(organization, process).await?)
            .await
    }

    /// Servers publish nothing here.
    async fn publish(
        &self,
        organization: OrganizationId,
        new: VersionRow,
        roles: Vec<(String, GroupId)>,
    ) -> Result<Published, PortError> {
        self.database.store.publish(organization, new, roles).await
    }
}

#[async_trait]
impl Timers for Link {
    async fn arm(&self, organization: OrganizationId, run: RunId, at: Option<Timestamp>) {
        self.alive().await;
        if !self.fates.strikes("a timer was lost", 100) {
            self.timers.arm(organization, run, at).await;
        }
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Vec<(OrganizationId, RunId)> {
        self.alive().await;
        let mut due = self.timers.due(now, limit).await;
        if !due.is_empty() && self.fates.strikes("timers came twice", 100) {
            due.extend(due.clone());
        }
        due
    }
}

/// A test that failed while it held the lock must not hide behind the failures of others.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
