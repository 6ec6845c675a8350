//! The JSON guard in front of every JSON entry point.

use axum::body::{Body, BodyDataStream, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use doc_kit::json_guard::{self, GuardProblem, Limits};
use futures::StreamExt as _;
use http::StatusCode;

use crate::ErrorBody;
use crate::body_room::{BodyRoom, Share};

/// What is read of a body beyond its cap, to be thrown away.
const DISCARDED_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Why a JSON body was not taken.
#[derive(Debug)]
pub enum JsonBodyError {
    /// The body ended early.
    Unreadable,
    /// The body is larger than the cap; the rest was thrown away.
    TooLarge {
        /// The cap.
        bytes_max: usize,
    },
    /// Other bodies have all the room that there is for them; the rest was thrown away.
    NoRoom,
    /// The guard refused it.
    Refused {
        /// Why, and where.
        problem: GuardProblem,
        /// The whole body.
        bytes: Bytes,
    },
}

/// A body that the guard has let through.
#[derive(Debug)]
pub struct JsonBody {
    /// All of it.
    pub bytes: Bytes,
    /// What it takes of the room for bodies: to be kept until the request is answered, since what is read from a body is larger than it.
    pub share: Share,
}

/// Reads a body under the cap of `limits`, as far as there is room, and checks it before any JSON library sees it.
pub async fn read_json(body: Body, limits: &Limits, room: &BodyRoom) -> Result<JsonBody, JsonBodyError> {
    let bytes_max = limits.bytes_max;
    let declared = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if declared > bytes_max.saturating_add(DISCARDED_BYTES_MAX) {
        return Err(JsonBodyError::TooLarge { bytes_max });
    }
    let mut stream = body.into_data_stream();
    let mut share = room.share();
    let mut bytes = BytesMut::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| JsonBodyError::Unreadable)?;
        let length = bytes.len().saturating_add(chunk.len());
        let refusal = if length > bytes_max || declared > bytes_max {
            JsonBodyError::TooLarge { bytes_max }
        } else if share.grow_to(length) {
            bytes.extend_from_slice(&chunk);
            continue;
        } else {
            JsonBodyError::NoRoom
        };
        drop((chunk, bytes, share));
        discard(stream).await;
        return Err(refusal);
    }
    let bytes = bytes.freeze();
    match json_guard::check(&bytes, limits) {
        Ok(()) => Ok(JsonBody { bytes, share }),
        Err(problem) => Err(JsonBodyError::Refused { problem, bytes }),
    }
}

/// Reads on for a while. Most clients send all they have before they look for an answer: a connection that breaks under them
/// would be all that they see.
async fn discard(mut rest: BodyDataStream) {
    let mut bytes_left = DISCARDED_BYTES_MAX;
    while let Some(Ok(chunk)) = rest.next().await {
        match bytes_left.checked_sub(chunk.len()) {
            Some(left) => bytes_left = left,
            None => break,
        }
    }
}

/// Middleware for JSON interfaces: a body that the guard refuses never reaches the handler. An empty body passes.
pub async fn guard_json(
    State((limits, room)): State<(Limits, BodyRoom)>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    match read_json(body, &limits, &room).await {
        Ok(JsonBody { bytes, share }) => {
            let answer = next.run(Request::from_parts(parts, Body::from(bytes))).await;
            drop(share);
            answer
        }
        Err(JsonBodyError::Refused { bytes, .. }) if bytes.is_empty() => {
            next.run(Request::from_parts(parts, Body::empty())).await
        }
        Err(error) => error.into_response(),
    }
}

impl IntoResponse for JsonBodyError {
    fn into_response(self) -> Response {
        let (status, issue) = match self {
            Self::Unreadable => (StatusCode::BAD_REQUEST, "the body ended early".to_owned()),
            Self::TooLarge { bytes_max } => (
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the limit is {bytes_max} bytes"),
            ),
            Self::NoRoom => {
                let message = "Too many large bodies come at once.";
                return ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, "retry", message).into_response();
            }
            Self::Refused { problem, .. } => (StatusCode::BAD_REQUEST, problem.to_string()),
        };
        ErrorBody::new(status, "invalid", "The body is refused.")
            .with_issues(vec![issue])
            .into_response()
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::to_bytes;
    use axum::middleware::from_fn_with_state;
    use axum::routing::post;
    use tower::ServiceExt as _;

    use super::*;

    async fn send(body: &'static str) -> (u16, String) {
        let limits = Limits {
            bytes_max: 32,
            ..Limits::default()
        };
        let router = Router::new()
            .route("/", post(|body: String| async move { body }))
            .layer(from_fn_with_state((limits, BodyRoom::default()), guard_json));
        let request = Request::post("/").body(Body::from(body)).expect("a request");
        let response = router.oneshot(request).await.expect("the router answers");
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), 4096).await.expect("a small body");
        (status, String::from_utf8_lossy(&bytes).into_owned())
    }

    #[tokio::test]
    async fn a_body_that_is_fine_arrives_as_it_was_sent() {
        assert_eq!(send(r#"{"a": 1.10}"#).await, (200, r#"{"a": 1.10}"#.to_owned()));
        assert_eq!(send("").await, (200, String::new()));
    }

    #[tokio::test]
    async fn a_body_that_the_guard_refuses_names_the_place() {
        let (status, body) = send(r#"{"a": {"b": "\u0000"}}"#).await;
        let expected = r#"{"error":{"code":"invalid","message":"The body is refused.","issues":["a.b: the character U+0000 is not allowed"]}}"#;
        assert_eq!((status, body.as_str()), (400, expected));
    }

    #[tokio::test]
    async fn a_body_over_the_cap_is_refused() {
        let (status, _) = send(r#"{"a": "0123456789012345678901234567890123456789"}"#).await;
        assert_eq!(status, 413);
    }
}
