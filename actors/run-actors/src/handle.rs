//! The handle: the only thing that others hold of runs. Cheap to clone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use base::{Caller, OrganizationId, RunId, Timestamp};
use ractor::rpc::CallResult;
use ractor::{Actor, ActorId, ActorRef, MessagingErr};
use run_core::event::Event;
use run_core::plan::Starter;
use run_core::state::{Initiator, RunLimits};
use run_core::{
    Actor as By, Command, Known, Map, Mode, Plan, Refusal, Rendered, RunState, StartRun, Unentitled, render,
};
use run_ports::{RequestKey, VersionRow};
use tokio::sync::Semaphore;
use tracing::{error, warn};

use crate::error::RunError;
use crate::facts;
use crate::limits::Limits;
use crate::plans::{NoPlan, Plans};
use crate::ports::Ports;
use crate::root::{Root, RootArguments, RootMessage};
use crate::run_actor::{AskOfRun, Done, Perform, Performed, RunMessage};
use crate::tenant::{Found, LiveRun, TenantMessage};

/// How often a command looks for its run again when the actor it found was leaving.
const FINDS_MAX: usize = 8;

/// All runs of all organizations on this server.
#[derive(Clone)]
pub struct Runs {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    root: ActorRef<RootMessage>,
    pub(crate) ports: Ports,
    pub(crate) plans: Arc<Plans>,
    limits: Limits,
    rooms: Mutex<BTreeMap<OrganizationId, Arc<Semaphore>>>,
}

/// What `start_run` asks for.
#[derive(Debug, Clone)]
pub struct StartRequest {
    /// The process.
    pub process: String,
    /// A version, or the latest one.
    pub version: Option<u32>,
    /// Live or test.
    pub mode: Mode,
    /// Unchecked inputs.
    pub inputs: Arc<Map>,
    /// Who starts it.
    pub by: Caller,
    /// The limits that will hold for it.
    pub limits: RunLimits,
}

/// A run as a reader sees it: with everything applied that was due.
#[derive(Clone)]
pub struct Seen {
    /// Its version.
    pub plan: Arc<dyn Plan>,
    /// Its state.
    pub state: Arc<RunState>,
    /// As of when.
    pub now: Timestamp,
}

