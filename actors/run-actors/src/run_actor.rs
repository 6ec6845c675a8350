//! The actor of one run: a cached state, and one command in flight at a time.

mod journal;
mod perform;

use std::sync::Arc;
use std::time::Duration;

use base::{OrganizationId, RunId, Timestamp};
use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort};
use run_core::{Command, Event, Plan, Query, Refusal, RunState, StartRun, settle};
use run_ports::{RequestKey, RequestRow};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::facts::Facts;
use crate::limits::Limits;
use crate::organization::Place;
use crate::plans::Plans;
use crate::ports::Ports;
use crate::seats::Seat;

/// What is sent to a run.
pub(crate) enum RunMessage {
    /// Something asked. The reply says what became of it.
    Perform(Box<Perform>, RpcReplyPort<Performed>),
    /// Leave memory if nobody has asked anything for a while.
    LeaveIfIdle(Duration),
}

/// Something asked, with the facts that were fetched for it.
pub(crate) struct Perform {
    pub(crate) asked: Arc<Asked>,
    pub(crate) facts: Facts,
    /// Given back when the message has been handled: in front of the organization, and in front of the run.
    #[expect(dead_code, reason = "a place is held, and there is nothing to read in it")]
    pub(crate) places: (Arc<Place>, Place),
}

/// Something asked of a run, the same in every round.
pub(crate) struct Asked {
    pub(crate) what: AskOfRun,
    pub(crate) request: Option<RequestKey>,
}

/// What is asked of a run.
pub(crate) enum AskOfRun {
    /// To begin.
    Start(Box<StartRun>, Arc<dyn Plan>),
    /// A command.
    Do(Box<Command>),
    /// A read: the newest state, with everything applied that is due.
    See,
    /// The same, by a keeper, that wants no answer: a run that nobody else has asked for need not stay in memory.
    Settle,
    /// The same, and to look anew whom its open items are for.
    Reassign,
}

/// What became of a message.
pub(crate) enum Performed {
    /// Durable, and this is the state after it.
    Done(Done),
    /// Refused, from the current state.
    Refused(Refusal),
    /// Facts are missing: fetch them and ask again.
    Needs { queries: Vec<Query>, process: String },
    /// Who is who has changed since the facts were fetched: fetch them again and ask again.
    Outdated,
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
    /// The places in front of it.
    pub(crate) places: Arc<Semaphore>,
    /// The actor before it crashed, perhaps while a commit was under way.
    pub(crate) has_crashed: bool,
    /// Free again when the actor is gone.
    pub(crate) seat: Seat,
}

pub(crate) struct Live {
    pub(crate) with: RunArguments,
    pub(crate) loaded: Option<Loaded>,
    /// A commit of ours, or of a server that may be gone, may or may not happen: nothing is said about the run before the store has
    /// settled it.
    pub(crate) is_unsettled: bool,
    /// The deadline that the timers know from us.
    armed: Option<Timestamp>,
    /// There is nothing to keep in memory: no run, or one that has ended, or that nobody but keepers has asked for.
    is_over: bool,
    /// Nobody but keepers has asked for it.
    is_unasked: bool,
    used_at: Instant,
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
            is_unsettled: with.has_crashed,
            with,
            loaded: None,
            armed: None,
            is_over: false,
            is_unasked: true,
            used_at: Instant::now(),
        })
    }

    async fn handle(
        &self,
        myself: ActorRef<RunMessage>,
        message: RunMessage,
        live: &mut Live,
    ) -> Result<(), ActorProcessingErr> {
        match message {
            RunMessage::Perform(perform, reply) => {
                live.perform(*perform, reply).await;
                if (live.is_over || live.with.seat.is_wanted()) && live.may_leave() {
                    myself.drain()?;
                }
            }
            RunMessage::LeaveIfIdle(idle) => {
                if live.is_unsettled {
                    // What nobody knows must not be forgotten. If this fails, the next time may not.
                    let _ = live.catch_up().await;
                }
                if (live.is_over || live.used_at.elapsed() >= idle) && live.may_leave() {
                    myself.drain()?;
                }
            }
        }
        Ok(())
    }
}

impl Live {
    async fn perform(&mut self, perform: Perform, reply: RpcReplyPort<Performed>) {
        let performed = perform::perform(self, &perform).await;
        self.used_at = Instant::now();
        self.is_unasked &= matches!(perform.asked.what, AskOfRun::Settle | AskOfRun::Reassign);
        self.is_over = match (&self.loaded, &performed) {
            (_, Performed::Needs { .. } | Performed::Outdated) => false,
            (Some(loaded), _) => self.is_unasked || !loaded.state.is_running(),
            (None, Performed::NotFound | Performed::Refused(_) | Performed::Taken(_)) => true,
            (None, _) => self.is_unasked,
        };
        // First the places, then the answer: a caller that has its answer finds its place free again.
        drop(perform);
        // A caller that has gone away changes nothing: what was committed stays committed.
        let _ = reply.send(performed);
        self.arm().await;
    }

    /// Tells the timers when the run next changes by itself, if that is news. Nobody waits for it.
    async fn arm(&mut self) {
        let next = match &self.loaded {
            Some(loaded) => settle::next_deadline(&loaded.state),
            None => None,
        };
        if next != self.armed {
            self.armed = next;
            let (organization, run) = (self.with.organization, self.with.run);
            self.with.ports.timers.arm(organization, run, next).await;
        }
    }

    /// Whoever has a place is about to send, and an actor that leaves now would turn them away.
    fn may_leave(&self) -> bool {
        let is_alone = self.with.places.available_permits() == self.with.limits.commands_per_run_max;
        is_alone && !self.is_unsettled
    }
}
