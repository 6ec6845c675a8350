//! What rmcp asks of a server, answered from the table of tools.

use std::borrow::Cow;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use app::App;
use base::{Principal, Quoted};
use futures::FutureExt as _;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
    ErrorCode, Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Map, Value};

use crate::deadline::Deadline;
use crate::negotiation::{VERSIONS, is_stateless};
use crate::resources::{Resources, schema_uri};
use crate::result::{tool_result, unanswered};
use crate::tools::{Access, Tool};

const INSTRUCTIONS: &str = include_str!("instructions.txt");

/// Every tool answers with the same envelope; its `data` is described by the tool's result schema.
const OUTPUT_SCHEMA: &str = include_str!("output_schema.json");

/// How long clients may keep what is listed here. It is the same for every caller and changes with a release only.
const FRESH: Duration = Duration::from_mins(5);

/// Serves all organizations; made once, cloned for each request.
#[derive(Clone)]
pub(crate) struct Handler {
    app: Arc<App>,
    tools: &'static [Tool],
    listed: Arc<[rmcp::model::Tool]>,
    by_name: Arc<HashMap<&'static str, usize>>,
    resources: Arc<Resources>,
}

impl Handler {
    pub(crate) fn new(app: Arc<App>, tools: &'static [Tool]) -> Self {
        let names = tools
            .iter()
            .enumerate()
            .map(|(index, tool)| (tool.contract.name, index));
        Self {
            app,
            tools,
            listed: tools.iter().map(listed).collect(),
            by_name: Arc::new(names.collect()),
            resources: Arc::new(Resources::of(tools)),
        }
    }

    async fn call(
        &self,
        tool: &Tool,
        (principal, deadline): (&Principal, Deadline),
        arguments: Map<String, Value>,
    ) -> CallToolResult {
        let call =
            AssertUnwindSafe(async { (tool.call)(&self.app, principal, arguments).await }).catch_unwind();
        match deadline.keep(call).await {
            Ok(Ok(envelope)) => tool_result(envelope),
            Ok(Err(_)) => {
                tracing::error!(tool = tool.contract.name, "a tool panicked");
                unanswered()
            }
            Err(_) => {
                tracing::warn!(tool = tool.contract.name, "a call took too long");
                unanswered()
            }
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .build(),
        )
        .with_server_info(Implementation::new("baton", env!("CARGO_PKG_VERSION")))
        .with_instructions(INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(&VERSIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        refuse_cursor(request)?;
        let mut result = ListToolsResult::with_all_items(self.listed.to_vec());
        (result.ttl_ms, result.cache_scope) = cache_hints(&context);
        Ok(result)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        refuse_cursor(request)?;
        let mut result = ListResourcesResult::with_all_items(self.resources.listed());
        (result.ttl_ms, result.cache_scope) = cache_hints(&context);
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        refuse_cursor(request)?;
        let mut result = ListResourceTemplatesResult::with_all_items(Vec::new());
        (result.ttl_ms, result.cache_scope) = cache_hints(&context);
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let mut result = ReadResourceResult::new(vec![self.resources.read(&request.uri)?]);
        (result.ttl_ms, result.cache_scope) = cache_hints(&context);
        Ok(result.into())
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.by_name.get(name).map(|&index| self.listed[index].clone())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(&index) = self.by_name.get(request.name.as_ref()) else {
            return Err(ErrorData::invalid_params(
                "there is no such tool; tools/list shows what there is",
                None,
            ));
        };
        let parts = context.extensions.get::<http::request::Parts>();
        let known = parts.and_then(|parts| {
            let extensions = &parts.extensions;
            Some((extensions.get::<Principal>()?, *extensions.get::<Deadline>()?))
        });
        let Some(caller) = known else {
            return Err(ErrorData::internal_error(
                "the request did not come by the door",
                None,
            ));
        };
        let arguments = request.arguments.unwrap_or_default();
        Ok(self.call(&self.tools[index], caller, arguments).await.into())
    }

    /// rmcp takes a known method with malformed parameters for an unknown method; those two are told apart here.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => ErrorData::invalid_params(
                "malformed parameters: tools/call takes a name and arguments, which are an object",
                None,
            ),
            "tools/list" | "resources/list" | "resources/templates/list" | "resources/read" => {
                ErrorData::invalid_params("malformed parameters", None)
            }
            "initialize" if !is_without_handshake(&context) => ErrorData::invalid_params(
                "malformed parameters: initialize takes a protocolVersion, capabilities, which are an object, and clientInfo \
                 with a name and a version",
                None,
            ),
            method => {
                let message = if self.by_name.contains_key(method) {
                    format!("{method} is a tool, not a method: call tools/call with its name")
                } else {
                    format!("there is no method {}", Quoted(method))
                };
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
            }
        })
    }
}

/// Whether a request is of a version that has no `initialize`.
fn is_without_handshake(context: &RequestContext<RoleServer>) -> bool {
    let parts = context.extensions.get::<http::request::Parts>();
    parts.is_some_and(|parts| is_stateless(&parts.headers))
}

/// Every list is one page: no cursor was ever given out.
fn refuse_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params(
            "there is no such page; leave the cursor out",
            None,
        )),
    }
}

/// Older versions know no cache hints.
fn cache_hints(context: &RequestContext<RoleServer>) -> (Option<u64>, Option<CacheScope>) {
    let version = context.protocol_version();
    let is_known = version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    if is_known {
        (Some(FRESH.as_secs() * 1000), Some(CacheScope::Public))
    } else {
        (None, None)
    }
}

/// A tool as clients see it.
fn listed(tool: &Tool) -> rmcp::model::Tool {
    let annotations = ToolAnnotations::new()
        .read_only(tool.access == Access::Reads)
        .destructive(tool.access == Access::Decides)
        .idempotent(true)
        .open_world(false);
    let mut input_schema = schema(tool.contract.arguments_schema);
    // The dialect is the protocol's own; every byte of the list counts.
    for member in ["$schema", "title"] {
        input_schema.remove(member);
    }
    let mut output_schema = schema(OUTPUT_SCHEMA);
    output_schema["properties"]["data"]["description"] =
        format!("Full schema: resource {}", schema_uri(tool.contract.name)).into();
    rmcp::model::Tool::new(tool.contract.name, tool.description, Arc::new(input_schema))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(output_schema))
        .with_annotations(annotations)
}

fn schema(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).expect("the schemas of this repository are JSON objects; a test reads each")
}
