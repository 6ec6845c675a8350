//! The handle: the only thing that others hold of runs. Cheap to clone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{Caller, OrganizationId, RunId, Timestamp};
use ractor::{Actor, ActorRef};
use run_core::event::Event;
use run_core::plan::Starter;
use run_core::state::{Initiator, RunLimits};
use run_core::{
    Actor as By, Command, Map, Mode, Plan, Refusal, Rendered, RunState, StartRun, Unentitled, render,
};
use run_ports::{RequestKey, VersionRow};
use tokio::time::timeout;
use tracing::{error, warn};

use crate::error::RunError;
use crate::guard::guarded;
use crate::limits::Limits;
use crate::organization::{Organization, Place};
use crate::plans::{NoPlan, Plans};
use crate::ports::Ports;
use crate::root::{FindTenant, Root, RootArguments};
use crate::run_actor::{AskOfRun, Asked, Done};
use crate::seats::House;

/// All runs of all organizations on this server.
#[derive(Clone)]
pub struct Runs {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) root: ActorRef<FindTenant>,
    pub(crate) ports: Ports,
    pub(crate) plans: Arc<Plans>,
    pub(crate) limits: Limits,
    pub(crate) house: Arc<House>,
    /// Every organization that has asked for something since the server started. Neither it nor its supervisor leaves memory: that is
    /// some kilobytes for each organization that there is, while its runs come and go. `None` once nobody is let in any more.
    organizations: Mutex<Option<BTreeMap<OrganizationId, Arc<Organization>>>>,
}

impl Drop for Inner {
    /// Without a handle nobody can reach the actors.
    fn drop(&mut self) {
        self.root.stop(None);
    }
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
            house: Arc::new(House::new(limits.live_runs_max)),
            organizations: Mutex::new(Some(BTreeMap::new())),
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
        let asked = Asked {
            what: AskOfRun::Start(Box::new(command), plan),
            request: Some(request),
        };
        self.perform((organization, run), asked).await?.render()
    }

    /// Gives a command to a run, at most once for a request.
    pub async fn execute(
        &self,
        organization: OrganizationId,
        run: RunId,
        command: Command,
        request: RequestKey,
    ) -> Result<Rendered, RunError> {
        let asked = Asked {
            what: AskOfRun::Do(Box::new(command)),
            request: Some(request),
        };
        self.perform((organization, run), asked).await?.render()
    }

    /// A run with everything applied that is due. It sees every write that was acknowledged before, by whichever server.
    pub async fn see(&self, organization: OrganizationId, run: RunId) -> Result<Seen, RunError> {
        let done = self.read((organization, run), AskOfRun::See).await?;
        Ok(Seen {
            plan: done.plan,
            state: done.state,
            now: done.at,
        })
    }

    /// Applies to a run everything that is due, for a keeper. The run does not stay in memory for that.
    pub(crate) async fn settle(&self, organization: OrganizationId, run: RunId) -> Result<(), RunError> {
        self.read((organization, run), AskOfRun::Settle).await?;
        Ok(())
    }

    pub(crate) async fn read(&self, run: (OrganizationId, RunId), what: AskOfRun) -> Result<Done, RunError> {
        self.perform(run, Asked { what, request: None }).await
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
            Some(row) => self.replay(organization, request, row).await?.render(),
            None => Err(error),
        }
    }

    /// Lets every run finish what it does; later calls are answered with `Unavailable`.
    pub async fn drain(&self) {
        let organizations = self.organizations().take().unwrap_or_default();
        let all_left = async {
            for organization in organizations.values() {
                organization.emptied().await;
            }
        };
        let grace = self.inner.limits.call_timeout;
        if timeout(grace, all_left).await.is_err() {
            warn!("some runs did not finish in time what they did");
        }
        if let Err(error) = self.inner.root.stop_and_wait(None, Some(grace)).await {
            warn!(%error, "the root of the actors did not stop in time");
        }
    }

    /// The organization, and a place for one command. Admission is bounded before the send, because mailboxes are not.
    pub(crate) fn enter(
        &self,
        organization: OrganizationId,
    ) -> Result<(Arc<Organization>, Arc<Place>), RunError> {
        let (limits, house) = (self.inner.limits, &self.inner.house);
        let mut organizations = self.organizations();
        let organizations = organizations.as_mut().ok_or(RunError::Unavailable)?;
        let organization = organizations
            .entry(organization)
            .or_insert_with(|| Arc::new(Organization::new(organization, limits, Arc::clone(house))));
        let place = organization.enter().ok_or(RunError::Busy)?;
        Ok((Arc::clone(organization), Arc::new(place)))
    }

    /// The organizations that have entered.
    pub(crate) fn entered(&self) -> Vec<Arc<Organization>> {
        let organizations = self.organizations();
        organizations.iter().flat_map(BTreeMap::values).cloned().collect()
    }

    fn organizations(&self) -> MutexGuard<'_, Option<BTreeMap<OrganizationId, Arc<Organization>>>> {
        self.inner
            .organizations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }
}

impl Done {
    pub(crate) fn render(&self) -> Result<Rendered, RunError> {
        guarded(|| render(&*self.plan, &self.state, &self.events, self.at)).ok_or_else(|| {
            error!(run = %self.state.run, "a Plan panicked on what an answer shows of its run");
            RunError::Internal
        })
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
