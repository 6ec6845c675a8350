//! `/api/o/{org}`

use app::administration;
use axum::extract::{Extension, State};
use serde_json::json;

use crate::answer::{Answer, shown};
use crate::{Caller, Shared};

pub(crate) async fn read(State(administration): Shared, Extension(admin): Caller) -> Answer {
    let organization = administration::organization(&administration, admin).await?;
    Ok(shown(json!({
        "id": admin.organization().to_string(),
        "name": organization.name,
        "operatorsGroup": organization.operators_group.to_string(),
        "createdAt": organization.created_at.to_string(),
        "counts": {
            "members": organization.members,
            "groups": organization.groups,
            "agents": organization.agents,
            "processes": organization.processes,
            "drafts": organization.drafts,
        },
    })))
}
