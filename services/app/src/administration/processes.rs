//! Published processes, their versions, and the groups that their roles mean (process.md §5, "People").

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Digest;
use base::Timestamp;
use formats::Format;
use run_core::Plan;
use run_ports::{PageOf, VersionRow};

use super::authors::Authors;
use super::{Admin, Administration, Author, Error, Listed, Paging, found};
use crate::role_groups::RoleGroups;

/// A version and whatever else is known of it.
pub struct VersionFacts {
    /// As it was published.
    pub row: VersionRow,
    /// By whom.
    pub author: Option<Author>,
    /// What it compiles to; none when it no longer does.
    pub plan: Option<Arc<dyn Plan>>,
}

impl VersionFacts {
    /// The roles in the order of their first use.
    pub fn roles(&self) -> Vec<String> {
        roles(&self.row)
    }
}

/// A version in a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionEntry {
    /// Its number.
    pub version: u32,
    /// Its content hash.
    pub content_hash: Digest,
    /// When it was published.
    pub published_at: Timestamp,
    /// By whom.
    pub author: Option<Author>,
}

/// The latest version of every process, by name.
pub async fn list_processes(
    administration: &Administration,
    admin: Admin,
    paging: &Paging,
) -> Result<Listed<VersionFacts>, Error> {
    let listing = administration.listing(admin, "processes");
    let page = listing.page(paging)?;
    let page = PageOf {
        after: page.after,
        limit: page.limit,
        process: None,
    };
    let work = &administration.app.work;
    let found = work.processes(admin.organization(), &page).await?;
    let people = found.entries.iter().filter_map(|row| row.published_by);
    let authors = Authors::find(administration, admin, people).await?;
    let has_more = found.has_more;
    let facts = |row| facts(administration, admin, row, &authors);
    let entries = found.entries.into_iter().map(facts).collect();
    let found = run_ports::Entries { entries, has_more };
    Ok(listing.listed(found, |facts| facts.row.process.clone()))
}

/// A version of a process, or the latest one.
pub async fn find_version(
    administration: &Administration,
    admin: Admin,
    process: &str,
    version: Option<u32>,
) -> Result<VersionFacts, Error> {
    let row = find_row(administration, admin, process, version).await?;
    let authors = Authors::find(administration, admin, row.published_by.into_iter()).await?;
    Ok(facts(administration, admin, row, &authors))
}

/// The document of a version, exactly as it was published.
pub async fn find_source(
    administration: &Administration,
    admin: Admin,
    process: &str,
    version: u32,
) -> Result<Vec<u8>, Error> {
    let row = find_row(administration, admin, process, Some(version)).await?;
    Ok(row.source)
}

/// The versions of a process, the latest first.
pub async fn list_versions(
    administration: &Administration,
    admin: Admin,
    process: &str,
    paging: &Paging,
) -> Result<Listed<VersionEntry>, Error> {
    let listing = administration.listing_of(admin, "versions", process.to_owned());
    let page = listing.page(paging)?;
    let versions = &administration.app.versions;
    found(versions.latest(admin.organization(), process).await?, "process")?;
    let found = administration
        .store
        .list_versions(admin.organization(), process, &page)
        .await?;
    let people = found.entries.iter().filter_map(|head| head.published_by);
    let authors = Authors::find(administration, admin, people).await?;
    let has_more = found.has_more;
    let entry = |head: run_ports::VersionHead| VersionEntry {
        version: head.version,
        content_hash: head.content_hash,
        published_at: head.published_at,
        author: head.published_by.and_then(|person| authors.of(person)),
    };
    let entries = found.entries.into_iter().map(entry).collect();
    let found = run_ports::Entries { entries, has_more };
    Ok(listing.listed(found, |entry| entry.version))
}

/// The name of the group of each role: of every role of the latest version, and of every other one that is mapped.
pub async fn find_roles(
    administration: &Administration,
    admin: Admin,
    process: &str,
) -> Result<BTreeMap<String, Option<String>>, Error> {
    let row = find_row(administration, admin, process, None).await?;
    let mapped = administration
        .store
        .role_groups(admin.organization(), process)
        .await?;
    let mut groups: BTreeMap<_, _> = roles(&row).into_iter().map(|role| (role, None)).collect();
    groups.extend(mapped.into_iter().map(|(role, group)| (role, Some(group))));
    Ok(groups)
}

/// Maps every role of the latest version to a group; open items move.
pub async fn map_roles(
    administration: &Administration,
    admin: Admin,
    process: &str,
    named: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Option<String>>, Error> {
    let before = find_roles(administration, admin, process).await?;
    let latest = roles(&find_row(administration, admin, process, None).await?);
    let wanted = RoleGroups {
        must: latest.iter().map(String::as_str).collect(),
        may: before.keys().map(String::as_str).collect(),
        place: "",
        named,
    };
    let groups = wanted.find(&administration.app, admin.organization()).await?;
    let groups = groups.map_err(|issues| Error::NotAccepted {
        message: "the roles are not all mapped to groups; see issues",
        issues,
    })?;
    administration
        .store
        .map_roles(admin.organization(), process, &groups)
        .await?;
    administration.move_items(admin).await;
    find_roles(administration, admin, process).await
}

async fn find_row(
    administration: &Administration,
    admin: Admin,
    process: &str,
    version: Option<u32>,
) -> Result<VersionRow, Error> {
    let versions = &administration.app.versions;
    let row = versions.version(admin.organization(), process, version).await?;
    found(row, if version.is_some() { "version" } else { "process" })
}

fn facts(administration: &Administration, admin: Admin, row: VersionRow, authors: &Authors) -> VersionFacts {
    VersionFacts {
        author: row.published_by.and_then(|person| authors.of(person)),
        // The handle has logged why one no longer compiles.
        plan: administration.app.runs.plan(admin.organization(), &row).ok(),
        row,
    }
}

fn roles(row: &VersionRow) -> Vec<String> {
    let format = Format::from_word(&row.format);
    format.map_or_else(Vec::new, |format| formats::check(format, &row.source, None).roles)
}
