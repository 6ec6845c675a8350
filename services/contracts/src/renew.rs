//! `renew`: an agent keeps its claim.

use serde::{Deserialize, Serialize};

use crate::{Contract, Read, Reader, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("renew");

/// Which claim, and how far it has come.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// The claim's token.
    pub token: String,
    /// A note for whoever takes over if this claim lapses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<String>,
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
        let progress = reader.optional_text_of("progress", 0..=4000);
        let request_id = reader.request_id();
        Some(Self {
            token: token?,
            progress,
            request_id: request_id?,
        })
    }
}

/// The claim's new token. The old one is dead.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// The token from now on. A secret.
    pub token: String,
    /// When the claim ends unless it is renewed again.
    pub expires_at: String,
}

/// Shows everything but the token.
impl std::fmt::Debug for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Data")
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}
