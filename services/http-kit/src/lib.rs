//! What every HTTP door shares: which hosts and origins it takes, bearer tokens, the 401 challenge, the error body, the JSON
//! guard, security headers.

mod admission;
mod bearer;
mod body_room;
mod challenge;
mod error_body;
mod json_body;
mod security_headers;

pub use admission::{Admission, admit};
pub use bearer::{AUTHENTICATION_TIME_MAX, bearer_token};
pub use body_room::{BodyRoom, Share};
pub use challenge::{Challenge, RESOURCE_METADATA_PATH};
pub use error_body::ErrorBody;
pub use json_body::{JsonBody, JsonBodyError, guard_json, read_json};
pub use security_headers::security_headers;

/// The guard itself, for doors that answer what it refuses in a form of their own.
pub use doc_kit::json_guard;
