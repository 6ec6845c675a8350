//! The stored forms of events and rows: a kind, a version and JSON as text, so that every digit survives. The domain types know
//! nothing of them. A form is read one release before it is written, and once released it never changes: a change is a new version.

mod form;
mod v1;

use base::Timestamp;

use crate::event::Event;
use crate::state::Handoff;
use crate::view::WorkItemView;

/// An event as it is stored; its `seq` and `at` stand beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// What happened, as one of [`KINDS`].
    pub kind: &'static str,
    /// The version of the form.
    pub version: u16,
    /// What the event carries.
    pub json: String,
}

/// Why something stored cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// A newer release wrote it: stop and leave the run to servers that know the form.
    #[error("the stored form {kind:?} in version {version} is not known to this release")]
    UnknownForm {
        /// What it says it is.
        kind: String,
        /// In which version.
        version: u16,
    },
    /// It is not what it says it is: quarantine the run and tell operators.
    #[error("a stored {what} is not in its form")]
    Unreadable {
        /// What it should be.
        what: &'static str,
        /// Why it is not.
        #[source]
        source: serde_json::Error,
    },
}

/// Every kind of event that this release reads.
pub const KINDS: &[&str] = v1::KINDS;

/// The form in which this release writes an event.
pub fn encode(event: &Event) -> Stored {
    let (kind, json) = v1::encode_event(&event.kind);
    Stored {
        kind,
        version: v1::VERSION,
        json,
    }
}

/// The event that was stored.
pub fn decode(kind: &str, version: u16, seq: u64, at_millis: i64, json: &str) -> Result<Event, StoredError> {
    let known = KINDS
        .iter()
        .find(|known| **known == kind && version == v1::VERSION);
    let Some(what) = known else {
        return Err(StoredError::UnknownForm {
            kind: kind.to_owned(),
            version,
        });
    };
    Ok(Event {
        seq,
        at: Timestamp::from_millis(at_millis),
        kind: v1::decode_event(kind, json).map_err(|source| StoredError::Unreadable { what, source })?,
    })
}

/// The text of an item in its row. It names its own version.
pub fn encode_item(item: &WorkItemView) -> String {
    v1::encode_item(item)
}

/// The item of a row.
pub fn decode_item(json: &str) -> Result<WorkItemView, StoredError> {
    v1::decode_item(json).map_err(|source| StoredError::Unreadable {
        what: "work item",
        source,
    })
}

/// The text of a handoff in its row. It names its own version.
pub fn encode_handoff(handoff: &Handoff) -> String {
    v1::encode_handoff(handoff)
}

/// The handoff of a row.
pub fn decode_handoff(json: &str) -> Result<Handoff, StoredError> {
    v1::decode_handoff(json).map_err(|source| StoredError::Unreadable {
        what: "handoff",
        source,
    })
}

#[cfg(test)]
mod tests;
