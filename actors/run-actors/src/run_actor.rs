//! The actor of one run: a cached state, and one command in flight at a time.

mod journal;
mod perform;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use base::{OrganizationId, RunId, Timestamp};
use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort};
use run_core::{Command, Event, Known, Plan, Query, Refusal, RunState, StartRun};
use run_ports::{RequestKey, RequestRow};
use tokio::time::Instant;

use crate::limits::Limits;
use crate::plans::Plans;
use crate::ports::Ports;

/// What is sent to a run.
pub(crate) enum RunMessage {
    /// A command. The reply says what became of it.
    Perform(Box<Perform>, RpcReplyPort<Performed>),
    /// A read: the newest state, with everything applied that is due.
    See(RpcReplyPort<Performed>),
    /// Leave memory if nobody has asked anything for a while.
    LeaveIfIdle(Duration),
}

/// A command with the facts that were fetched for it.
pub(crate) struct Perform {
    pub(crate) ask: Arc<AskOfRun>,
    pub(crate) known: Known,
    pub(crate) request: Option<RequestKey>,
}

/// What is asked of a run.
pub(crate) enum AskOfRun {
    Start(Box<StartRun>, Arc<dyn Plan>),
    Do(Box<Command>),
}

/// What became of a message.
pub(crate) enum Performed {
    /// Durable, and this is the state after it.
    Done(Done),
    /// Refused, from the current state.
    Refused(Refusal),
    /// Facts are missing: fetch them and ask again.
    Needs { queries: Vec<Query>, process: String },
    /// The request id was used before.
    Taken(RequestRow),
    /// There is no such run.
    NotFound,
    /// The store cannot say or write now.
    Unavailable,
    /// Something of ours is wrong with this command.
    Broken,
}

/// A command that is done.
pub(crate) struct Done {
    pub(crate) plan: Arc<dyn Plan>,
    pub(crate) state: Arc<RunState>,
    /// The command's own events.
    pub(crate) events: Vec<Event>,
    pub(crate) at: Timestamp,
}

pub(crate) struct RunActor;

/// What an actor is started with.
pub(crate) struct RunArguments {
    pub(crate) organization: OrganizationId,
    pub(crate) run: RunId,
    pub(crate) ports: Ports,
    pub(crate) plans: Arc<Plans>,
    pub(crate) limits: Limits,
}

pub(crate) struct Live {
    pub(crate) with: RunArguments,
    pub(crate) loaded: Option<Loaded>,
    /// A commit of ours may or may not have happened: nothing is said about the run before the store has settled it.
    pub(crate) is_unsettled: bool,
    pub(crate) used_at: Instant,
}

/// A run in memory.
#[derive(Clone)]
pub(crate) struct Loaded {
    pub(crate) plan: Arc<dyn Plan>,
    pub(crate) state: Arc<RunState>,
}

impl Actor for RunActor {
    type Msg = RunMessage;
    type State = Live;
    type Arguments = RunArguments;

    async fn pre_start(
        &self,
        _myself: ActorRef<RunMessage>,
        with: RunArguments,
    ) -> Result<Live, ActorProcessingErr> {
        Ok(Live {
            with,
            loaded: None,
            is_unsettled: false,
            used_at: Instant::now(),
        })
    }

    async fn handle(
        &self,
        myself: ActorRef<RunMessage>,
        message: RunMessage,
        live: &mut Live,
    ) -> Result<(), ActorProcessingErr> {
        let (performed, reply) = match message {
            RunMessage::LeaveIfIdle(idle) => {
                if live.used_at.elapsed() >= idle {
                    myself.drain()?;
                }
                return Ok(());
            }
            RunMessage::Perform(perform, reply) => (perform::perform(live, &perform).await, reply),
            RunMessage::See(reply) => (perform::see(live).await, reply),
        };
        live.used_at = Instant::now();
        let is_over = match (&live.loaded, &performed) {
            (Some(loaded), _) => !loaded.state.is_running(),
            (None, Performed::NotFound | Performed::Refused(_) | Performed::Taken(_)) => true,
            (None, _) => false,
        };
        // A caller that has gone away changes nothing: what was committed stays committed.
        let _ = reply.send(performed);
        if is_over {
            myself.drain()?;
        }
        Ok(())
    }
}

/// A panic inside the core is that command's error, not the run's death.
pub(crate) fn guarded<T>(decide: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(decide)).ok()
}
