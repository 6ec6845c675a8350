//! The connection of a lane.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgDatabaseError, PgSeverity};
use sqlx::{ConnectOptions, Connection, PgConnection};
use tokio::time::timeout;

use super::LaneError;
use super::columns::Batch;
use super::doubts::Doubts;
use super::encoded::Encoded;
use crate::random;

/// Longer than the server gives a statement, so that it is the server who gives up first and says so.
const COMMIT: Duration = Duration::from_secs(12);
const CONNECT: Duration = Duration::from_secs(5);

/// A connection that commits, and the lock by which its end can be awaited.
#[derive(Debug)]
pub(super) struct Session {
    connection: PgConnection,
    lock: SessionLock,
}

/// Held on the server for as long as the session lives. When it is given up in the middle of a commit, its end is in doubt until
/// somebody got the lock after it.
#[derive(Debug)]
struct SessionLock {
    number: i64,
    doubts: Arc<Doubts>,
    commit: OnTheWay,
}

/// Whether a commit was sent whose verdicts are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnTheWay {
    Nothing,
    Commit,
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        if self.commit == OnTheWay::Commit {
            self.doubts.add(self.number);
        }
    }
}

/// Why a batch has no verdicts.
#[derive(Debug)]
pub(super) enum Failure {
    /// The database refused it: nothing was written. It may be the fault of one command.
    Refused(LaneError),
    /// Nothing was written, and a smaller batch would fare no better.
    Unavailable(LaneError),
    /// Nobody knows whether it was written.
    Lost(LaneError),
}

impl Session {
    /// Connects, takes the session's lock and prepares the one statement.
    pub(super) async fn open(options: &PgConnectOptions, doubts: &Arc<Doubts>) -> Result<Self, LaneError> {
        let opening = async {
            let mut connection = options.connect().await?;
            let number = random::number();
            sqlx::query("select pg_advisory_lock($1)")
                .bind(number)
                .execute(&mut connection)
                .await?;
            let doubts = Arc::clone(doubts);
            let mut session = Self {
                connection,
                lock: SessionLock {
                    number,
                    doubts,
                    commit: OnTheWay::Nothing,
                },
            };
            session.call(&[]).await?;
            Ok(session)
        };
        timeout(CONNECT, opening).await.map_err(|_| LaneError::TimedOut)?
    }

    /// Writes a batch. The verdicts are in the order of the commands.
    pub(super) async fn commit(&mut self, batch: &[&Encoded]) -> Result<Vec<String>, Failure> {
        self.lock.commit = OnTheWay::Commit;
        let verdicts = match timeout(COMMIT, self.call(batch)).await {
            Ok(Ok(verdicts)) => Ok(verdicts),
            Ok(Err(error)) => Err(failure(error)),
            Err(_) => Err(Failure::Lost(LaneError::TimedOut)),
        };
        if !matches!(verdicts, Err(Failure::Lost(_))) {
            self.lock.commit = OnTheWay::Nothing;
        }
        verdicts
    }

    /// `fetch_all` and nothing shorter: it reads on until the server is ready for the next statement, and that is what says that the
    /// transaction is committed. The row alone does not.
    async fn call(&mut self, batch: &[&Encoded]) -> Result<Vec<String>, LaneError> {
        let arguments = Batch::of(batch).arguments().map_err(LaneError::Form)?;
        let mut rows: Vec<Vec<String>> =
            sqlx::query_scalar_with(include_str!("../../sql/commit_runs.sql"), arguments)
                .fetch_all(&mut self.connection)
                .await?;
        rows.pop()
            .filter(|verdicts| verdicts.len() == batch.len())
            .ok_or(LaneError::NoVerdict)
    }

    /// Says goodbye. The server ends the session either way.
    pub(super) async fn close(self) {
        if let Err(error) = self.connection.close().await {
            tracing::debug!("a connection of the committer was not closed in order: {error}");
        }
    }
}

fn failure(error: LaneError) -> Failure {
    let LaneError::Database(found) = &error else {
        return match error {
            LaneError::Form(_) => Failure::Refused(error),
            _ => Failure::Lost(error),
        };
    };
    match found {
        sqlx::Error::Encode(_) => Failure::Refused(error),
        sqlx::Error::Database(refusal) => {
            let refusal = refusal.try_downcast_ref::<PgDatabaseError>();
            match refusal.map(|refusal| (refusal.severity(), refusal.code())) {
                Some((PgSeverity::Error, code)) if is_for_everybody(code) => Failure::Unavailable(error),
                Some((PgSeverity::Error, _)) => Failure::Refused(error),
                // The session is being ended, perhaps just after the commit.
                _ => Failure::Lost(error),
            }
        }
        _ => Failure::Lost(error),
    }
}

/// Out of resources, stopped by an operator or a timeout, or connected to a standby (SQLSTATE classes 53 and 57, and 25006).
fn is_for_everybody(code: &str) -> bool {
    code.starts_with("53") || code.starts_with("57") || code == "25006"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_session_with_a_commit_on_the_way_leaves_a_doubt() {
        let doubts = Arc::new(Doubts::default());
        for (number, commit) in [(1, OnTheWay::Nothing), (2, OnTheWay::Commit)] {
            let doubts = Arc::clone(&doubts);
            drop(SessionLock {
                number,
                doubts,
                commit,
            });
        }
        assert_eq!(doubts.sessions(), [2]);
    }
}
