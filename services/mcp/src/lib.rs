//! The MCP door: Streamable HTTP without sessions, in three protocol versions side by side.
//!
//! A request is authenticated before its body is read, then its JSON is guarded, then rmcp speaks the protocol, and each
//! tool goes extract, use case, map. A refusal by a use case is a tool result; protocol errors are for broken protocol.

mod authentication;
mod config;
mod deadline;
mod envelope;
mod handler;
mod message_guard;
mod metadata;
mod negotiation;
mod resources;
mod result;
mod router;
mod rpc;
mod tools;

pub use config::McpConfig;
pub use metadata::SCOPE;
pub use router::router;

#[cfg(test)]
mod tests;
