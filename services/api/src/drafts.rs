//! `/api/o/{org}/drafts`

use app::administration::{self, DraftEntry, DraftFacts};
use axum::extract::{Extension, State};
use bytes::Bytes;
use http::Uri;
use serde_json::{Value, json};

use crate::address::Address;
use crate::answer::{Answer, created, done, listed, shown};
use crate::body::Body;
use crate::parameters::Parameters;
use crate::processes::author;
use crate::publish::{self, SOURCE};
use crate::refusal::Refusal;
use crate::{Caller, Shared};

pub(crate) async fn list(
    State(administration): Shared,
    Extension(admin): Caller,
    parameters: Parameters,
) -> Answer {
    let paging = parameters.paging()?;
    let page = administration::list_drafts(&administration, admin, &paging).await?;
    Ok(listed(page, entry))
}

pub(crate) async fn read(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let found = administration::find_draft(&administration, admin, address.draft()?).await?;
    Ok(shown(draft(&found)))
}

pub(crate) async fn create(
    State(administration): Shared,
    Extension(admin): Caller,
    uri: Uri,
    body: Bytes,
) -> Answer {
    let source = source(&body)?;
    let new = administration::create_draft(&administration, admin, source).await?;
    Ok(created(&uri, new.entry.head.id, draft(&new)))
}

pub(crate) async fn replace(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    body: Bytes,
) -> Answer {
    let id = address.draft()?;
    let source = source(&body)?;
    let replaced = administration::replace_draft(&administration, admin, id, source).await?;
    Ok(shown(draft(&replaced)))
}

pub(crate) async fn remove(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    administration::delete_draft(&administration, admin, address.draft()?).await?;
    Ok(done())
}

pub(crate) async fn publish(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    body: Bytes,
) -> Answer {
    let id = address.draft()?;
    let mut body = Body::read(&body)?;
    let roles = body.roles("roles");
    let roles = body.finish(|| Some(roles))?;
    let outcome = administration::publish_draft(&administration, admin, id, roles).await?;
    Ok(publish::answer(outcome))
}

fn source(body: &[u8]) -> Result<String, Refusal> {
    let mut body = Body::read(body)?;
    let source = body.text("source", SOURCE);
    body.finish(|| source)
}

fn entry(entry: &DraftEntry) -> Value {
    let head = &entry.head;
    json!({
        "id": head.id.to_string(),
        "name": head.name,
        "contentHash": head.content_hash.map(|hash| hash.to_string()),
        "createdAt": head.created_at.to_string(),
        "createdBy": author(entry.creator.as_ref()),
        "updatedAt": head.updated_at.to_string(),
        "updatedBy": author(entry.editor.as_ref()),
    })
}

fn draft(facts: &DraftFacts) -> Value {
    let roles = facts.roles.iter();
    let roles: Vec<_> = roles
        .map(|(role, group)| json!({"role": role, "group": group}))
        .collect();
    let mut draft = entry(&facts.entry);
    draft["source"] = json!(facts.source);
    draft["requires"] = facts.requires.clone().unwrap_or_default();
    draft["roles"] = json!(roles);
    draft["problems"] = json!(publish::to_json(&facts.problems));
    draft["publishable"] = json!(facts.is_publishable);
    draft
}
