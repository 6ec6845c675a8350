//! rmcp's own client, in both eras.

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResponse, ClientConfig, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use super::*;

fn transport(url: &str) -> StreamableHttpClientTransport<reqwest::Client> {
    let config =
        StreamableHttpClientTransportConfig::with_uri(format!("{url}/o/demo/mcp")).auth_header(TOKEN);
    StreamableHttpClientTransport::from_config(config)
}

async fn use_it(client: RunningService<RoleClient, ClientConfig>) {
    let tools = client.list_all_tools().await.expect("a list of tools");
    assert_eq!(tools.len(), contracts::TOOLS.len());
    let called = client.call_tool(CallToolRequestParams::new("describe")).await;
    let CallToolResponse::Complete(result) = called.expect("a result").into() else {
        panic!("a tool of ours completes");
    };
    assert_eq!(result.is_error, Some(false));
    let envelope = result.structured_content.expect("structured content");
    assert_eq!(
        envelope["data"]["tools"].as_array().map(Vec::len),
        Some(contracts::TOOLS.len())
    );
    client.cancel().await.expect("the client ends");
}

#[tokio::test]
async fn a_client_that_initializes_is_served() {
    let url = serve().await;
    use_it(
        ClientConfig::default()
            .serve(transport(&url))
            .await
            .expect("a session"),
    )
    .await;
}

#[tokio::test]
async fn a_client_that_discovers_is_served() {
    let url = serve().await;
    let modern = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let client = ClientConfig::default().serve_with_lifecycle(transport(&url), modern);
    use_it(client.await.expect("a discovered server")).await;
}
