//! Publishes a process: the next numbered version, with every role mapped to a group (process.md §8).

use std::collections::BTreeMap;

use base::{Admin, Digest, GroupId, OrganizationId};
use formats::{Format, Problem, Publishable};
use run_ports::{PortError, Published, VersionRow};

use crate::App;
use crate::role_groups::RoleGroups;

/// What is published.
#[derive(Debug, Clone)]
pub struct Publication {
    /// The document, exactly as it will be kept.
    pub source: Vec<u8>,
    /// The name of a group for each role; a role that is mapped already may be left out.
    pub roles: BTreeMap<String, String>,
}

/// A published version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedVersion {
    /// The process.
    pub name: String,
    /// Its number.
    pub version: u32,
    /// Its content hash.
    pub content_hash: Digest,
    /// Whether the latest version had this very text already, so that no new one was made.
    pub is_unchanged: bool,
    /// What is worth a look.
    pub warnings: Vec<Problem>,
}

/// Why nothing was published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The document breaks a rule, or needs what this server does not offer.
    #[error("the document cannot be published; see problems")]
    Problems(Vec<Problem>),
    /// Roles without a group, groups that do not exist, or groups for roles that do not exist: each with the way to mend it.
    #[error("the roles are not all mapped to groups; see issues")]
    Roles(Vec<String>),
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] PortError),
}

/// Publishes a PROCESS.md. Text identical to the latest version makes no new version; the roles are mapped all the same.
pub async fn publish(
    app: &App,
    admin: Admin,
    publication: Publication,
) -> Result<PublishedVersion, PublishError> {
    let format = Format::Process;
    let publishable = formats::publishable(format, &publication.source).map_err(PublishError::Problems)?;
    let roles = groups(app, admin.organization(), (&publishable, &publication.roles)).await?;
    let row = VersionRow {
        process: publishable.name.clone(),
        version: 0,
        format: format.as_str().to_owned(),
        source: publication.source,
        content_hash: publishable.content_hash,
        description: publishable.plan.about().description.clone(),
        published_at: app.clock.now(),
        published_by: Some(admin.person()),
    };
    let published = app.versions.publish(admin.organization(), row, roles).await?;
    app.runs.apply_reassignments(admin.organization()).await;
    let (version, is_unchanged) = match published {
        Published::New(version) => (version, false),
        Published::Unchanged(version) => (version, true),
    };
    Ok(PublishedVersion {
        name: publishable.name,
        version,
        content_hash: publishable.content_hash,
        is_unchanged,
        warnings: publishable.warnings,
    })
}

/// The groups of the roles that are named. A role that is not keeps the group that it is mapped to, if there is one.
async fn groups(
    app: &App,
    organization: OrganizationId,
    (publishable, named): (&Publishable, &BTreeMap<String, String>),
) -> Result<Vec<(String, GroupId)>, PublishError> {
    let (mut must, mut may) = (Vec::new(), Vec::new());
    for role in &publishable.roles {
        let mapped = app.directory.role(organization, &publishable.name, role);
        match mapped.await? {
            Some(_) => may.push(role.as_str()),
            None => must.push(role.as_str()),
        }
    }
    let wanted = RoleGroups {
        must,
        may,
        place: "roles.",
        named,
    };
    let groups = wanted.find(app, organization).await?;
    groups.map_err(|issues| PublishError::Roles(issues.into_vec()))
}
