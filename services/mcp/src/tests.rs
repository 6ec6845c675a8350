//! The door as clients meet it: a real server on loopback, spoken to over raw HTTP and by rmcp's own client.

mod broken_messages;
mod browsers;
mod clients;
mod identity;
mod listing;
mod misbehaving_tools;
mod negotiation;
mod protocol;

use std::sync::Arc;
use std::time::Duration;

use app::{App, AuthenticationError, Authenticator, Settings, SigningKeys};
use async_trait::async_trait;
use axum::Router;
use base::{AgentId, AgentRights, Caller, OrganizationId, Principal, Scope, Secret, Timestamp, Ulid};
use reqwest::{RequestBuilder, Response};
use run_actors::{LocalTimers, PlanError, Ports, Runs};
use run_core::KeyId;
use run_sim::{ManualClock, MemoryStore, SeededRandom};
use serde_json::{Value, json};

use crate::McpConfig;
use crate::router::router_with;
use crate::tools::{TOOLS, Tool};

const TOKEN: &str = "token-of-alpha";
/// How long the lookup of the token `database-is-slow` takes, in virtual time.
const SLOW_LOOKUP: Duration = Duration::from_secs(4);
const DESCRIBE: &str =
    r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "describe"}}"#;

/// Knows one token, of one agent of the organization `demo`.
struct OneToken;

#[async_trait]
impl Authenticator for OneToken {
    async fn authenticate(
        &self,
        organization: &str,
        token: &Secret<String>,
    ) -> Result<Principal, AuthenticationError> {
        match (organization, token.expose().as_str()) {
            ("demo", TOKEN) => Ok(alpha()),
            ("demo", "database-is-down") => Err(AuthenticationError::Unavailable),
            ("demo", "database-hangs") => std::future::pending().await,
            ("demo", "database-is-slow") => {
                let answer = std::future::pending::<()>();
                let _ = tokio::time::timeout(SLOW_LOOKUP, answer).await;
                Ok(alpha())
            }
            _ => Err(AuthenticationError::Refused),
        }
    }

    async fn only_organization(&self) -> Result<Option<String>, AuthenticationError> {
        Ok(Some("demo".to_owned()))
    }
}

fn alpha() -> Principal {
    Principal {
        organization: OrganizationId::new(Ulid::from(1)),
        caller: Caller::Agent {
            id: AgentId::new(Ulid::from(2)),
            acting_for: None,
            rights: AgentRights {
                start: Scope::All,
                work: Scope::All,
            },
        },
    }
}

async fn door(tools: &'static [Tool]) -> Router {
    let app = Arc::new(empty_app().await);
    let mut config = McpConfig::new("https://baton.example");
    config.body_limits.bytes_max = 64 * 1024;
    router_with(app, Arc::new(OneToken), config, tools)
}

/// Use cases over an empty store.
async fn empty_app() -> App {
    let store = Arc::new(MemoryStore::new());
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_700_000_000_000)));
    let ports = Ports {
        store: store.clone(),
        directory: store.clone(),
        reassignments: store.clone(),
        versions: store.clone(),
        timers: Arc::new(LocalTimers::default()),
        clock: clock.clone(),
        random: Arc::new(SeededRandom::new(1)),
        compile: Arc::new(|row| {
            Err(PlanError {
                process: row.process.clone(),
                version: row.version,
                reason: "there is no format here".to_owned(),
            })
        }),
    };
    let runs = Runs::start_root(ports, run_actors::Limits::default()).await;
    App {
        settings: Settings::default(),
        runs: runs.expect("actors start in a runtime"),
        work: store.clone(),
        directory: store.clone(),
        versions: store,
        clock,
        keys: SigningKeys::new(KeyId(1), Secret::new([1; 32])),
    }
}

/// A server on a free port of this machine; it ends with the test's runtime.
async fn serve() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    let door = door(TOOLS).await;
    tokio::spawn(async move { axum::serve(listener, door).await });
    format!("http://{address}")
}

/// A POST to the endpoint of `demo` with everything a legacy client sends.
fn post(url: &str, body: &str) -> RequestBuilder {
    reqwest::Client::new()
        .post(format!("{url}/o/demo/mcp"))
        .bearer_auth(TOKEN)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .body(body.to_owned())
}

async fn send(request: RequestBuilder) -> Response {
    request.send().await.expect("the server answers")
}

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = send(request).await;
    let status = response.status().as_u16();
    let text = response.text().await.expect("a body");
    (
        status,
        serde_json::from_str(&text).unwrap_or_else(|_| json!(text)),
    )
}
