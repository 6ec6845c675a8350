//! `cancel`: an operator stops a run.

use serde::Serialize;

use crate::{Contract, Read, Reader, RunView, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("cancel");

/// Which run, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// The run's id.
    pub run_id: String,
    /// Why; not blank.
    pub reason: String,
    /// The caller's id of this request.
    pub request_id: String,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        let run_id = reader.text("runId");
        let reason = reader.text_of("reason", 0..=4000);
        let request_id = reader.request_id();
        if reason.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
            reader.issue("reason: required");
        }
        Some(Self {
            run_id: run_id?,
            reason: reason?,
            request_id: request_id?,
        })
    }
}

/// The run as it stands after it was stopped.
pub type Data = RunView;
