//! Who is told when a run next changes by itself.

use async_trait::async_trait;
use base::{OrganizationId, RunId, Timestamp};

/// Orders the next deadlines of runs. It holds no truth: what it loses, the sweeper finds in the rows.
#[async_trait]
pub trait Timers: Send + Sync {
    /// Notes when a run next changes by itself, in place of what was noted before; `None`: never. Failures are not reported.
    async fn arm(&self, organization: OrganizationId, run: RunId, at: Option<Timestamp>);

    /// Takes runs whose deadline is not later than `now`, earliest first, at most `limit`. A run that is taken and not armed again is
    /// not given a second time by this server, but another one may have it too.
    async fn due(&self, now: Timestamp, limit: usize) -> Vec<(OrganizationId, RunId)>;
}
