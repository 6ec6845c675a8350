//! How the door is set.

use http_kit::json_guard::Limits;

/// How the MCP endpoints are reached and what they take.
#[derive(Debug, Clone)]
pub struct McpConfig {
    /// The public address of this server, without a slash at its end: `https://baton.example`.
    pub url: String,
    /// Host names, with or without a port, that requests may be addressed to. Everything else is 403: a page of another
    /// site cannot reach a server on this machine under a name of its own.
    pub allowed_hosts: Vec<String>,
    /// Origins (scheme, host and port) of pages that may call; a request without an origin passes.
    pub allowed_origins: Vec<String>,
    /// What a JSON body may cost.
    pub body_limits: Limits,
}

impl McpConfig {
    /// Reached under its public address and on this machine, by pages of the same.
    pub fn new(url: impl Into<String>) -> Self {
        let url = url.into();
        let authority = url
            .split_once("://")
            .map_or("", |(_, authority)| authority)
            .to_owned();
        let local = ["localhost", "127.0.0.1", "[::1]"];
        let mut allowed_hosts: Vec<_> = local.iter().map(|&host| host.to_owned()).collect();
        allowed_hosts.push(authority);
        let mut allowed_origins: Vec<_> = local.iter().map(|host| format!("http://{host}:*")).collect();
        allowed_origins.push(url.clone());
        Self {
            url,
            allowed_hosts,
            allowed_origins,
            body_limits: Limits::default(),
        }
    }
}
