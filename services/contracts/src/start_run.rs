//! `start_run`: starts a run of a process.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Contract, Mode, Read, Reader, RunView, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("start_run");

/// The largest version number that every JSON reader keeps exactly.
const VERSION_MAX: i64 = 9_007_199_254_740_991;

/// What to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// Name of the process.
    pub process: String,
    /// Which version; the latest when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Values for its declared inputs.
    pub inputs: Map<String, Value>,
    /// Live when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// The caller's id of this request.
    pub request_id: String,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        let process = reader.text("process");
        let version = reader.optional_whole("version", 1..=VERSION_MAX);
        let inputs = reader.object("inputs");
        let mode = reader.optional_choice("mode");
        let request_id = reader.request_id();
        Some(Self {
            process: process?,
            version: version.map(i64::unsigned_abs),
            inputs: inputs?,
            mode,
            request_id: request_id?,
        })
    }
}

/// The run as it stands now.
pub type Data = RunView;
