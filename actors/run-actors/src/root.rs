//! The root: one supervisor per organization.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::OrganizationId;
use ractor::{Actor, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent};
use tracing::error;

use crate::limits::Limits;
use crate::plans::Plans;
use crate::ports::Ports;
use crate::tenant::{TenantArguments, TenantMessage, TenantSupervisor};

/// What is sent to the root.
pub(crate) enum RootMessage {
    /// The supervisor of an organization, started when there is none.
    Tenant(OrganizationId, RpcReplyPort<Option<ActorRef<TenantMessage>>>),
    /// Let every run finish what it does, then end. The reply comes when all have ended.
    Drain(RpcReplyPort<()>),
}

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
    type Msg = RootMessage;
    type State = Tenants;
    type Arguments = RootArguments;

    async fn pre_start(
        &self,
        _myself: ActorRef<RootMessage>,
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
        myself: ActorRef<RootMessage>,
        message: RootMessage,
        root: &mut Tenants,
    ) -> Result<(), ActorProcessingErr> {
        match message {
            RootMessage::Tenant(organization, reply) => {
                let tenant = root.tenant(&myself, organization).await;
                let _ = reply.send(tenant);
            }
            RootMessage::Drain(reply) => {
                let grace = Some(root.with.limits.call_timeout);
                for tenant in root.supervisors.values() {
                    tenant.drain_children_and_wait(grace).await;
                }
                myself.stop_children(None);
                let _ = reply.send(());
            }
        }
        Ok(())
    }

    /// A supervisor that ends is started anew when somebody asks for it.
    async fn handle_supervisor_evt(
        &self,
        _myself: ActorRef<RootMessage>,
        event: SupervisionEvent,
        root: &mut Tenants,
    ) -> Result<(), ActorProcessingErr> {
        if let SupervisionEvent::ActorTerminated(who, ..) | SupervisionEvent::ActorFailed(who, ..) = &event
            && let Some(organization) = root.organization_of.remove(&who.get_id())
        {
            root.supervisors.remove(&organization);
        }
        Ok(())
    }
}

impl Tenants {
    async fn tenant(
        &mut self,
        myself: &ActorRef<RootMessage>,
        organization: OrganizationId,
    ) -> Option<ActorRef<TenantMessage>> {
        if let Some(tenant) = self.supervisors.get(&organization) {
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
                self.organization_of.insert(tenant.get_id(), organization);
                self.supervisors.insert(organization, tenant.clone());
                Some(tenant)
            }
            Err(error) => {
                error!(%organization, %error, "a supervisor did not start");
                None
            }
        }
    }
}
