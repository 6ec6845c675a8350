//! `/api/o/{org}/members`

use app::administration::{self, NewMemberFacts};
use axum::extract::{Extension, State};
use base::PersonRole;
use bytes::Bytes;
use http::Uri;
use run_ports::{Member, MemberChange, MemberFilter};
use serde_json::{Value, json};

use crate::address::Address;
use crate::answer::{Answer, created, done, listed, shown};
use crate::body::Body;
use crate::parameters::Parameters;
use crate::{Caller, Shared};

const EMAIL: &str = "an e-mail address: one @ with something on both sides, at most 254 characters";
const ROLE: &str = "one of member, operator, admin";

pub(crate) async fn list(
    State(administration): Shared,
    Extension(admin): Caller,
    mut parameters: Parameters,
) -> Answer {
    let filter = MemberFilter {
        email: parameters.optional("email", EMAIL),
        group: parameters.optional("group", "the id of a group"),
    };
    let paging = parameters.paging()?;
    let page = administration::list_members(&administration, admin, &filter, &paging).await?;
    Ok(listed(page, member))
}

pub(crate) async fn read(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let found = administration::find_member(&administration, admin, address.person()?).await?;
    Ok(shown(member(&found)))
}

pub(crate) async fn add(
    State(administration): Shared,
    Extension(admin): Caller,
    uri: Uri,
    body: Bytes,
) -> Answer {
    let mut body = Body::read(&body)?;
    let email = body.text("email", EMAIL);
    let role = body.text("role", ROLE);
    let groups = body.optional_groups("groups").unwrap_or_default();
    let facts = body.finish(|| {
        Some(NewMemberFacts {
            email: email?,
            role: role?,
            groups,
        })
    })?;
    let added = administration::add_member(&administration, admin, facts).await?;
    Ok(created(&uri, added.id, member(&added)))
}

pub(crate) async fn change(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    body: Bytes,
) -> Answer {
    let person = address.person()?;
    let mut body = Body::read(&body)?;
    let role: Option<PersonRole> = body.optional_text("role", ROLE);
    let groups = body.optional_groups("groups");
    let change = body.finish(|| Some(MemberChange { role, groups }))?;
    let changed = administration::change_member(&administration, admin, person, change).await?;
    Ok(shown(member(&changed)))
}

pub(crate) async fn remove(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    administration::remove_member(&administration, admin, address.person()?).await?;
    Ok(done())
}

fn member(member: &Member) -> Value {
    json!({
        "id": member.id.to_string(),
        "email": member.email,
        "role": member.role.as_str(),
        "groups": member.groups,
        "createdAt": member.created_at.to_string(),
    })
}
