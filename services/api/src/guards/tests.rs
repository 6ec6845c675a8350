//! The guards in front of every route, with a route that hangs when it is told to. Time is virtual: it jumps when nothing
//! else can happen.

use async_trait::async_trait;
use axum::body::{Body, to_bytes};
use axum::routing::post;
use base::{Caller, OrganizationId, PersonId, PersonRole, Principal, Secret, Ulid};
use futures::stream;
use serde_json::{Value, json};
use tokio::time::Instant;
use tower::ServiceExt as _;

use super::*;

/// Tokens that say how their lookup goes.
struct Lookup;

#[async_trait]
impl Authenticator for Lookup {
    async fn authenticate(
        &self,
        _organization: &str,
        token: &Secret<String>,
    ) -> Result<Principal, AuthenticationError> {
        match token.expose().as_str() {
            "good" => Ok(person(PersonRole::Admin)),
            "operator" => Ok(person(PersonRole::Operator)),
            "hanging" => std::future::pending().await,
            _ => Err(AuthenticationError::Refused),
        }
    }

    async fn only_organization(&self) -> Result<Option<String>, AuthenticationError> {
        Ok(None)
    }
}

fn person(role: PersonRole) -> Principal {
    Principal {
        organization: OrganizationId::new(Ulid::from(1)),
        caller: Caller::Person {
            id: PersonId::new(Ulid::from(2)),
            email: "somebody@example.com".to_owned(),
            role,
        },
    }
}

async fn handle(body: String) -> String {
    if body == "\"hang\"" {
        std::future::pending::<()>().await;
    }
    body
}

/// Status, error code and virtual time of the answer.
async fn send(token: &str, body: Body) -> (u16, Value, Duration) {
    let routes = Router::new().route("/api/o/{org}/echo", post(handle));
    let request = Request::post("/api/o/demo/echo")
        .header("authorization", format!("Bearer {token}"))
        .body(body)
        .expect("a request");
    let start = Instant::now();
    let response = guarded(routes, Arc::new(Lookup), BodyRoom::default())
        .oneshot(request)
        .await
        .expect("the router answers");
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 64 * 1024)
        .await
        .expect("a small body");
    let body: Value = serde_json::from_slice(&bytes).expect("JSON");
    (status, body["error"]["code"].clone(), start.elapsed())
}

fn endless() -> Body {
    Body::from_stream(stream::pending::<Result<&str, std::io::Error>>())
}

#[tokio::test(start_paused = true)]
async fn a_good_request_is_handled() {
    let answer = send("good", Body::from("{}")).await;
    assert_eq!(answer, (200, Value::Null, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_body_is_not_read_before_its_sender_is_known() {
    let answer = send("made-up", endless()).await;
    assert_eq!(answer, (401, json!("unauthorized"), Duration::ZERO));
    let answer = send("operator", endless()).await;
    assert_eq!(answer, (403, json!("forbidden"), Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn whatever_is_slow_is_answered_in_time() {
    let retry = |time| (503, json!("retry"), time);
    assert_eq!(
        send("hanging", Body::from("{}")).await,
        retry(AUTHENTICATION_TIME_MAX)
    );
    assert_eq!(send("good", endless()).await, retry(REQUEST_TIME_MAX));
    assert_eq!(
        send("good", Body::from("\"hang\"")).await,
        retry(REQUEST_TIME_MAX)
    );
}

#[tokio::test(start_paused = true)]
async fn a_body_over_the_cap_is_refused() {
    let body = format!("\"{}\"", "a".repeat(BODY_BYTES_MAX));
    let (status, ..) = send("good", Body::from(body)).await;
    assert_eq!(status, 413);
}
