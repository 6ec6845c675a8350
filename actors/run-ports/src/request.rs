//! Requests: what makes every write happen at most once (core-2 §4).

use base::{Digest, RequestId, RunId, Timestamp};
use run_core::Actor;

/// The digest of a tool's arguments: SHA-256 over the compact JSON with keys sorted and numbers as spelled, `requestId` included.
pub type ArgumentsDigest = Digest;

/// What identifies a request: the same id with anything else different is a conflict, the caller included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// Chosen by the client, unique in the organization.
    pub id: RequestId,
    /// Who sent it: the identity, not its access token.
    pub caller: Actor,
    /// The tool's name.
    pub tool: String,
    /// What was asked.
    pub arguments: ArgumentsDigest,
}

/// A recorded request. It lives as long as its run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    /// What it was.
    pub key: RequestKey,
    /// Where its answer comes from.
    pub target: RequestTarget,
    /// The instant it was decided at: a replay is rendered as of then.
    pub at: Timestamp,
}

/// Where the answer of a recorded request comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestTarget {
    /// Rendered from the journal of a run.
    Run {
        /// The run.
        run: RunId,
        /// The first event that it wrote.
        first_seq: u64,
        /// The last one; the answer shows the state after it. `first_seq - 1` when it wrote none.
        last_seq: u64,
    },
    /// The answer itself, as JSON text: for tools without a run.
    Answer(String),
}
