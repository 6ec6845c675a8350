//! The journal of every run, and the one way to write to it.

use async_trait::async_trait;
use base::{OrganizationId, RunId};
use run_core::project::Changes;
use run_core::{Effect, Event};

use crate::{PortError, RequestKey, RequestRow};

/// Journals, requests and projections of runs. Every method names the organization first and sees nothing of any other.
#[async_trait]
pub trait RunStore: Send + Sync {
    /// The events of a run with `seq > after`, in order, without a gap; `None` when the organization has no such run.
    ///
    /// A read that begins after a commit was acknowledged sees it.
    async fn journal(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError>;

    /// Like `journal`, but waits for whoever is still writing to the run: the way out of an unknown commit. When it
    /// returns, a commit that was under way has either happened or will never happen. Whoever takes too long makes it
    /// `PortError::Unavailable`: the store bounds the wait.
    async fn journal_settled(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError>;

    /// In one statement, a recorded request and the head of a run: what a refusal is checked against before it is sent.
    ///
    /// A commit whose server is gone may still be under way. The head tells, and nothing final is said before it is settled.
    async fn look(
        &self,
        organization: OrganizationId,
        request: Option<&base::RequestId>,
        run: Option<RunId>,
    ) -> Result<Look, PortError>;

    /// Writes events, projections, effects and the request of one command, all or nothing. Commands of other runs may share the
    /// transaction, and none of them can make this one fail.
    ///
    /// `PortError` never comes from here when the write is known not to have happened and the store works; a connection lost
    /// between COMMIT and its answer is `CommitVerdict::Unknown`.
    async fn commit(&self, commit: Commit) -> CommitVerdict;

    /// Runs of all organizations whose next deadline is not later than `until_millis` (milliseconds since 1970), the most overdue
    /// first, at most `limit`. For the sweeper only.
    async fn due_runs(
        &self,
        until_millis: i64,
        limit: usize,
    ) -> Result<Vec<(OrganizationId, RunId)>, PortError>;
}

/// A stretch of a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Journal {
    /// The version that the run keeps for life: process name and number.
    pub process: String,
    /// Its number.
    pub version: u32,
    /// Events in order.
    pub events: Vec<Event>,
}

/// One command's write.
#[derive(Debug, Clone)]
pub struct Commit {
    /// Whose.
    pub organization: OrganizationId,
    /// Which run.
    pub run: RunId,
    /// The number of the last event that the command was decided on; 0 for a run that does not exist yet.
    pub expected_seq: u64,
    /// New events, numbered from `expected_seq + 1`.
    pub events: Vec<Event>,
    /// What they change in the rows of lists and timers.
    pub changes: Changes,
    /// What is to be done outside.
    pub effects: Vec<Effect>,
    /// The request to record with them.
    pub request: Option<NewRequest>,
    /// The revision that the directory had before the facts were asked for that the command was decided on; `None` without such facts.
    pub directory_revision: Option<u64>,
}

/// A request to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRequest {
    /// What it is.
    pub key: RequestKey,
    /// The first event of its own.
    pub first_seq: u64,
    /// The instant it was decided at.
    pub at: base::Timestamp,
}

/// What became of a write.
#[derive(Debug)]
pub enum CommitVerdict {
    /// It is durable.
    Committed,
    /// Another write came first: load what is new and decide again. Nothing was written.
    Conflict,
    /// Who is who has changed since the facts were asked for: ask again and decide again. Nothing was written.
    Outdated,
    /// The request id is used in this organization already. Nothing was written.
    RequestTaken(RequestRow),
    /// Nobody knows: call `journal_settled` before anything else is said about the run.
    Unknown(PortError),
    /// Nothing was written, and the store cannot write now.
    Unavailable(PortError),
}

/// What `RunStore::look` saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The recorded request with that id, if any.
    pub request: Option<RequestRow>,
    /// The head of the run, if it exists.
    pub head: Option<Head>,
}

/// The head of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The number of its last event.
    pub seq: u64,
    /// Somebody, perhaps a session whose server is gone, is writing to the run at this moment: `journal_settled` waits for them.
    pub is_being_written: bool,
}
