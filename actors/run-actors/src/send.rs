//! The way of something asked to its run: find the actor, send, fetch the facts that it needs, send again.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{OrganizationId, RunId};
use ractor::rpc::CallResult;
use ractor::{ActorId, MessagingErr};
use tracing::{error, warn};

use crate::error::RunError;
use crate::facts::Facts;
use crate::handle::{Runs, port_failed};
use crate::organization::{Found, Organization, Place};
use crate::root::FindTenant;
use crate::run_actor::{Asked, Done, Perform, Performed, RunMessage};
use crate::seats::Seat;
use crate::tenant::TenantMessage;

/// How often a run is looked for again when the actor that was found was leaving.
const FINDS_MAX: usize = 8;
/// How many actors of a run may die under one command: whatever it is that kills them, this command may be it.
const CRASHES_MAX: usize = 2;

/// A command on its way.
struct Way {
    organization: Arc<Organization>,
    place: Arc<Place>,
    run: RunId,
    asked: Arc<Asked>,
}

impl Runs {
    pub(crate) async fn perform(
        &self,
        (organization, run): (OrganizationId, RunId),
        asked: Asked,
    ) -> Result<Done, RunError> {
        let (entered, place) = self.enter(organization)?;
        let way = Way {
            organization: entered,
            place,
            run,
            asked: Arc::new(asked),
        };
        let (mut facts, mut fetched) = (Facts::default(), BTreeSet::new());
        for _ in 0..self.inner().limits.fact_rounds_max {
            match self.send(&way, &facts).await? {
                Performed::Done(done) => return Ok(done),
                Performed::Taken(row) => {
                    let request = way.asked.request.as_ref().ok_or(RunError::Internal)?;
                    return self.replay(organization, request, row).await;
                }
                Performed::Needs { queries, process } => {
                    let before = fetched.len();
                    fetched.extend(queries.iter().cloned());
                    if fetched.len() == before {
                        break;
                    }
                    let directory = &*self.inner().ports.directory;
                    facts
                        .fetch(directory, organization, (&process, queries))
                        .await
                        .map_err(|error| port_failed(&error))?;
                }
                Performed::Outdated => (facts, fetched) = (Facts::default(), BTreeSet::new()),
                Performed::Refused(refusal) => return Err(refusal.into()),
                Performed::NotFound => return Err(RunError::RunNotFound),
                Performed::Unavailable => return Err(RunError::Unavailable),
                Performed::Broken => return Err(RunError::Internal),
            }
        }
        warn!(%run, "a command asked for facts too often, or for the same ones again");
        Err(RunError::Unavailable)
    }

    /// Sends it to the run's actor. One that is leaving has surely not handled it; one that died may have, and since every write
    /// carries its request id, asking again is safe.
    async fn send(&self, way: &Way, facts: &Facts) -> Result<Performed, RunError> {
        let (mut stale, mut crashes) = (None, 0);
        for _ in 0..FINDS_MAX {
            let Found::Live(actor, place) = self.find(way, stale).await? else {
                return Err(RunError::Busy);
            };
            let perform = Perform {
                asked: Arc::clone(&way.asked),
                facts: facts.clone(),
                places: (Arc::clone(&way.place), place),
            };
            let message = |reply| RunMessage::Perform(Box::new(perform), reply);
            let timeout = Some(self.inner().limits.call_timeout);
            match actor.call(message, timeout).await {
                Ok(CallResult::Success(performed)) => return Ok(performed),
                Ok(CallResult::Timeout) => return Err(RunError::Unavailable),
                Ok(CallResult::SenderError) => {
                    crashes += 1;
                    if crashes == CRASHES_MAX {
                        error!(run = %way.run, "actors of a run died under a command");
                        return Err(RunError::Internal);
                    }
                }
                Err(MessagingErr::SendErr(_) | MessagingErr::ChannelClosed) => {}
                Err(MessagingErr::InvalidActorType) => return Err(RunError::Internal),
            }
            stale = Some(actor.get_id());
        }
        warn!(run = %way.run, "a command found only actors that were leaving");
        Err(RunError::Unavailable)
    }

    /// A live run is found without anybody's mailbox; any other one through its supervisor.
    async fn find(&self, way: &Way, stale: Option<ActorId>) -> Result<Found, RunError> {
        let live = way.organization.live(way.run);
        if let Some(live) = live.filter(|live| Some(live.actor.get_id()) != stale) {
            return Ok(way.organization.enter_run(&live));
        }
        let timeout = Some(self.inner().limits.call_timeout);
        let tenant = self
            .inner()
            .root
            .call(|reply| FindTenant(Arc::clone(&way.organization), reply), timeout)
            .await;
        let Ok(CallResult::Success(Some(tenant))) = tenant else {
            return Err(RunError::Unavailable);
        };
        let (run, mut seat) = (way.run, None);
        for _ in 0..FINDS_MAX {
            let find = |reply| TenantMessage::Find {
                run,
                stale,
                seat,
                reply,
            };
            match tenant.call(find, timeout).await {
                Ok(CallResult::Success(Found::Full)) => {
                    seat = Some(self.seat(&way.organization).await.ok_or(RunError::Busy)?);
                }
                Ok(CallResult::Success(found)) => return Ok(found),
                Ok(CallResult::Timeout | CallResult::SenderError) | Err(_) => {
                    return Err(RunError::Unavailable);
                }
            }
        }
        Ok(Found::Full)
    }

    /// A seat for a run that is not live, for which idle ones leave: of the organization, and then of anybody.
    async fn seat(&self, organization: &Organization) -> Option<Seat> {
        let of_all = || self.entered().iter().flat_map(|other| other.idle()).collect();
        Some(Seat {
            of_organization: organization.seats.take(|| organization.idle()).await?,
            of_house: self.inner().house.seats.take(of_all).await?,
        })
    }
}
