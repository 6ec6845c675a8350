//! `POST /api/o/{org}/processes/publish`

use std::collections::BTreeMap;
use std::sync::Arc;

use app::{App, Publication, PublishError, PublishedVersion};
use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use base::{Issues, Principal, Quoted};
use bytes::Bytes;
use formats::Problem;
use http::StatusCode;
use http_kit::ErrorBody;
use serde_json::{Map, Value, json};

/// Publishes a process; the same text again is no new version.
pub(super) async fn publish(
    State(app): State<Arc<App>>,
    Extension(principal): Extension<Principal>,
    body: Bytes,
) -> Response {
    // What is no JSON is no object either.
    let publication = match publication(serde_json::from_slice(&body).unwrap_or_default()) {
        Ok(publication) => publication,
        Err(issues) => {
            let message = "The body must be {source, roles: {name: group}}.";
            return ErrorBody::new(StatusCode::BAD_REQUEST, "invalid", message)
                .with_issues(issues.into_vec())
                .into_response();
        }
    };
    match app::publish(&app, &principal, publication).await {
        Ok(version) => published(&version),
        Err(error) => refused(error),
    }
}

/// What a body wants to publish, or everything that is wrong with it.
fn publication(body: Value) -> Result<Publication, Issues> {
    let Value::Object(mut fields) = body else {
        return Err(Issues::one("the body must be a JSON object"));
    };
    let mut issues = Issues::default();
    let source = match fields.remove("source") {
        Some(Value::String(source)) => source,
        Some(_) => {
            issues.push("source: must be a string");
            String::new()
        }
        None => {
            issues.push("source: missing; the text of a PROCESS.md");
            String::new()
        }
    };
    let roles = match fields.remove("roles") {
        Some(Value::Object(named)) => groups(named, &mut issues),
        Some(_) => {
            issues.push("roles: must be an object with the name of a group for each role");
            BTreeMap::new()
        }
        None => BTreeMap::new(),
    };
    let unknown = fields
        .keys()
        .map(|name| format!("{}: not known here", Quoted(name)));
    issues.extend(unknown);
    if issues.is_empty() {
        let source = source.into_bytes();
        Ok(Publication { source, roles })
    } else {
        Err(issues)
    }
}

fn groups(named: Map<String, Value>, issues: &mut Issues) -> BTreeMap<String, String> {
    let mut groups = BTreeMap::new();
    for (role, group) in named {
        if let Value::String(group) = group {
            groups.insert(role, group);
        } else {
            issues.push(format_args!(
                "roles.{}: must be the name of a group",
                Quoted(&role)
            ));
        }
    }
    groups
}

fn published(version: &PublishedVersion) -> Response {
    let status = if version.is_unchanged {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    let body = json!({
        "name": version.name,
        "version": version.version,
        "contentHash": version.content_hash.to_string(),
        "unchanged": version.is_unchanged,
        "problems": to_json(&version.warnings),
    });
    (status, Json(body)).into_response()
}

fn to_json(problems: &[Problem]) -> Vec<Value> {
    problems.iter().map(Problem::to_json).collect()
}

fn refused(error: PublishError) -> Response {
    let message = error.to_string();
    match error {
        PublishError::NotAnAdmin => {
            ErrorBody::new(StatusCode::FORBIDDEN, "forbidden", message).into_response()
        }
        PublishError::Problems(problems) => {
            let body = json!({"error": {"code": "not_accepted", "message": message}, "problems": to_json(&problems)});
            (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
        }
        PublishError::Roles(issues) => {
            ErrorBody::new(StatusCode::UNPROCESSABLE_ENTITY, "not_accepted", message)
                .with_issues(issues)
                .into_response()
        }
        PublishError::Store(error) => {
            tracing::warn!("a process could not be published: {}", crate::explain(&error));
            ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, "retry", message).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_read_or_everything_wrong_with_it_is_told() {
        let good = publication(json!({"source": "text", "roles": {"clerk": "finance"}})).expect("good");
        assert_eq!(good.source, b"text");
        assert_eq!(good.roles["clerk"], "finance");
        assert!(publication(json!({"source": ""})).is_ok_and(|good| good.roles.is_empty()));
        let cases = [
            (Value::Null, vec!["the body must be a JSON object"]),
            (
                json!({"roles": {"clerk": 1}, "name": 1}),
                vec![
                    "source: missing; the text of a PROCESS.md",
                    "roles.clerk: must be the name of a group",
                    "name: not known here",
                ],
            ),
            (
                json!({"source": 1, "roles": []}),
                vec![
                    "source: must be a string",
                    "roles: must be an object with the name of a group for each role",
                ],
            ),
        ];
        for (body, expected) in cases {
            let issues = publication(body).expect_err("wrong");
            assert_eq!(issues.into_vec(), expected);
        }
    }
}
