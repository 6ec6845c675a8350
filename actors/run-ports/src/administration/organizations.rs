//! The organization itself.

use async_trait::async_trait;
use base::{GroupId, OrganizationId, Timestamp};

use crate::PortError;

/// The tenant, as its admins see it.
#[async_trait]
pub trait Organizations: Send + Sync {
    /// What there is of it, counted.
    async fn organization(&self, organization: OrganizationId) -> Result<Organization, PortError>;
}

/// An organization and what it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// The name in its addresses.
    pub name: String,
    /// The group that escalations are for.
    pub operators_group: GroupId,
    /// When it was created.
    pub created_at: Timestamp,
    /// Its members.
    pub members: u32,
    /// Its groups, the operators' aside.
    pub groups: u32,
    /// Its agents.
    pub agents: u32,
    /// Its processes.
    pub processes: u32,
    /// Its drafts.
    pub drafts: u32,
}
