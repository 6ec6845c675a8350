//! The members of a JSON-RPC message that are looked at before rmcp reads it.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// A request or a notification whose envelope is whole.
#[derive(Debug)]
pub(crate) struct Envelope {
    /// Of a request.
    pub id: Option<Value>,
    pub method: String,
}

/// What is wrong with an envelope.
#[derive(Debug)]
pub(crate) struct BrokenEnvelope {
    /// The id of the request, if that much can be told.
    pub id: Option<Value>,
    pub problem: &'static str,
}

/// What lies deeper is skipped, not read: a lone surrogate there does not matter.
#[derive(Deserialize)]
struct Message<'a> {
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<Value>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

impl Envelope {
    /// Reads the envelope of a JSON text.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, BrokenEnvelope> {
        let message: Message = serde_json::from_slice(bytes).map_err(|_| BrokenEnvelope {
            id: None,
            problem: "a message is one JSON object whose members each stand once; batches are not part of this protocol",
        })?;
        let id = message.id.clone().filter(is_id);
        message.whole().map_err(|problem| BrokenEnvelope { id, problem })
    }
}

impl Message<'_> {
    fn whole(self) -> Result<Envelope, &'static str> {
        if self.jsonrpc != Some("2.0".into()) {
            return Err("jsonrpc must be \"2.0\"");
        }
        if self.id.as_ref().is_some_and(|id| !is_id(id)) {
            return Err("id must be a string or an integer of 64 bits");
        }
        let method = match self.method {
            Some(Value::String(method)) => method,
            None if self.result.is_some() || self.error.is_some() => {
                return Err("this server asks nothing, so there is nothing to answer");
            }
            _ => return Err("method must be a string"),
        };
        if self.params.is_some_and(|params| !params.get().starts_with('{')) {
            return Err("params must be an object");
        }
        if self.id.is_none() && !method.starts_with("notifications/") {
            return Err("id is missing; only notifications have none");
        }
        Ok(Envelope { id: self.id, method })
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.as_i64().is_some()
}

/// Tells an absent member from one that is null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
