//! `escalate`: an agent hands a claimed step to people.

use serde::Serialize;

use crate::{Contract, Read, Reader, RunView, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("escalate");

/// Which claim, and why.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// The claim's token.
    pub token: String,
    /// What people need to know; not blank.
    pub note: String,
    /// The caller's id of this request.
    pub request_id: String,
}

/// Shows everything but the token.
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
        let note = reader.text_of("note", 0..=4000);
        let request_id = reader.request_id();
        if note.as_ref().is_some_and(|note| note.trim().is_empty()) {
            reader.issue("note: required");
        }
        Some(Self {
            token: token?,
            note: note?,
            request_id: request_id?,
        })
    }
}

/// The run as it stands after the escalation.
pub type Data = RunView;
