//! Who is who in an organization.

use async_trait::async_trait;
use base::{GroupId, OrganizationId, PersonId};
use run_core::event::Assigned;

use crate::PortError;

/// Facts about members and groups that decisions need.
#[async_trait]
pub trait Directory: Send + Sync {
    /// How often who is who has changed. Facts that are asked for later are as new or newer, and a `Commit` that carries this number is
    /// made only while it is still the newest.
    async fn revision(&self, organization: OrganizationId) -> Result<u64, PortError>;

    /// The member with this e-mail address, compared without case.
    async fn member(&self, organization: OrganizationId, email: &str) -> Result<Option<PersonId>, PortError>;

    /// The group that a role of a process is mapped to, with its present members; `None` when it is mapped to none.
    async fn role(
        &self,
        organization: OrganizationId,
        process: &str,
        role: &str,
    ) -> Result<Option<Assigned>, PortError>;

    /// The operators' group with its present members: operators and admins.
    async fn operators(&self, organization: OrganizationId) -> Result<Assigned, PortError>;

    /// The group with this name, compared exactly.
    async fn group(&self, organization: OrganizationId, name: &str) -> Result<Option<GroupId>, PortError>;

    /// The SHA-256 of an uploaded file's stored bytes, as 64 hexadecimal digits; `None` when there is no such file or its bytes no
    /// longer hash to what was recorded.
    async fn file(&self, organization: OrganizationId, reference: &str) -> Result<Option<String>, PortError>;
}
