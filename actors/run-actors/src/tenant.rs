//! The supervisor of one organization: which of its runs are live, and how often they may crash.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use base::RunId;
use ractor::{Actor, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tracing::{error, warn};

use crate::limits::Limits;
use crate::organization::{Found, LiveRun, Organization};
use crate::plans::Plans;
use crate::ports::Ports;
use crate::run_actor::{RunActor, RunArguments, RunMessage};
use crate::seats::Seat;

/// What is sent to the supervisor of an organization.
pub(crate) enum TenantMessage {
    /// A place in front of a run, whose actor is started when there is none. `stale` is one that was found to be leaving, and `seat`
    /// what its caller has waited for.
    Find {
        run: RunId,
        stale: Option<ActorId>,
        seat: Option<Seat>,
        reply: RpcReplyPort<Found>,
    },
    /// Let idle actors leave memory.
    Tidy,
}

pub(crate) struct TenantSupervisor;

/// What a supervisor is started with.
pub(crate) struct TenantArguments {
    pub(crate) organization: Arc<Organization>,
    pub(crate) ports: Ports,
    pub(crate) plans: Arc<Plans>,
    pub(crate) limits: Limits,
}

pub(crate) struct Tenant {
    with: TenantArguments,
    run_of: BTreeMap<ActorId, RunId>,
    /// Callers of a run whose actor is leaving: they get the next one.
    parked: BTreeMap<RunId, Vec<RpcReplyPort<Found>>>,
    crashes: BTreeMap<RunId, Vec<Instant>>,
}

const MINUTE: Duration = Duration::from_mins(1);

impl Actor for TenantSupervisor {
    type Msg = TenantMessage;
    type State = Tenant;
    type Arguments = TenantArguments;

    async fn pre_start(
        &self,
        myself: ActorRef<TenantMessage>,
        with: TenantArguments,
    ) -> Result<Tenant, ActorProcessingErr> {
        // An earlier supervisor took its children with it.
        with.organization.clear_live();
        myself.send_interval(with.limits.idle / 2, || TenantMessage::Tidy);
        Ok(Tenant {
            with,
            run_of: BTreeMap::new(),
            parked: BTreeMap::new(),
            crashes: BTreeMap::new(),
        })
    }

    async fn handle(
        &self,
        myself: ActorRef<TenantMessage>,
        message: TenantMessage,
        tenant: &mut Tenant,
    ) -> Result<(), ActorProcessingErr> {
        match message {
            TenantMessage::Find {
                run,
                stale,
                seat,
                reply,
            } => match tenant.with.organization.live(run) {
                Some(live) if Some(live.actor.get_id()) == stale => {
                    tenant.parked.entry(run).or_default().push(reply);
                }
                _ => tenant.find(&myself, (run, seat), reply).await,
            },
            TenantMessage::Tidy => tenant.tidy(),
        }
        Ok(())
    }

    /// A child that ends, for whatever reason, is never the end of its siblings.
    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<TenantMessage>,
        event: SupervisionEvent,
        tenant: &mut Tenant,
    ) -> Result<(), ActorProcessingErr> {
        match &event {
            SupervisionEvent::ActorFailed(who, _) => {
                tenant.note_crash(who.get_id());
                tenant.forget(&myself, who.get_id()).await;
            }
            SupervisionEvent::ActorTerminated(who, ..) => tenant.forget(&myself, who.get_id()).await,
            _ => {}
        }
        Ok(())
    }
}

impl Tenant {
    async fn find(
        &mut self,
        myself: &ActorRef<TenantMessage>,
        (run, seat): (RunId, Option<Seat>),
        reply: RpcReplyPort<Found>,
    ) {
        let found = match self.with.organization.live(run) {
            Some(live) => self.with.organization.enter_run(&live),
            None => self.start(myself, run, seat).await,
        };
        // A caller that has gone away needs no answer.
        let _ = reply.send(found);
    }

    async fn start(&mut self, myself: &ActorRef<TenantMessage>, run: RunId, seat: Option<Seat>) -> Found {
        let limits = self.with.limits;
        if self.crashes_too_often(run) {
            return Found::Busy;
        }
        let Some(seat) = seat.or_else(|| self.with.organization.try_seat()) else {
            return Found::Full;
        };
        let places = Arc::new(Semaphore::new(limits.commands_per_run_max));
        let with = RunArguments {
            organization: self.with.organization.id,
            run,
            ports: self.with.ports.clone(),
            plans: Arc::clone(&self.with.plans),
            limits,
            places: Arc::clone(&places),
            has_crashed: self.crashes.contains_key(&run),
            seat,
        };
        match RunActor::spawn_linked(None, RunActor, with, myself.get_cell()).await {
            Ok((actor, _)) => {
                self.run_of.insert(actor.get_id(), run);
                let live = LiveRun {
                    actor,
                    places,
                    used: Arc::default(),
                };
                let found = self.with.organization.enter_run(&live);
                self.with.organization.put_live(run, live);
                found
            }
            Err(error) => {
                error!(%run, %error, "a run actor did not start");
                Found::Busy
            }
        }
    }

    /// An actor has ended: callers that waited for that get the next one.
    async fn forget(&mut self, myself: &ActorRef<TenantMessage>, actor: ActorId) {
        let Some(run) = self.run_of.remove(&actor) else {
            return;
        };
        self.with.organization.remove_live(run);
        for reply in self.parked.remove(&run).unwrap_or_default() {
            self.find(myself, (run, None), reply).await;
        }
    }

    fn note_crash(&mut self, actor: ActorId) {
        if let Some(run) = self.run_of.get(&actor) {
            warn!(%run, "a run actor crashed; it is rebuilt from its journal when somebody asks for it");
            self.crashes.entry(*run).or_default().push(Instant::now());
        }
    }

    fn crashes_too_often(&mut self, run: RunId) -> bool {
        let Some(crashes) = self.crashes.get_mut(&run) else {
            return false;
        };
        crashes.retain(|at| at.elapsed() < MINUTE);
        crashes.len() >= self.with.limits.crashes_per_minute_max
    }

    fn tidy(&mut self) {
        self.crashes
            .retain(|_, crashes| crashes.iter().any(|at| at.elapsed() < MINUTE));
        let idle = self.with.limits.idle;
        for live in self.with.organization.all_live() {
            // An actor that is leaving already does not take it, and need not.
            let _ = live.actor.cast(RunMessage::LeaveIfIdle(idle));
        }
    }
}