impl Runs {
    /// Starts the root. Nothing runs before somebody asks.
    pub async fn start_root(ports: Ports, limits: Limits) -> Result<Self, ractor::SpawnErr> {
        let plans = Arc::new(Plans::new(
            Arc::clone(&ports.versions),
            Arc::clone(&ports.compile),
            limits.plans_max,
        ));
        let with = RootArguments {
            ports: ports.clone(),
            plans: Arc::clone(&plans),
            limits,
        };
        let (root, _) = Actor::spawn(None, Root, with).await?;
        let inner = Inner {
            root,
            ports,
            plans,
            limits,
            rooms: Mutex::default(),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Begins a run, at most once for a request.
    pub async fn start(
        &self,
        organization: OrganizationId,
        start: StartRequest,
        request: RequestKey,
    ) -> Result<Rendered, RunError> {
        if let Caller::Agent { rights, .. } = &start.by
            && !rights.start.covers(&start.process)
        {
            let refusal = Refusal::Forbidden(Unentitled::ProcessNotAllowed);
            return self.refused(organization, &request, refusal.into()).await;
        }
        let plans = &self.inner.plans;
        let (plan, version) = match plans.startable(organization, &start.process, start.version).await {
            Ok(found) => found,
            Err(NoPlan::Missing) => {
                return self
                    .refused(organization, &request, RunError::ProcessNotFound)
                    .await;
            }
            Err(error) => return Err(no_plan(&error)),
        };
        let run = RunId::new(self.inner.ports.random.ulid(self.inner.ports.clock.now()));
        let command = StartRun {
            run,
            version,
            mode: start.mode,
            inputs: start.inputs,
            starter: starter(&start.by),
            limits: start.limits,
        };
        let ask = AskOfRun::Start(Box::new(command), plan);
        let done = self.perform((organization, run), ask, Some(request)).await?;
        Ok(done.render())
    }

    /// Gives a command to a run, at most once for a request.
    pub async fn execute(
        &self,
        organization: OrganizationId,
        run: RunId,
        command: Command,
        request: RequestKey,
    ) -> Result<Rendered, RunError> {
        let done = self
            .perform(
                (organization, run),
                AskOfRun::Do(Box::new(command)),
                Some(request),
            )
            .await?;
        Ok(done.render())
    }

    /// A run with everything applied that is due. It sees every write that was acknowledged before, by whichever server.
    pub async fn see(&self, organization: OrganizationId, run: RunId) -> Result<Seen, RunError> {
        let _room = self.room(organization)?;
        let message = |reply| RunMessage::See(reply);
        match self.send((organization, run), message).await? {
            Performed::Done(done) => Ok(Seen {
                plan: done.plan,
                state: done.state,
                now: done.at,
            }),
            other => Err(Self::failed(other)),
        }
    }

    /// The Plan of a published version that is at hand.
    pub fn plan(&self, organization: OrganizationId, row: &VersionRow) -> Result<Arc<dyn Plan>, RunError> {
        self.inner
            .plans
            .of(organization, row)
            .map_err(|error| no_plan(&error))
    }

    /// What every refusal that no run has judged must pass through: a replay comes first (process.md §5).
    pub async fn refused(
        &self,
        organization: OrganizationId,
        request: &RequestKey,
        error: RunError,
    ) -> Result<Rendered, RunError> {
        let look = self
            .inner
            .ports
            .store
            .look(organization, Some(&request.id), None)
            .await;
        match look.map_err(|error| port_failed(&error))?.request {
            Some(row) => Ok(self.replay(organization, request, row).await?.render()),
            None => Err(error),
        }
    }

    /// Lets every run finish what it does; later calls are answered with `Unavailable`.
    pub async fn drain(&self) {
        let drained = self
            .inner
            .root
            .call(RootMessage::Drain, Some(self.inner.limits.call_timeout))
            .await;
        if drained.is_err() {
            warn!("runs did not drain in time");
        }
        self.inner.root.stop(None);
    }

    async fn perform(
        &self,
        (organization, run): (OrganizationId, RunId),
        ask: AskOfRun,
        request: Option<RequestKey>,
    ) -> Result<Done, RunError> {
        let _room = self.room(organization)?;
        let (ask, mut known) = (Arc::new(ask), Known::default());
        for _ in 0..self.inner.limits.fact_rounds_max {
            let message = |reply| {
                let perform = Perform {
                    ask: Arc::clone(&ask),
                    known: known.clone(),
                    request: request.clone(),
                };
                RunMessage::Perform(Box::new(perform), reply)
            };
            match self.send((organization, run), message).await? {
                Performed::Done(done) => return Ok(done),
                Performed::Taken(row) => {
                    let Some(request) = &request else {
                        return Err(RunError::Internal);
                    };
                    return self.replay(organization, request, row).await;
                }
                Performed::Needs { queries, process } => {
                    let directory = &*self.inner.ports.directory;
                    facts::fetch(directory, organization, (&process, queries), &mut known)
                        .await
                        .map_err(|error| port_failed(&error))?;
                }
                other => return Err(Self::failed(other)),
            }
        }
        warn!(%run, "a command asked for facts too often");
        Err(RunError::Unavailable)
    }

    fn failed(performed: Performed) -> RunError {
        match performed {
            Performed::Refused(refusal) => refusal.into(),
            Performed::NotFound => RunError::RunNotFound,
            Performed::Unavailable => RunError::Unavailable,
            Performed::Done(_) | Performed::Needs { .. } | Performed::Taken(_) | Performed::Broken => {
                RunError::Internal
            }
        }
    }

    /// Sends a message to the run's actor. One that is leaving has surely not handled it; one that died may have, and since every
    /// write carries its request id, asking again is safe.
    async fn send(
        &self,
        (organization, run): (OrganizationId, RunId),
        message: impl Fn(ractor::RpcReplyPort<Performed>) -> RunMessage,
    ) -> Result<Performed, RunError> {
        let mut stale = None;
        for _ in 0..FINDS_MAX {
            let live = self.find((organization, run), stale).await?;
            let Ok(_permit) = live.room.try_acquire() else {
                return Err(RunError::Busy);
            };
            let timeout = Some(self.inner.limits.call_timeout);
            match live.actor.call(&message, timeout).await {
                Ok(CallResult::Success(performed)) => return Ok(performed),
                Ok(CallResult::Timeout) => return Err(RunError::Unavailable),
                Ok(CallResult::SenderError) | Err(MessagingErr::SendErr(_) | MessagingErr::ChannelClosed) => {
                    stale = Some(live.actor.get_id());
                }
                Err(MessagingErr::InvalidActorType) => return Err(RunError::Internal),
            }
        }
        Err(RunError::Unavailable)
    }

    async fn find(
        &self,
        (organization, run): (OrganizationId, RunId),
        stale: Option<ActorId>,
    ) -> Result<LiveRun, RunError> {
        let timeout = Some(self.inner.limits.call_timeout);
        let tenant = self
            .inner
            .root
            .call(|reply| RootMessage::Tenant(organization, reply), timeout)
            .await;
        let Ok(CallResult::Success(Some(tenant))) = tenant else {
            return Err(RunError::Unavailable);
        };
        match tenant
            .call(|reply| TenantMessage::Find { run, stale, reply }, timeout)
            .await
        {
            Ok(CallResult::Success(Found::Live(live))) => Ok(live),
            Ok(CallResult::Success(Found::Busy)) => Err(RunError::Busy),
            Ok(CallResult::Timeout | CallResult::SenderError) | Err(_) => Err(RunError::Unavailable),
        }
    }

    /// Admission is bounded before the send, because mailboxes are not.
    fn room(&self, organization: OrganizationId) -> Result<tokio::sync::OwnedSemaphorePermit, RunError> {
        let max = self.inner.limits.commands_per_organization_max;
        let room = {
            let mut rooms = self.inner.rooms.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(
                rooms
                    .entry(organization)
                    .or_insert_with(|| Arc::new(Semaphore::new(max))),
            )
        };
        room.try_acquire_owned().map_err(|_| RunError::Busy)
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }
}

impl Done {
    pub(crate) fn render(&self) -> Rendered {
        render(&*self.plan, &self.state, &self.events, self.at)
    }
}

/// Events and the state after them, as a replay finds them again.
pub(crate) fn done(plan: Arc<dyn Plan>, state: RunState, events: Vec<Event>, at: Timestamp) -> Done {
    Done {
        plan,
        state: Arc::new(state),
        events,
        at,
    }
}

fn starter(by: &Caller) -> Starter {
    match by {
        Caller::Agent { id, .. } => Starter {
            by: By::Agent(*id),
            initiator: None,
        },
        Caller::Person { id, email, .. } => Starter {
            by: By::Person(*id),
            initiator: Some(Initiator {
                person: *id,
                email: email.clone(),
            }),
        },
    }
}

pub(crate) fn no_plan(error: &NoPlan) -> RunError {
    match error {
        NoPlan::Port(error) => port_failed(error),
        NoPlan::Missing | NoPlan::Broken(_) => {
            error!(%error, "a version is missing or broken");
            RunError::Internal
        }
    }
}

pub(crate) fn port_failed(error: &run_ports::PortError) -> RunError {
    match error {
        run_ports::PortError::Unavailable(source) => {
            warn!(%source, "the store is not available");
            RunError::Unavailable
        }
        run_ports::PortError::Corrupt { what, source } => {
            error!(%what, %source, "stored data cannot be read");
            RunError::Internal
        }
    }
}
