//! What admins see of published processes, and the groups that their roles mean.

use std::collections::BTreeMap;

use async_trait::async_trait;
use base::{Digest, GroupId, OrganizationId, PersonId, Timestamp};

use super::{ChangeError, Entries, Page};
use crate::PortError;

/// The processes of an organization, beyond [`crate::Versions`].
#[async_trait]
pub trait Processes: Send + Sync {
    /// The versions of a process, the latest first; none when there is no such process.
    async fn list_versions(
        &self,
        organization: OrganizationId,
        process: &str,
        page: &Page<u32>,
    ) -> Result<Entries<VersionHead>, PortError>;

    /// The name of the group of every role of a process that is mapped, whatever version has the role.
    async fn role_groups(
        &self,
        organization: OrganizationId,
        process: &str,
    ) -> Result<BTreeMap<String, String>, PortError>;

    /// Maps roles of a process. Those that are not named stay as they are.
    async fn map_roles(
        &self,
        organization: OrganizationId,
        process: &str,
        roles: &[(String, GroupId)],
    ) -> Result<(), ChangeError>;
}

/// A version without its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionHead {
    /// Its number.
    pub version: u32,
    /// Its content hash.
    pub content_hash: Digest,
    /// When it was published.
    pub published_at: Timestamp,
    /// By whom, where that is known.
    pub published_by: Option<PersonId>,
}
