//! The server that is attacked. Tests that run at once share it, and each looks after it in the end.

use std::fs;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::{Value, json};

use crate::support::{Server, text};
use crate::wire::{Answer, exchange};

/// Where an agent's messages go.
pub(crate) const MCP: &str = "/o/demo/mcp";
/// Where an admin's drafts go.
pub(crate) const DRAFTS: &str = "/api/o/demo/drafts";
/// Where an admin publishes.
pub(crate) const PUBLISH: &str = "/api/o/demo/processes/publish";
/// Where time travels.
pub(crate) const CLOCK: &str = "/dev/clock";

/// The most memory that the server may ever have held, whatever the tests did to it together.
const MEMORY_BYTES_MAX: u64 = 1024 * 1024 * 1024;

static SHARED: Mutex<Weak<Target>> = Mutex::new(Weak::new());

/// A server with what it takes to call it.
pub(crate) struct Target {
    server: Server,
    address: String,
    agent: String,
    admin: String,
}

/// The server of every test of this program.
pub(crate) fn target() -> Arc<Target> {
    let mut known = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    known.upgrade().unwrap_or_else(|| {
        let target = Arc::new(Target::start());
        *known = Arc::downgrade(&target);
        target
    })
}

impl Target {
    /// A server that no other test uses.
    pub(crate) fn start() -> Self {
        let server = Server::start(&["--ephemeral", "--time-travel"]);
        Self {
            address: text(&server.ready()["url"]).replace("http://", ""),
            agent: server.agent_token(),
            admin: server.person_token("admin@example.com"),
            server,
        }
    }

    /// Its host and port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The token that opens an address.
    fn token(&self, path: &str) -> &str {
        if path.starts_with("/api/") {
            &self.admin
        } else {
            &self.agent
        }
    }

    /// The head of a POST by the one who may, up to the headers that say how long its body is.
    pub(crate) fn head(&self, path: &str) -> String {
        format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n",
            self.address,
            self.token(path)
        )
    }

    /// A whole POST, after which the connection ends.
    pub(crate) fn request(&self, path: &str, body: &[u8]) -> Vec<u8> {
        let head = self.head(path);
        let length = body.len();
        let mut request = format!("{head}connection: close\r\ncontent-length: {length}\r\n\r\n").into_bytes();
        request.extend_from_slice(body);
        request
    }

    /// What is answered to a POST.
    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &[u8]) -> Answer {
        let mut answers = exchange(self, &self.request(path, body));
        assert_eq!(answers.len(), 1, "{path}: {answers:?}");
        answers.remove(0)
    }

    /// Calls the server as its users do; it must answer as ever.
    #[track_caller]
    pub(crate) fn serves(&self) {
        let answer = self.post(MCP, &message("describe", &json!({})));
        let envelope = &answer.json()["result"]["structuredContent"];
        assert_eq!(
            (answer.status, &envelope["ok"]),
            (200, &Value::Bool(true)),
            "{answer:?}"
        );
        let answer = self.post(DRAFTS, br#"{"source": "---"}"#);
        assert_eq!(answer.status, 201, "{answer:?}");
    }

    /// The most memory that the server has held since it began, in bytes.
    pub(crate) fn memory_peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.server.pid())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.expect("Linux tells it").trim().trim_end_matches(" kB");
        1024 * kibibytes.parse::<u64>().expect("a number")
    }

    /// Nothing has harmed it: it serves, it never held too much, and its log speaks of no panic.
    #[track_caller]
    pub(crate) fn is_unharmed(&self) {
        self.serves();
        let peak = self.memory_peak();
        assert!(peak < MEMORY_BYTES_MAX, "{peak} bytes");
        let log = self.server.stderr();
        for word in ["panicked", "overflowed", "outlived"] {
            assert!(!log.contains(word), "{log}");
        }
    }
}

/// A call of a tool.
pub(crate) fn message(tool: &str, arguments: &Value) -> Vec<u8> {
    let params = json!({"name": tool, "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    message.to_string().into_bytes()
}
