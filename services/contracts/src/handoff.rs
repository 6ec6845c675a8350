//! What one attempt leaves to the next.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What came before on this attempt of the step (`process.md` §5). Several can stand together; the newest of each wins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handoff {
    /// Last progress note of a lease that ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<String>,
    /// A person's note that sent the step back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<Returned>,
    /// Issues of the last refused submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<String>>,
    /// The verdict that sent it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Value>,
}

/// Who sent an escalated step back, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Returned {
    /// What the person wrote.
    pub note: String,
    /// The person's id.
    pub by: String,
    /// When.
    pub at: String,
}
