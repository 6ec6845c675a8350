//! `submit`: an agent hands in a claimed step.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Contract, EvidenceItem, Read, Reader, RunView, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("submit");

/// The work.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// The claim's token.
    pub token: String,
    /// Values for the declared fields.
    pub output: Map<String, Value>,
    /// Files and links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<EvidenceItem>>,
    /// What was done. Blank passes here and is refused by the step (`process.md` §5).
    pub summary: String,
    /// The chosen route, where there is a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Why that route.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The caller's id of this request.
    pub request_id: String,
}

/// Shows everything but the token and the work.
impl std::fmt::Debug for Arguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arguments")
            .field("request_id", &self.request_id)
            .finish_non_exhaustive()
    }
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        let token = reader.text("token");
        let output = reader.object("output");
        let evidence = reader.optional_evidence("evidence");
        let summary = reader.text_of("summary", 0..=2000);
        let next = reader.optional_text("next");
        let reason = reader.optional_text_of("reason", 0..=4000);
        let request_id = reader.request_id();
        Some(Self {
            token: token?,
            output: output?,
            evidence,
            summary: summary?,
            next,
            reason,
            request_id: request_id?,
        })
    }
}

/// The run as it stands after the submission.
pub type Data = RunView;
