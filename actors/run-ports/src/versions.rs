//! Published versions.

use async_trait::async_trait;
use base::{Digest, GroupId, OrganizationId, PersonId, Timestamp};

use crate::PortError;

/// Published versions of an organization: immutable, numbered from 1.
#[async_trait]
pub trait Versions: Send + Sync {
    /// A version, or the latest one.
    async fn version(
        &self,
        organization: OrganizationId,
        process: &str,
        version: Option<u32>,
    ) -> Result<Option<VersionRow>, PortError>;

    /// The number of the latest version, without its text.
    async fn latest(&self, organization: OrganizationId, process: &str) -> Result<Option<u32>, PortError>;

    /// Publishes the source as the next version, unless it is the text of the latest one, and maps the roles. In one transaction.
    async fn publish(
        &self,
        organization: OrganizationId,
        new: VersionRow,
        roles: Vec<(String, GroupId)>,
    ) -> Result<Published, PortError>;
}

/// A published version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRow {
    /// The process.
    pub process: String,
    /// Its number; ignored when it is being published.
    pub version: u32,
    /// The word of the format, as `formats` writes it.
    pub format: String,
    /// The document exactly as published.
    pub source: Vec<u8>,
    /// Its content hash.
    pub content_hash: Digest,
    /// One line for people, for the catalog.
    pub description: String,
    /// When it was published.
    pub published_at: Timestamp,
    /// By whom, where that is known.
    pub published_by: Option<PersonId>,
}

/// What became of a publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// A new version with this number.
    New(u32),
    /// The latest version has the same text already (process.md §8); the roles are mapped.
    Unchanged(u32),
}
