//! Whole runs through rmcp's client, in both eras of the protocol, with numbers that no float holds.

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResponse, ClientConfig, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::door::{PURCHASE, publish};
use crate::support::{Server, text};

const BUDGET: &str = "12345678901234567890.10";
const TOTAL: &str = "0.30000000000000000001";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Era {
    /// `initialize`, then calls.
    Handshake,
    /// `server/discover`, and every call says what it speaks.
    Discovery,
}

/// One identity with rmcp's client.
struct Caller {
    client: RunningService<RoleClient, ClientConfig>,
    written: Vec<(&'static str, Value, Value)>,
}

impl Caller {
    async fn of(ready: &Value, token: &Value, era: Era) -> Self {
        let config =
            StreamableHttpClientTransportConfig::with_uri(text(&ready["mcp"])).auth_header(text(token));
        let transport = StreamableHttpClientTransport::from_config(config);
        let client = match era {
            Era::Handshake => ClientConfig::default().serve(transport).await,
            Era::Discovery => {
                let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
                let mode = ClientLifecycleMode::Discover { preferred_versions };
                ClientConfig::default()
                    .serve_with_lifecycle(transport, mode)
                    .await
            }
        };
        Self {
            client: client.expect("a client"),
            written: Vec::new(),
        }
    }

    /// The data of a result.
    async fn call(&mut self, tool: &'static str, arguments: Value) -> Value {
        let data = self.send(tool, &arguments).await;
        self.written.push((tool, arguments, data.clone()));
        data
    }

    async fn send(&self, tool: &'static str, arguments: &Value) -> Value {
        let arguments = arguments.as_object().expect("arguments are an object").clone();
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let CallToolResponse::Complete(result) =
            self.client.call_tool(params).await.expect("a result").into()
        else {
            panic!("a tool of ours completes");
        };
        let mut envelope = result.structured_content.expect("structured content");
        assert_eq!(result.is_error, Some(false), "{tool}: {envelope}");
        envelope["data"].take()
    }

    /// Everything again, with the same answers; then the end of the client.
    async fn leave(self) {
        for (tool, arguments, data) in &self.written {
            assert_eq!(self.send(tool, arguments).await, *data, "{tool}");
        }
        self.client.cancel().await.expect("the client ends");
    }
}

fn number(digits: &str) -> Value {
    serde_json::from_str(digits).expect("a number")
}

fn decide(view: &Value, decision: &str, id: &str) -> Value {
    let mut arguments = view["workItems"][0]["decide"]["arguments"].clone();
    arguments["decision"] = decision.into();
    arguments["note"] = "n".into();
    arguments["requestId"] = id.into();
    arguments
}

fn submit(held: &Value, supplier: &str, id: &str) -> Value {
    json!({"token": held["token"],
        "output": {"supplier": supplier, "total": number(TOTAL), "terms": "on delivery"},
        "evidence": [{"kind": "link", "ref": "https://example.com/offer"}],
        "summary": "An offer.", "next": "large", "reason": "It is dear.", "requestId": id})
}

/// Started by a person, prepared, rejected, prepared again, approved, ordered.
async fn walk(ready: &Value, era: Era) {
    let tokens = &ready["tokens"];
    let mut alpha = Caller::of(ready, &tokens["agents"]["alpha"], era).await;
    let mut beta = Caller::of(ready, &tokens["agents"]["beta"], era).await;
    let mut mira = Caller::of(ready, &tokens["people"]["mira@example.com"], era).await;
    let id = |what: &str| format!("{era:?}-{what}");

    let inputs = json!({"item": "paper", "budget": number(BUDGET)});
    let start = json!({"process": "purchase-order", "inputs": inputs, "requestId": id("start")});
    let run = mira.call("start_run", start).await;
    assert_eq!(run["data"]["inputs"]["budget"].to_string(), BUDGET);
    let run_id = run["run"]["id"].clone();
    let take = |step: &str, what: &str| json!({"runId": run_id, "stepId": step, "requestId": id(what)});

    let held = alpha.call("claim", take("prepare", "first")).await;
    assert_eq!(held["data"]["inputs"]["budget"].to_string(), BUDGET);
    let waiting = alpha.call("submit", submit(&held, "One", &id("one"))).await;
    let prepared = &waiting["data"]["steps"]["prepare"];
    assert_eq!(prepared["output"]["total"].to_string(), TOTAL);

    let rework = mira.call("decide", decide(&waiting, "rejected", &id("no"))).await;
    assert_eq!(rework["run"]["state"], "active");
    let held = beta.call("claim", take("prepare", "second")).await;
    let waiting = beta.call("submit", submit(&held, "Two", &id("two"))).await;
    let prepared = &waiting["data"]["steps"]["prepare"];
    assert_eq!(prepared["output"]["supplier"], "Two");
    assert_eq!(prepared["history"][0]["output"]["total"].to_string(), TOTAL);
    let active = mira
        .call("decide", decide(&waiting, "approved", &id("yes")))
        .await;
    assert_eq!(
        active["data"]["steps"]["large"]["history"][0]["decision"],
        "rejected"
    );

    let held = alpha.call("claim", take("order", "third")).await;
    let order = json!({"token": held["token"], "output": {"number": "7"}, "summary": "Ordered.",
        "requestId": id("order")});
    let ended = alpha.call("submit", order).await;
    assert_eq!(ended["run"]["outcome"], "ordered");
    assert_eq!(mira.send("get_run", &json!({"runId": run_id})).await, ended);
    for caller in [alpha, beta, mira] {
        caller.leave().await;
    }
}

#[test]
fn a_run_is_walked_in_both_eras() {
    let server = Server::start(&["--ephemeral"]);
    publish(&server, PURCHASE);
    let ready = server.ready();
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        walk(&ready, Era::Handshake).await;
        walk(&ready, Era::Discovery).await;
    });
    assert!(server.terminate().success());
}
