//! Calls of the API, each checked against the document.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use reqwest::Method;
use serde_json::{Value, json};

use crate::document::{Document, Operation};
use crate::support::{Server, text, wait_for};

/// Tests that run at once share a server, and each has organizations of its own.
static SHARED: Mutex<Weak<Shared>> = Mutex::new(Weak::new());
const ORGANIZATIONS: usize = 48;

/// A person of the role finance approves.
pub(crate) const PETTY_CASH: &str = "---
name: petty-cash
description: Have finance approve what somebody paid.
requires: {systems: [ledger]}
inputs: {amount: number}
steps:
  - id: approval
    approve: Pay this back?
    person: finance
  - id: paid
    finish: approved
---
Receipts are kept for ten years.
";

struct Shared {
    server: Server,
    document: Document,
    ready: Value,
    taken: AtomicUsize,
}

fn shared() -> Arc<Shared> {
    let mut known = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(shared) = known.upgrade() {
        return shared;
    }
    let server = Server::start(&[
        "--ephemeral",
        "--time-travel",
        "--orgs",
        &ORGANIZATIONS.to_string(),
    ]);
    let (status, document) = server.get("/api/openapi.json");
    assert_eq!(status, 200);
    let shared = Arc::new(Shared {
        document: Document::parse(&document),
        ready: server.ready(),
        server,
        taken: AtomicUsize::new(0),
    });
    *known = Arc::downgrade(&shared);
    shared
}

/// An organization that no other test uses.
pub(crate) struct Company {
    shared: Arc<Shared>,
    ready: Value,
}

impl Company {
    pub(crate) fn new() -> Self {
        let shared = shared();
        let number = shared.taken.fetch_add(1, Ordering::SeqCst);
        let ready = shared.ready["orgs"][number].clone();
        assert!(
            ready.is_object(),
            "more tests than organizations: raise ORGANIZATIONS"
        );
        Self { shared, ready }
    }

    pub(crate) fn server(&self) -> &Server {
        &self.shared.server
    }

    pub(crate) fn document(&self) -> &Document {
        &self.shared.document
    }

    pub(crate) fn name(&self) -> String {
        text(&self.ready["org"])
    }

    /// The API as its admin has it.
    pub(crate) fn admin(&self) -> Api<'_> {
        self.person("admin@example.com")
    }

    pub(crate) fn person(&self, email: &str) -> Api<'_> {
        self.with_token(&text(&self.ready["tokens"]["people"][email]))
    }

    pub(crate) fn agent(&self, name: &str) -> Api<'_> {
        self.with_token(&text(&self.ready["tokens"]["agents"][name]))
    }

    pub(crate) fn with_token(&self, token: &str) -> Api<'_> {
        Api {
            company: self,
            token: Some(token.to_owned()),
        }
    }

    pub(crate) fn nobody(&self) -> Api<'_> {
        Api {
            company: self,
            token: None,
        }
    }
}

/// The API as the holder of a token has it.
pub(crate) struct Api<'a> {
    company: &'a Company,
    pub(crate) token: Option<String>,
}

/// What was answered.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) location: Option<String>,
    pub(crate) body: Value,
    pub(crate) text: String,
}

impl Reply {
    /// The body of an answer with this status.
    #[track_caller]
    pub(crate) fn with(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.body
    }

    /// Status and code of a refusal.
    pub(crate) fn refusal(&self) -> (u16, &str) {
        (
            self.status,
            self.body["error"]["code"].as_str().unwrap_or_default(),
        )
    }

    /// The issues of a refusal.
    pub(crate) fn issues(&self) -> Vec<&str> {
        let issues = self.body["error"]["issues"].as_array();
        issues.into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

impl Api<'_> {
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.call("get", path, None)
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("post", path, Some(body))
    }

    #[track_caller]
    pub(crate) fn put(&self, path: &str, body: Option<&Value>) -> Reply {
        self.call("put", path, body)
    }

    #[track_caller]
    pub(crate) fn patch(&self, path: &str, body: &Value) -> Reply {
        self.call("patch", path, Some(body))
    }

    #[track_caller]
    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.call("delete", path, None)
    }

    /// A call of a documented operation; its answer is held against the document.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let reply = self.send(method, path, body.map(Value::to_string));
        let document = self.company.document();
        let (bare, _) = path.split_once('?').unwrap_or((path, ""));
        let operation = document
            .find(method, bare)
            .unwrap_or_else(|| panic!("{method} {path} is not documented"));
        document.check(operation, &reply);
        reply
    }

    /// The same without a look at the document.
    pub(crate) fn send(&self, method: &str, path: &str, body: Option<String>) -> Reply {
        let ready = self.company.server().ready();
        let url = format!("{}/api/o/{}{path}", text(&ready["url"]), self.company.name());
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
        let mut request = reqwest::Client::new().request(method, url);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        wait_for(async {
            let response = request.send().await.expect("an answer");
            let status = response.status().as_u16();
            let location = response.headers().get("location");
            let location = location.map(|place| place.to_str().expect("ASCII").to_owned());
            let text = response.text().await.expect("a body");
            Reply {
                status,
                location,
                body: serde_json::from_str(&text).unwrap_or(Value::Null),
                text,
            }
        })
    }

    /// The id of the member with this address.
    #[track_caller]
    pub(crate) fn member(&self, email: &str) -> String {
        let found = self.get(&format!("/members?email={email}")).with(200);
        text(&found["items"][0]["id"])
    }

    /// The id of the group with this name.
    #[track_caller]
    pub(crate) fn group(&self, name: &str) -> String {
        self.named("/groups", name)
    }

    /// The id of the agent with this name.
    #[track_caller]
    pub(crate) fn agent_id(&self, name: &str) -> String {
        self.named("/agents", name)
    }

    #[track_caller]
    fn named(&self, list: &str, name: &str) -> String {
        let found = self.get(&format!("{list}?limit=100")).with(200);
        let items = found["items"].as_array().expect("a list");
        let item = items.iter().find(|item| item["name"] == name);
        text(&item.expect("it is there")["id"])
    }

    /// Calls a tool; the envelope.
    pub(crate) fn tool(&self, tool: &str, arguments: &Value) -> Value {
        let token = self.token.clone().unwrap_or_default();
        let (_, envelope) = self
            .company
            .server()
            .call(&self.company.name(), &token, tool, arguments);
        envelope
    }

    /// Whether the token opens the MCP endpoint.
    pub(crate) fn opens_mcp(&self) -> bool {
        let token = self.token.clone().unwrap_or_default();
        let name = self.company.name();
        let (status, _) = self.company.server().call(&name, &token, "describe", &json!({}));
        status == 200
    }
}

/// An operation with the ids of an address filled in.
pub(crate) fn filled(operation: &Operation, id: impl Fn(&str) -> String) -> String {
    let mut path = operation.path.clone();
    for name in &operation.parameters {
        path = path.replace(&format!("{{{name}}}"), &id(name));
    }
    path
}
