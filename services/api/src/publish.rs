//! `POST /api/o/{org}/processes/publish`

use app::{Publication, PublishError, PublishedVersion};
use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use formats::Problem;
use http::StatusCode;
use http_kit::ErrorBody;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::body::Body;
use crate::refusal::Refusal;
use crate::{Caller, Shared};

/// What a source must be.
pub(crate) const SOURCE: &str = "the text of a PROCESS.md";

/// Publishes a process; the same text again is no new version.
pub(crate) async fn publish(State(administration): Shared, Extension(admin): Caller, body: Bytes) -> Answer {
    let mut body = Body::read(&body)?;
    let source: Option<String> = body.text("source", SOURCE);
    let roles = body.roles("roles");
    let publication = body.finish(|| {
        let source = source?.into_bytes();
        Some(Publication { source, roles })
    })?;
    Ok(answer(
        app::publish(&administration.app, admin, publication).await,
    ))
}

/// What became of a publication.
pub(crate) fn answer(outcome: Result<PublishedVersion, PublishError>) -> Response {
    match outcome {
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

/// Problems as commands show them, and how to mend each by itself.
pub(crate) fn to_json(problems: &[Problem]) -> Vec<Value> {
    let with_fix = |problem: &Problem| {
        let mut shown = problem.to_json();
        shown["fix"] = Value::String(problem.fix.clone());
        shown
    };
    problems.iter().map(with_fix).collect()
}

fn refused(error: PublishError) -> Response {
    let message = error.to_string();
    match error {
        PublishError::Problems(problems) => {
            let body = json!({"error": {"code": "not_accepted", "message": message}, "problems": to_json(&problems)});
            (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
        }
        PublishError::Roles(issues) => {
            ErrorBody::new(StatusCode::UNPROCESSABLE_ENTITY, "not_accepted", message)
                .with_issues(issues)
                .into_response()
        }
        // The store has logged why.
        PublishError::Store(_) => Refusal::retry(message).into_response(),
    }
}
