//! Documents that are being prepared for publication.

use async_trait::async_trait;
use base::{Digest, DraftId, OrganizationId, PersonId, Timestamp};

use super::{ChangeError, Entries, Page};
use crate::PortError;

/// The drafts of an organization.
#[async_trait]
pub trait Drafts: Send + Sync {
    /// Drafts in the order of their ids.
    async fn list_drafts(
        &self,
        organization: OrganizationId,
        page: &Page<DraftId>,
    ) -> Result<Entries<DraftHead>, PortError>;

    /// A draft with its document.
    async fn find_draft(
        &self,
        organization: OrganizationId,
        draft: DraftId,
    ) -> Result<Option<Draft>, PortError>;

    /// Keeps a new draft.
    async fn create_draft(
        &self,
        organization: OrganizationId,
        draft: DraftId,
        text: DraftText,
    ) -> Result<(), ChangeError>;

    /// Gives a draft another document.
    async fn replace_draft(
        &self,
        organization: OrganizationId,
        draft: DraftId,
        text: DraftText,
    ) -> Result<(), ChangeError>;

    /// Deletes a draft.
    async fn delete_draft(&self, organization: OrganizationId, draft: DraftId) -> Result<(), ChangeError>;
}

/// A draft without its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftHead {
    /// Its id.
    pub id: DraftId,
    /// The name in the document, where it can be read.
    pub name: Option<String>,
    /// The hash of the document, where it can be read.
    pub content_hash: Option<Digest>,
    /// When it was created.
    pub created_at: Timestamp,
    /// By whom.
    pub created_by: PersonId,
    /// When it got the document that it has.
    pub updated_at: Timestamp,
    /// From whom.
    pub updated_by: PersonId,
}

/// A draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What is known of it.
    pub head: DraftHead,
    /// The document.
    pub source: Vec<u8>,
}

/// A document for a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftText {
    /// The document.
    pub source: Vec<u8>,
    /// The name in it.
    pub name: Option<String>,
    /// Its hash.
    pub content_hash: Option<Digest>,
    /// When it came.
    pub at: Timestamp,
    /// From whom.
    pub by: PersonId,
}
