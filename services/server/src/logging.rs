//! Diagnostics go to stderr; stdout belongs to what people asked for.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// At `warn` rmcp writes a line for every call that is refused, at `info` three a call, and below it whole requests, tool arguments
/// included.
const DEFAULT_FILTER: &str = "info,rmcp=error";

/// Starts the log; `RUST_LOG` chooses what is in it.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(DEFAULT_FILTER));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
}
