//! One batch at a time over one connection.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;

use super::doubts::Doubts;
use super::queue::Queue;
use super::session::{Failure, Session};
use super::{BUSY, LaneError, Outcome, Pending};
use crate::error::Causes;

/// How often a command is tried again alone, after the database has chosen its transaction as the one to give way.
const TRIES_MAX: u32 = 3;
/// The longest time between two looks at a run that others hold.
const BUSY_PAUSE_MAX: Duration = Duration::from_millis(64);

/// A lane.
#[derive(Debug, Clone)]
pub(super) struct Lane {
    options: PgConnectOptions,
    queue: Arc<Queue>,
    doubts: Arc<Doubts>,
}

/// Runs a lane until the queue is closed. One that panics loses its batch, whose callers are told that nobody knows, and starts anew.
pub(super) async fn keep_running(lane: Lane) {
    while let Err(error) = tokio::spawn(lane.clone().run()).await {
        tracing::error!("a lane of the committer starts anew: {error}");
    }
}

impl Lane {
    pub(super) fn new(options: PgConnectOptions, queue: Arc<Queue>, doubts: Arc<Doubts>) -> Self {
        Self {
            options,
            queue,
            doubts,
        }
    }

    async fn run(self) {
        let mut session = None;
        while let Some(batch) = self.queue.next().await {
            self.write(&mut session, batch).await;
        }
        if let Some(session) = session {
            session.close().await;
        }
    }

    /// Writes a batch, in halves where the database refuses the whole, so that a command that cannot be written fails alone.
    async fn write(&self, session: &mut Option<Session>, batch: Vec<Pending>) {
        let mut parts = vec![batch];
        while let Some(mut part) = parts.pop() {
            match self.attempt(session, &part).await {
                Ok(verdicts) => {
                    for (pending, verdict) in part.into_iter().zip(verdicts) {
                        self.settle(pending, &verdict);
                    }
                }
                Err(Failure::Refused(_)) if part.len() > 1 => {
                    let second = part.split_off(part.len() / 2);
                    parts.extend([second, part]);
                }
                Err(Failure::Refused(error)) if is_retryable(&error) && part[0].tries < TRIES_MAX => {
                    part[0].tries += 1;
                    parts.push(part);
                }
                Err(Failure::Refused(error) | Failure::Unavailable(error)) => {
                    tracing::warn!(
                        commands = part.len(),
                        "a batch was not written: {}",
                        Causes(&error)
                    );
                    answer_all(part, Outcome::Unavailable, error);
                }
                Err(Failure::Lost(error)) => {
                    tracing::warn!(
                        commands = part.len(),
                        "nobody knows whether a batch was written: {}",
                        Causes(&error)
                    );
                    *session = None;
                    answer_all(part, Outcome::Unknown, error);
                }
            }
        }
    }

    async fn attempt(&self, session: &mut Option<Session>, part: &[Pending]) -> Result<Vec<String>, Failure> {
        let open = if let Some(open) = session {
            open
        } else {
            let opened = Session::open(&self.options, &self.doubts).await;
            session.insert(opened.map_err(Failure::Unavailable)?)
        };
        let commands: Vec<_> = part.iter().map(|pending| &pending.command).collect();
        open.commit(&commands).await
    }

    fn settle(&self, pending: Pending, verdict: &str) {
        match verdict {
            "committed" => pending.answer(Outcome::Committed),
            "conflict" => pending.answer(Outcome::Conflict),
            "outdated" => pending.answer(Outcome::Outdated),
            "taken" => pending.answer(Outcome::Taken),
            "busy" => self.try_later(pending),
            _ => pending.answer(Outcome::Unknown(Arc::new(LaneError::NoVerdict))),
        }
    }

    /// Another server, or somebody who settles a doubt, holds the run, or the directory is being changed. Nobody says when they are done, which is usually at once.
    fn try_later(&self, mut pending: Pending) {
        if pending.since.elapsed() > BUSY {
            return pending.answer(Outcome::Unavailable(Arc::new(LaneError::Busy)));
        }
        let pause = Duration::from_millis(1 << pending.tries.min(6)).min(BUSY_PAUSE_MAX);
        pending.tries += 1;
        let queue = Arc::clone(&self.queue);
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            queue.push(pending);
        });
    }
}

/// The database chose this transaction to give way to another (serialization failure, deadlock).
fn is_retryable(error: &LaneError) -> bool {
    match error {
        LaneError::Database(sqlx::Error::Database(refusal)) => {
            matches!(refusal.code().as_deref(), Some("40001" | "40P01"))
        }
        _ => false,
    }
}

fn answer_all(part: Vec<Pending>, outcome: impl Fn(Arc<LaneError>) -> Outcome, error: LaneError) {
    let error = Arc::new(error);
    for pending in part {
        pending.answer(outcome(Arc::clone(&error)));
    }
}
