//! The root: one supervisor per organization.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::OrganizationId;
use ractor::{Actor, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent};
use tracing::error;

use crate::limits::Limits;
use crate::organization::Organization;
use crate::plans::Plans;
use crate::ports::Ports;
use crate::tenant::{TenantArguments, TenantMessage, TenantSupervisor};

/// What is sent to the root: for the supervisor of an organization, started when there is none.
pub(crate) struct FindTenant(
    pub(crate) Arc<Organization>,
    pub(crate) RpcReplyPort<Option<ActorRef<TenantMessage>>>,
);

pub(crate) struct Root;

/// What the root is started with.
pub(crate) struct RootArguments {
    pub(crate) ports: Ports,
    pub(crate) plans: Arc<Plans>,
    pub(crate) limits: Limits,
}

pub(crate) struct Tenants {
    with: RootArguments,
    supervisors: BTreeMap<OrganizationId, ActorRef<TenantMessage>>,
    organization_of: BTreeMap<ActorId, OrganizationId>,
}

impl Actor for Root {
    type Msg = FindTenant;
    type State = Tenants;
    type Arguments = RootArguments;

    async fn pre_start(
        &self,
        _myself: ActorRef<FindTenant>,
        with: RootArguments,
    ) -> Result<Tenants, ActorProcessingErr> {
        Ok(Tenants {
            with,
            supervisors: BTreeMap::new(),
            organization_of: BTreeMap::new(),
        })
    }

    async fn handle(
        &self,
        myself: ActorRef<FindTenant>,
        FindTenant(organization, reply): FindTenant,
        root: &mut Tenants,
    ) -> Result<(), ActorProcessingErr> {
        let tenant = root.tenant(&myself, organization).await;
        let _ = reply.send(tenant);
        Ok(())
    }

    /// A supervisor that ends is started anew when somebody asks for it.
    async fn handle_supervisor_evt(
        &self,
        _myself: ActorRef<FindTenant>,
        event: SupervisionEvent,
        root: &mut Tenants,
    ) -> Result<(), ActorProcessingErr> {
        if let SupervisionEvent::ActorTerminated(who, ..) | SupervisionEvent::ActorFailed(who, ..) = &event
            && let Some(organization) = root.organization_of.remove(&who.get_id())
        {
            error!(%organization, "a supervisor has ended");
            root.supervisors.remove(&organization);
        }
        Ok(())
    }
}

impl Tenants {
    async fn tenant(
        &mut self,
        myself: &ActorRef<FindTenant>,
        organization: Arc<Organization>,
    ) -> Option<ActorRef<TenantMessage>> {
        let id = organization.id;
        if let Some(tenant) = self.supervisors.get(&id) {
            return Some(tenant.clone());
        }
        let with = TenantArguments {
            organization,
            ports: self.with.ports.clone(),
            plans: Arc::clone(&self.with.plans),
            limits: self.with.limits,
        };
        match TenantSupervisor::spawn_linked(None, TenantSupervisor, with, myself.get_cell()).await {
            Ok((tenant, _)) => {
                self.organization_of.insert(tenant.get_id(), id);
                self.supervisors.insert(id, tenant.clone());
                Some(tenant)
            }
            Err(error) => {
                error!(organization = %id, %error, "a supervisor did not start");
                None
            }
        }
    }
}
