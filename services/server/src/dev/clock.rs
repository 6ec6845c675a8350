//! Time travel (`--time-travel`): `POST /dev/clock` with `{"advanceSeconds": n}` moves the clock of every server of the
//! database forward, never back.

use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use bytes::Bytes;
use doc_kit::json_guard::Limits;
use http::StatusCode;
use http_kit::{Admission, BodyRoom, ErrorBody, admit, guard_json};
use run_actors::Keeper;
use run_ports::Clock;
use serde_json::{Map, Value, json};
use store_pg::{PgClock, Store};

use crate::wiring::Parts;

/// As far as a duration in a process may reach.
const ADVANCE_SECONDS_MAX: u64 = 36_500 * 86_400;
const FIELD: &str = "advanceSeconds";

#[derive(Clone)]
struct TimeMachine {
    store: Store,
    clock: Arc<PgClock>,
    /// Held by the server alone, so that it ends when the server does, even when calls are cut off.
    keeper: Weak<Keeper>,
}

/// `/dev/clock`
pub(super) fn routes(parts: &Parts) -> Router {
    let machine = TimeMachine {
        store: parts.store.clone(),
        clock: Arc::clone(&parts.clock),
        keeper: Arc::downgrade(&parts.keeper),
    };
    Router::new()
        .route("/dev/clock", post(travel))
        .layer(from_fn_with_state(
            (Limits::default(), BodyRoom::default()),
            guard_json,
        ))
        .layer(from_fn_with_state(Admission::of_this_machine(), admit))
        .with_state(machine)
}

/// Looks at the database's clock before every request: whoever moved it on one server finds it moved on all of them.
pub(super) async fn follow(State(clock): State<Arc<PgClock>>, request: Request, next: Next) -> Response {
    if let Err(error) = clock.refresh().await {
        tracing::warn!("the clock could not be read: {}", crate::explain(&error));
    }
    next.run(request).await
}

/// Answers once everything that became due has been committed.
async fn travel(State(machine): State<TimeMachine>, body: Bytes) -> Response {
    // What is no JSON is no object either.
    let by = match advance(&serde_json::from_slice(&body).unwrap_or_default()) {
        Ok(by) => by,
        Err(reason) => return ErrorBody::new(StatusCode::BAD_REQUEST, "invalid", reason).into_response(),
    };
    match machine.travel(by).await {
        Ok(()) => Json(json!({"now": machine.clock.now().to_string()})).into_response(),
        Err(reason) => {
            tracing::warn!("time travel: {reason}");
            let message = "The clock may have been moved; not everything that is due has been done yet.";
            ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, "retry", message).into_response()
        }
    }
}

impl TimeMachine {
    async fn travel(&self, by: Duration) -> Result<(), String> {
        self.store
            .advance_clock(by)
            .await
            .map_err(|error| crate::explain(&error))?;
        self.clock
            .refresh()
            .await
            .map_err(|error| crate::explain(&error))?;
        let keeper = self.keeper.upgrade().ok_or("the server is ending")?;
        keeper.settle_all().await.map_err(|error| crate::explain(&error))
    }
}

/// How far a request wants to move the clock, or why it cannot.
fn advance(body: &Value) -> Result<Duration, String> {
    let fields = body
        .as_object()
        .ok_or(r#"the body must be a JSON object: {"advanceSeconds": 60}"#)?;
    refuse_others(fields)?;
    let number = match fields.get(FIELD) {
        Some(Value::Number(number)) => number,
        Some(_) => return Err(format!("{FIELD} must be a number of seconds")),
        None => return Err(format!("{FIELD} is required: a number of seconds, at least 0")),
    };
    if number.as_str().starts_with('-') {
        return Err(format!("{FIELD} must be at least 0: the clock never goes back"));
    }
    let seconds = number.as_f64().unwrap_or(f64::INFINITY);
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|duration| *duration <= Duration::from_secs(ADVANCE_SECONDS_MAX))
        .ok_or_else(|| format!("{FIELD} must be at most {ADVANCE_SECONDS_MAX}"))
}

fn refuse_others(fields: &Map<String, Value>) -> Result<(), String> {
    match fields.keys().find(|name| *name != FIELD) {
        Some(name) => Err(format!(
            "{} is not known here; only {FIELD} is",
            base::Quoted(name)
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: Result<u64, &str>) {
        let body: Value = serde_json::from_str(body).expect("the case is JSON");
        let found = advance(&body).map(|duration| u64::try_from(duration.as_millis()).expect("it is small"));
        assert_eq!(found, expected.map_err(str::to_owned), "{body}");
    }

    #[test]
    fn the_clock_moves_by_seconds() {
        check(r#"{"advanceSeconds": 0}"#, Ok(0));
        check(r#"{"advanceSeconds": 90}"#, Ok(90_000));
        check(r#"{"advanceSeconds": 1.5}"#, Ok(1_500));
        check(r#"{"advanceSeconds": 3153600000}"#, Ok(3_153_600_000_000));
    }

    #[test]
    fn what_is_negative_or_no_number_is_refused() {
        let back = "advanceSeconds must be at least 0: the clock never goes back";
        check(r#"{"advanceSeconds": -1}"#, Err(back));
        check(r#"{"advanceSeconds": -0.001}"#, Err(back));
        check(
            r#"{"advanceSeconds": "60"}"#,
            Err("advanceSeconds must be a number of seconds"),
        );
        check(
            r#"{"advanceSeconds": null}"#,
            Err("advanceSeconds must be a number of seconds"),
        );
        check(
            r#"{"advanceSeconds": 1e400}"#,
            Err("advanceSeconds must be at most 3153600000"),
        );
        check(
            r#"{"advanceSeconds": 3153600001}"#,
            Err("advanceSeconds must be at most 3153600000"),
        );
        check(
            "{}",
            Err("advanceSeconds is required: a number of seconds, at least 0"),
        );
        check(
            "[]",
            Err(r#"the body must be a JSON object: {"advanceSeconds": 60}"#),
        );
        check(
            r#"{"advanceSeconds": 1, "to": 2}"#,
            Err("to is not known here; only advanceSeconds is"),
        );
    }
}
