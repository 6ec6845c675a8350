//! `get_run`: a run as it stands.

use serde::Serialize;

use crate::{Contract, Read, Reader, RunView, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("get_run");

/// Which run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// The run's id.
    pub run_id: String,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        let run_id = reader.text("runId");
        Some(Self { run_id: run_id? })
    }
}

/// The run as it stands now.
pub type Data = RunView;
