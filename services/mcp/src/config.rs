//! How the door is set.

use http_kit::json_guard::Limits;
use http_kit::{Admission, BodyRoom};

/// How the MCP endpoints are reached and what they take.
#[derive(Debug, Clone)]
pub struct McpConfig {
    /// The public address of this server, without a slash at its end: `https://baton.example`.
    pub url: String,
    /// Which hosts and origins the endpoints and their metadata take.
    pub admission: Admission,
    /// What a JSON body may cost.
    pub body_limits: Limits,
    /// Where bodies are held, shared with other doors.
    pub body_room: BodyRoom,
}

impl McpConfig {
    /// Reached under its public address and on this machine, by pages of the same.
    pub fn new(url: impl Into<String>) -> Self {
        let url = url.into();
        Self {
            admission: Admission::of_this_machine().and_address(&url),
            url,
            body_limits: Limits::default(),
            body_room: BodyRoom::default(),
        }
    }
}
