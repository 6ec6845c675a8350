//! The committer: commands one by one in, batches of many runs out, a verdict for each command.
//!
//! A command waits in the queue of its organization. A few lanes, each with a connection of its own, take turns at the organizations
//! and write what has gathered meanwhile in one transaction; a command that finds a free lane goes at once.

mod columns;
mod doubts;
mod encoded;
mod lane;
mod queue;
mod session;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

pub(crate) use self::doubts::Doubts;
pub(crate) use self::encoded::Encoded;
use self::lane::Lane;
use self::queue::Queue;

/// How long a command may find its run held by others, or its directory being changed, before it is told to come again.
const BUSY: Duration = Duration::from_secs(5);

/// What became of a command.
#[derive(Debug)]
pub(crate) enum Outcome {
    Committed,
    Conflict,
    /// The directory has changed since the facts were fetched that it was decided on.
    Outdated,
    /// The request id is used: its row can be read now.
    Taken,
    /// It may or may not have been written.
    Unknown(Arc<LaneError>),
    /// It was not written.
    Unavailable(Arc<LaneError>),
}

/// Why a batch or a command was not written, as far as anybody knows.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LaneError {
    #[error("the store is closing")]
    Closing,
    #[error("too many writes are waiting")]
    Full,
    #[error("others hold the run")]
    Busy,
    #[error("the lane ended in the middle of a batch")]
    Ended,
    #[error("the database did not answer a commit in time")]
    TimedOut,
    #[error("the database gave no verdict that is known")]
    NoVerdict,
    #[error("the write cannot be put into the form of the database")]
    Form(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the database did not write")]
    Database(#[from] sqlx::Error),
}

/// A command that waits for its outcome.
#[derive(Debug)]
pub(crate) struct Pending {
    command: Encoded,
    reply: oneshot::Sender<Outcome>,
    since: Instant,
    tries: u32,
}

impl Pending {
    /// Whoever asked may have gone away; the outcome stands all the same.
    fn answer(self, outcome: Outcome) {
        let _ = self.reply.send(outcome);
    }
}

/// Queue and lanes.
#[derive(Debug)]
pub(crate) struct Committer {
    queue: Arc<Queue>,
    lanes: Mutex<Vec<JoinHandle<()>>>,
}

impl Committer {
    /// Starts the lanes. They connect when the first command comes.
    pub(crate) fn start(options: &PgConnectOptions, lanes: usize, doubts: &Arc<Doubts>) -> Self {
        let queue = Arc::new(Queue::default());
        let lane = || {
            let lane = Lane::new(options.clone(), Arc::clone(&queue), Arc::clone(doubts));
            tokio::spawn(lane::keep_running(lane))
        };
        Self {
            lanes: Mutex::new((0..lanes.max(1)).map(|_| lane()).collect()),
            queue,
        }
    }

    /// Writes a command. Dropping the future does not take it back.
    pub(crate) async fn write(&self, command: Encoded) -> Outcome {
        let (reply, outcome) = oneshot::channel();
        self.queue.push(Pending {
            command,
            reply,
            since: Instant::now(),
            tries: 0,
        });
        outcome
            .await
            .unwrap_or_else(|_| Outcome::Unknown(Arc::new(LaneError::Ended)))
    }

    /// Answers what waits, and ends when the batches in flight have their verdicts.
    pub(crate) async fn close(&self) {
        self.queue.close();
        let lanes = std::mem::take(&mut *self.lanes.lock().unwrap_or_else(PoisonError::into_inner));
        for lane in lanes {
            if let Err(error) = lane.await {
                tracing::error!("a lane of the committer did not end by itself: {error}");
            }
        }
    }
}
