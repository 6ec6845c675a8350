//! What handlers answer with.

use app::administration::Listed;
use axum::Json;
use axum::response::{IntoResponse, Response};
use http::header::LOCATION;
use http::{HeaderValue, StatusCode, Uri};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// What a handler gives.
pub(crate) type Answer = Result<Response, Refusal>;

/// 200.
pub(crate) fn shown(body: Value) -> Response {
    Json(body).into_response()
}

/// 201, and where it is found: below the address that it was sent to.
pub(crate) fn created(collection: &Uri, id: impl std::fmt::Display, body: Value) -> Response {
    let mut response = (StatusCode::CREATED, Json(body)).into_response();
    // What an address has as a path, a header can carry.
    if let Ok(place) = HeaderValue::try_from(format!("{}/{id}", collection.path())) {
        response.headers_mut().insert(LOCATION, place);
    }
    response
}

/// 204.
pub(crate) fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// A page of a list.
pub(crate) fn listed<T>(page: Listed<T>, entry: impl Fn(&T) -> Value) -> Response {
    let mut body = json!({"items": page.entries.iter().map(entry).collect::<Vec<_>>()});
    if let Some(cursor) = page.next_cursor {
        body["nextCursor"] = Value::String(cursor);
    }
    shown(body)
}
