//! `POST /api/o/{org}/processes/publish`

use std::collections::BTreeMap;
use std::sync::Arc;

use app::{App, Publication, PublishError, PublishedVersion};
use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use base::Principal;
use bytes::Bytes;
use formats::Problem;
use http::StatusCode;
use http_kit::ErrorBody;
use serde::Deserialize;
use serde_json::{Value, json};

/// What is published.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    source: String,
    #[serde(default)]
    roles: BTreeMap<String, String>,
}

/// Publishes a process; the same text again is no new version.
pub(super) async fn publish(
    State(app): State<Arc<App>>,
    Extension(principal): Extension<Principal>,
    body: Bytes,
) -> Response {
    let body: Body = match serde_json::from_slice(&body) {
        Ok(body) => body,
        Err(error) => {
            let message = "The body must be {source, roles: {name: group}}.";
            return ErrorBody::new(StatusCode::BAD_REQUEST, "invalid", message)
                .with_issues(vec![error.to_string()])
                .into_response();
        }
    };
    let publication = Publication {
        source: body.source.into_bytes(),
        roles: body.roles,
    };
    match app::publish(&app, &principal, publication).await {
        Ok(version) => published(&version),
        Err(error) => refused(error),
    }
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
