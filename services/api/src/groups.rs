//! `/api/o/{org}/groups`

use app::administration;
use axum::extract::{Extension, State};
use base::Name;
use bytes::Bytes;
use http::Uri;
use run_ports::Group;
use serde_json::{Value, json};

use crate::address::Address;
use crate::answer::{Answer, created, done, listed, shown};
use crate::body::Body;
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::{Caller, Shared};

pub(crate) async fn list(
    State(administration): Shared,
    Extension(admin): Caller,
    parameters: Parameters,
) -> Answer {
    let paging = parameters.paging()?;
    let page = administration::list_groups(&administration, admin, &paging).await?;
    Ok(listed(page, group))
}

pub(crate) async fn read(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let found = administration::find_group(&administration, admin, address.group()?).await?;
    Ok(shown(group(&found)))
}

pub(crate) async fn create(
    State(administration): Shared,
    Extension(admin): Caller,
    uri: Uri,
    body: Bytes,
) -> Answer {
    let name = name(&body)?;
    let new = administration::create_group(&administration, admin, name).await?;
    Ok(created(&uri, new.id, group(&new)))
}

pub(crate) async fn rename(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    body: Bytes,
) -> Answer {
    let id = address.group()?;
    let name = name(&body)?;
    let renamed = administration::rename_group(&administration, admin, id, &name).await?;
    Ok(shown(group(&renamed)))
}

pub(crate) async fn remove(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    administration::delete_group(&administration, admin, address.group()?).await?;
    Ok(done())
}

pub(crate) async fn put_member(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let (group, person) = (address.group()?, address.person()?);
    administration::put_into_group(&administration, admin, group, person).await?;
    Ok(done())
}

pub(crate) async fn take_member(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let (group, person) = (address.group()?, address.person()?);
    administration::take_from_group(&administration, admin, group, person).await?;
    Ok(done())
}

fn name(body: &[u8]) -> Result<Name, Refusal> {
    let mut body = Body::read(body)?;
    let name = body.name("name");
    body.finish(|| name)
}

fn group(group: &Group) -> Value {
    json!({
        "id": group.id.to_string(),
        "name": group.name,
        "members": group.members,
        "createdAt": group.created_at.to_string(),
    })
}
