//! One call of a tool over a connection that is kept, and everything that may come of it.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

/// Whoever waits longer hangs.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(30);

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// Its data.
    Done(Value),
    /// A refusal: code and issues.
    Refused(String, Vec<String>),
    /// Nobody knows yet, and the server says so.
    Retry,
    /// The connection ended, or there was none.
    Broken,
}

/// The connections of one caller, as any member of the demo organization.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    http: reqwest::Client,
    tokens: Value,
}

impl Caller {
    pub(crate) fn new(ready: &Value) -> Self {
        let http = reqwest::Client::builder().timeout(ANSWER_TIME_MAX).build();
        Self {
            http: http.expect("a client"),
            tokens: ready["tokens"].clone(),
        }
    }

    /// The token of an agent by name, or of a person by the part of the address before `@`.
    pub(crate) fn token(&self, who: &str) -> &str {
        let person = || self.tokens["people"][format!("{who}@example.com")].as_str();
        let agent = self.tokens["agents"][who].as_str();
        agent.or_else(person).expect("somebody of the demo organization")
    }

    /// Calls once. Anything but the four outcomes is a finding and ends the test.
    pub(crate) async fn call(&self, mcp: &str, who: &str, (tool, arguments): (&str, &Value)) -> Outcome {
        let sent = self
            .http
            .post(mcp)
            .bearer_auth(self.token(who))
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .json(&message(tool, arguments))
            .send()
            .await;
        let answer = match sent {
            Ok(answer) => answer,
            Err(error) => return broken(tool, &error),
        };
        let status = answer.status().as_u16();
        match answer.bytes().await {
            Ok(body) => outcome(tool, status, &body),
            Err(error) => broken(tool, &error),
        }
    }

    /// Calls until somebody knows.
    pub(crate) async fn insist(&self, mcp: &str, who: &str, call: (&str, &Value)) -> Result<Value, Outcome> {
        let mut pace = pace();
        for _ in 0..TRIES_MAX {
            match self.call(mcp, who, call).await {
                Outcome::Done(data) => return Ok(data),
                Outcome::Retry | Outcome::Broken => pace.tick().await,
                refused @ Outcome::Refused(..) => return Err(refused),
            };
        }
        panic!("{}: still unknown after {TRIES_MAX} tries", call.0);
    }
}

const TRIES_MAX: u32 = 200;

/// How often somebody who knows nothing asks again.
pub(crate) fn pace() -> tokio::time::Interval {
    let mut pace = tokio::time::interval(Duration::from_millis(25));
    pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    pace
}

pub(crate) fn message(tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

fn broken(tool: &str, error: &reqwest::Error) -> Outcome {
    assert!(
        !error.is_timeout(),
        "{tool}: no answer in {ANSWER_TIME_MAX:?}: {error}"
    );
    Outcome::Broken
}

fn outcome(tool: &str, status: u16, body: &[u8]) -> Outcome {
    let unexpected = || {
        let mut text = format!("{tool}: status {status}: ");
        let _ = write!(text, "{}", String::from_utf8_lossy(body));
        text
    };
    let answer: Value = serde_json::from_slice(body).unwrap_or_else(|_| panic!("{}", unexpected()));
    // The door says it in its own form when it cannot even know who calls.
    if status != 200 {
        assert_eq!(answer["error"]["code"], "retry", "{}", unexpected());
        return Outcome::Retry;
    }
    let envelope = &answer["result"]["structuredContent"];
    if envelope["ok"] == true {
        return Outcome::Done(envelope["data"].clone());
    }
    let error = &envelope["error"];
    let issues = error["issues"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    match error["code"].as_str() {
        Some("retry") => Outcome::Retry,
        Some(code) => Outcome::Refused(code.to_owned(), issues.map(str::to_owned).collect()),
        None => panic!("{}", unexpected()),
    }
}
