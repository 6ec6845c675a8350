//! Calls of tools, and what came of them.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::Server;

/// A published process and the groups of its roles.
pub(crate) const ERRAND: (&str, &[&str]) = ("errand", &["finance=finance"]);
pub(crate) const PURCHASE: (&str, &[&str]) = (
    "purchase-order",
    &["operations=operations", "finance=finance", "legal=legal"],
);

/// One identity at one server. Cloning shares its connections.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    http: reqwest::Client,
    url: String,
    token: String,
}

/// Why a call has no data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The server refused it: code and issues.
    Refused(String, Vec<String>),
    /// Nobody knows: the connection ended, or the server says so itself.
    Unknown,
}

pub(crate) type Answer = Result<Value, Failure>;

impl Door {
    /// An agent by name, or a person by the part of the address before `@`.
    pub(crate) fn of(ready: &Value, who: &str) -> Self {
        let tokens = &ready["tokens"];
        let token = tokens["agents"][who]
            .as_str()
            .or_else(|| tokens["people"][format!("{who}@example.com")].as_str())
            .expect("somebody of the demo organization");
        Self {
            http: reqwest::Client::new(),
            url: ready["mcp"].as_str().expect("an address").to_owned(),
            token: token.to_owned(),
        }
    }

    /// Calls a tool once.
    pub(crate) async fn call(&self, tool: &str, arguments: &Value) -> Answer {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        let answer = async {
            self.http
                .post(&self.url)
                .bearer_auth(&self.token)
                .header("accept", "application/json, text/event-stream")
                .header("mcp-protocol-version", "2025-11-25")
                .json(&body)
                .send()
                .await?
                .json::<Value>()
                .await
        };
        let Ok(mut answer) = answer.await else {
            return Err(Failure::Unknown);
        };
        // Without its store a server cannot know who calls.
        if answer["error"]["code"] == "retry" {
            return Err(Failure::Unknown);
        }
        let mut envelope = answer["result"]["structuredContent"].take();
        if envelope["ok"] == true {
            return Ok(envelope["data"].take());
        }
        let error = &envelope["error"];
        match error["code"].as_str() {
            Some("retry") => Err(Failure::Unknown),
            Some(code) => Err(Failure::Refused(code.to_owned(), issues(error))),
            None => panic!("{tool}: neither data nor an error: {answer} {envelope}"),
        }
    }

    /// Calls a tool until somebody knows, as `retry` asks for.
    pub(crate) async fn insist(&self, tool: &str, arguments: &Value) -> Answer {
        for _ in 0..TRIES_MAX {
            match self.call(tool, arguments).await {
                Err(Failure::Unknown) => {}
                known => return known,
            }
        }
        panic!("{tool}: still unknown after {TRIES_MAX} tries");
    }
}

const TRIES_MAX: u32 = 50;

fn issues(error: &Value) -> Vec<String> {
    let issues = error["issues"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = issues.iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

pub(crate) fn refusal(code: &str, issue: &str) -> Failure {
    Failure::Refused(code.to_owned(), vec![issue.to_owned()])
}

/// Publishes a process of this folder as an admin does.
pub(crate) fn publish(server: &Server, (name, roles): (&str, &[&str])) {
    let ready = server.ready();
    let text = |value: &Value| value.as_str().expect("the ready file has it").to_owned();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/processes")
        .join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_baton"))
        .args(["process", "publish"])
        .arg(folder)
        .args(roles.iter().flat_map(|role| ["--role", role]))
        .env("BATON_URL", text(&ready["url"]))
        .env("BATON_ORG", text(&ready["org"]))
        .env(
            "BATON_TOKEN",
            text(&ready["tokens"]["people"]["admin@example.com"]),
        )
        .output()
        .expect("the binary runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
