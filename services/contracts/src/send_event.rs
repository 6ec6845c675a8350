//! `send_event`: tells a run that something happened outside.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Contract, Read, Reader, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("send_event");

/// What happened, and which run it concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// The run's id.
    pub run_id: String,
    /// The event's name. Which names there are is the format's to say.
    pub name: String,
    /// What it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Map<String, Value>>,
    /// The caller's id of this request.
    pub request_id: String,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        let run_id = reader.text("runId");
        let name = reader.text("name");
        let data = reader.optional_object("data");
        let request_id = reader.request_id();
        Some(Self {
            run_id: run_id?,
            name: name?,
            data,
            request_id: request_id?,
        })
    }
}

/// What became of the event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// The step that waited for it, or `None` when the run keeps it for a later step.
    pub consumed_by: Option<String>,
}
