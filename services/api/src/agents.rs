//! `/api/o/{org}/agents`

use std::time::Duration;

use app::administration::{self, NewAgentFacts};
use axum::extract::{Extension, State};
use base::{AgentRights, Scope};
use bytes::Bytes;
use http::Uri;
use run_ports::{Agent, AgentChange, Token};
use serde_json::{Value, json};

use crate::address::Address;
use crate::answer::{Answer, created, done, listed, shown};
use crate::body::Body;
use crate::parameters::Parameters;
use crate::{Caller, Shared};

/// A token that ends does so within ten years.
const TOKEN_SECONDS_MAX: u64 = 10 * 365 * 24 * 60 * 60;

pub(crate) async fn list(
    State(administration): Shared,
    Extension(admin): Caller,
    parameters: Parameters,
) -> Answer {
    let paging = parameters.paging()?;
    let page = administration::list_agents(&administration, admin, &paging).await?;
    Ok(listed(page, agent))
}

pub(crate) async fn read(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let found = administration::find_agent(&administration, admin, address.agent()?).await?;
    Ok(shown(agent(&found)))
}

pub(crate) async fn create(
    State(administration): Shared,
    Extension(admin): Caller,
    uri: Uri,
    body: Bytes,
) -> Answer {
    let mut body = Body::read(&body)?;
    let name = body.name("name");
    let (start, work) = (body.scope("start"), body.scope("work"));
    let facts = body.finish(|| {
        Some(NewAgentFacts {
            name: name?,
            rights: AgentRights {
                start: start?,
                work: work?,
            },
        })
    })?;
    let new = administration::create_agent(&administration, admin, facts).await?;
    Ok(created(&uri, new.id, agent(&new)))
}

pub(crate) async fn change(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    body: Bytes,
) -> Answer {
    let id = address.agent()?;
    let mut body = Body::read(&body)?;
    let change = AgentChange {
        name: body.optional_name("name"),
        start: body.optional_scope("start"),
        work: body.optional_scope("work"),
    };
    let change = body.finish(|| Some(change))?;
    let changed = administration::change_agent(&administration, admin, id, change).await?;
    Ok(shown(agent(&changed)))
}

pub(crate) async fn remove(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    administration::remove_agent(&administration, admin, address.agent()?).await?;
    Ok(done())
}

pub(crate) async fn list_tokens(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    parameters: Parameters,
) -> Answer {
    let agent = address.agent()?;
    let paging = parameters.paging()?;
    let page = administration::list_tokens(&administration, admin, agent, &paging).await?;
    Ok(listed(page, token))
}

pub(crate) async fn issue_token(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
    uri: Uri,
    body: Bytes,
) -> Answer {
    let agent = address.agent()?;
    let mut body = Body::read(&body)?;
    let seconds = body.optional_whole("expiresInSeconds", 1..=TOKEN_SECONDS_MAX);
    let lifetime = body.finish(|| Some(seconds.map(Duration::from_secs)))?;
    let issued = administration::issue_token(&administration, admin, agent, lifetime).await?;
    let mut answer = token(&issued.token);
    answer["token"] = Value::String(issued.secret.expose().clone());
    Ok(created(&uri, issued.token.id, answer))
}

pub(crate) async fn revoke_token(
    State(administration): Shared,
    Extension(admin): Caller,
    address: Address,
) -> Answer {
    let (agent, token) = (address.agent()?, address.token()?);
    administration::revoke_token(&administration, admin, agent, token).await?;
    Ok(done())
}

fn agent(agent: &Agent) -> Value {
    json!({
        "id": agent.id.to_string(),
        "name": agent.name,
        "start": scope(&agent.rights.start),
        "work": scope(&agent.rights.work),
        "createdAt": agent.created_at.to_string(),
    })
}

fn scope(scope: &Scope) -> Value {
    match scope {
        Scope::All => json!("all"),
        Scope::Processes(names) => json!(names),
    }
}

fn token(token: &Token) -> Value {
    json!({
        "id": token.id.to_string(),
        "createdAt": token.created_at.to_string(),
        "expiresAt": token.expires_at.map(|end| end.to_string()),
    })
}
