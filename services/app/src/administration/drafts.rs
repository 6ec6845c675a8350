//! Drafts: documents with all of their problems, until somebody asks for their publication (process.md §8).

use std::collections::BTreeMap;

use base::DraftId;
use formats::{Format, Problem};
use run_ports::{Draft, DraftHead, DraftText, Entries};
use serde_json::Value;

use super::authors::Authors;
use super::{Admin, Administration, Author, Error, Listed, Paging, found};
use crate::publish::{Publication, PublishError, PublishedVersion, publish};

/// A draft in a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftEntry {
    /// What is kept of it beside its document.
    pub head: DraftHead,
    /// Who created it.
    pub creator: Option<Author>,
    /// Who gave it the document that it has.
    pub editor: Option<Author>,
}

/// A draft, and what this server says of it now.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftFacts {
    /// What is kept of it.
    pub entry: DraftEntry,
    /// The document.
    pub source: String,
    /// What it needs of the outside.
    pub requires: Option<Value>,
    /// Each role with the name of the group that it is mapped to now.
    pub roles: Vec<(String, Option<String>)>,
    /// Every problem, in the order of the document.
    pub problems: Vec<Problem>,
    /// Whether nothing but groups may be missing.
    pub is_publishable: bool,
}

/// Drafts in the order of their ids.
pub async fn list_drafts(
    administration: &Administration,
    admin: Admin,
    paging: &Paging,
) -> Result<Listed<DraftEntry>, Error> {
    let listing = administration.listing(admin, "drafts");
    let page = listing.page(paging)?;
    let found = administration
        .store
        .list_drafts(admin.organization(), &page)
        .await?;
    let people = found.entries.iter();
    let people = people.flat_map(|head| [head.created_by, head.updated_by]);
    let authors = Authors::find(administration, admin, people).await?;
    let has_more = found.has_more;
    let entries = found.entries.into_iter().map(|head| entry(head, &authors));
    let entries = entries.collect();
    Ok(listing.listed(Entries { entries, has_more }, |entry| entry.head.id))
}

/// A draft with all of its problems.
pub async fn find_draft(
    administration: &Administration,
    admin: Admin,
    draft: DraftId,
) -> Result<DraftFacts, Error> {
    let draft = find(administration, admin, draft).await?;
    let people = [draft.head.created_by, draft.head.updated_by].into_iter();
    let authors = Authors::find(administration, admin, people).await?;
    let report = formats::check(Format::Process, &draft.source, None);
    let plan = formats::compile(Format::Process, &draft.source).ok();
    let (problems, is_publishable) = match formats::publishable(Format::Process, &draft.source) {
        Ok(publishable) => (publishable.warnings, true),
        Err(problems) => (problems, false),
    };
    let mut groups = match &report.name {
        Some(name) => {
            let groups = administration.store.role_groups(admin.organization(), name);
            groups.await?
        }
        None => BTreeMap::new(),
    };
    let roles = report.roles.into_iter().map(|role| {
        let group = groups.remove(&role);
        (role, group)
    });
    Ok(DraftFacts {
        roles: roles.collect(),
        entry: entry(draft.head, &authors),
        source: String::from_utf8_lossy(&draft.source).into_owned(),
        requires: plan.and_then(|plan| plan.about().requires.clone()),
        problems,
        is_publishable,
    })
}

/// Keeps a document as a draft, whatever problems it has.
pub async fn create_draft(
    administration: &Administration,
    admin: Admin,
    source: String,
) -> Result<DraftFacts, Error> {
    let text = text(administration, admin, source)?;
    let id = DraftId::new(administration.random.ulid(text.at));
    administration
        .store
        .create_draft(admin.organization(), id, text)
        .await?;
    find_draft(administration, admin, id).await
}

/// Gives a draft another document.
pub async fn replace_draft(
    administration: &Administration,
    admin: Admin,
    draft: DraftId,
    source: String,
) -> Result<DraftFacts, Error> {
    let text = text(administration, admin, source)?;
    administration
        .store
        .replace_draft(admin.organization(), draft, text)
        .await?;
    find_draft(administration, admin, draft).await
}

/// Deletes a draft.
pub async fn delete_draft(
    administration: &Administration,
    admin: Admin,
    draft: DraftId,
) -> Result<(), Error> {
    administration
        .store
        .delete_draft(admin.organization(), draft)
        .await?;
    Ok(())
}

/// Publishes the document of a draft, which stays until it is deleted: the same call again publishes nothing new.
pub async fn publish_draft(
    administration: &Administration,
    admin: Admin,
    draft: DraftId,
    roles: BTreeMap<String, String>,
) -> Result<Result<PublishedVersion, PublishError>, Error> {
    let source = find(administration, admin, draft).await?.source;
    let publication = Publication { source, roles };
    Ok(publish(&administration.app, admin, publication).await)
}

async fn find(administration: &Administration, admin: Admin, draft: DraftId) -> Result<Draft, Error> {
    let draft = administration
        .store
        .find_draft(admin.organization(), draft)
        .await?;
    found(draft, "draft")
}

fn text(administration: &Administration, admin: Admin, source: String) -> Result<DraftText, Error> {
    let (count, most) = (source.len(), Format::Process.source_bytes_max());
    if count > most {
        return Err(Error::invalid(format_args!(
            "source: {count} bytes, expected at most {most}"
        )));
    }
    let source = source.into_bytes();
    let report = formats::check(Format::Process, &source, None);
    Ok(DraftText {
        source,
        name: report.name,
        content_hash: report.content_hash,
        at: administration.app.clock.now(),
        by: admin.person(),
    })
}

fn entry(head: DraftHead, authors: &Authors) -> DraftEntry {
    DraftEntry {
        creator: authors.of(head.created_by),
        editor: authors.of(head.updated_by),
        head,
    }
}
