//! `/api/o/{org}/processes`

use app::administration::{self, Author, VersionEntry, VersionFacts};
use axum::extract::{Extension, State};
use axum::response::IntoResponse as _;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::address::Address;
use crate::answer::{Answer, listed, shown};
use crate::body::Body;
use crate::parameters::Parameters;
use crate::{Caller, Shared};

pub(crate) async fn list(
    State(administration): Shared,
    Extension(admin): Caller,
    parameters: Parameters,
) -> Answer {
    let paging = parameters.paging()?;
    let page = administration::list_processes(&administration, admin, &paging).await?;
    Ok(listed(page, process))
}

pub(crate) async fn read(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let name = address.process()?;
    let found = administration::find_version(&administration, admin, &name, None).await?;
    Ok(shown(process(&found)))
}

pub(crate) async fn list_versions(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    parameters: Parameters,
) -> Answer {
    let name = address.process()?;
    let paging = parameters.paging()?;
    let page = administration::list_versions(&administration, admin, &name, &paging).await?;
    Ok(listed(page, version_entry))
}

pub(crate) async fn read_version(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let (name, number) = (address.process()?, address.version()?);
    let found = administration::find_version(&administration, admin, &name, Some(number)).await?;
    Ok(shown(version(&found)))
}

pub(crate) async fn read_source(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let (name, number) = (address.process()?, address.version()?);
    let source = administration::find_source(&administration, admin, &name, number).await?;
    Ok(([(CONTENT_TYPE, "text/markdown; charset=utf-8")], source).into_response())
}

pub(crate) async fn read_roles(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let name = address.process()?;
    let roles = administration::find_roles(&administration, admin, &name).await?;
    Ok(shown(json!(roles)))
}

pub(crate) async fn map_roles(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    body: Bytes,
) -> Answer {
    let name = address.process()?;
    let named = Body::role_groups(&body)?;
    let roles = administration::map_roles(&administration, admin, &name, &named).await?;
    Ok(shown(json!(roles)))
}

/// Who did something, where that is known.
pub(crate) fn author(author: Option<&Author>) -> Value {
    author.map_or(
        Value::Null,
        |author| json!({"id": author.id.to_string(), "email": author.email}),
    )
}

fn process(facts: &VersionFacts) -> Value {
    json!({
        "name": facts.row.process,
        "description": facts.row.description,
        "version": facts.row.version,
        "contentHash": facts.row.content_hash.to_string(),
        "publishedAt": facts.row.published_at.to_string(),
        "publishedBy": author(facts.author.as_ref()),
        "requires": requires(facts),
    })
}

fn version(facts: &VersionFacts) -> Value {
    let plan = facts.plan.as_ref();
    let steps: Vec<Value> = plan
        .iter()
        .flat_map(|plan| plan.steps())
        .map(|step| json!({"id": step.id.to_string(), "kind": step.kind.as_str()}))
        .collect();
    json!({
        "version": facts.row.version,
        "contentHash": facts.row.content_hash.to_string(),
        "publishedAt": facts.row.published_at.to_string(),
        "publishedBy": author(facts.author.as_ref()),
        "description": facts.row.description,
        "requires": requires(facts),
        "inputs": plan.map(|plan| plan.about().inputs.clone()).unwrap_or_default(),
        "steps": steps,
        "roles": facts.roles(),
    })
}

fn version_entry(entry: &VersionEntry) -> Value {
    json!({
        "version": entry.version,
        "contentHash": entry.content_hash.to_string(),
        "publishedAt": entry.published_at.to_string(),
        "publishedBy": author(entry.author.as_ref()),
    })
}

fn requires(facts: &VersionFacts) -> Value {
    let requires = facts.plan.as_ref().and_then(|plan| plan.about().requires.clone());
    requires.unwrap_or_default()
}
