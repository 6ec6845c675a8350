//! The administration API: `/api/o/{org}/…`, for admins alone, described by the OpenAPI document at `/api/openapi.json`
//! (`schemas/api/openapi.json`).
//!
//! Handlers translate: an address and a body become the arguments of a use case of [`app::administration`], its answer becomes JSON. Who
//! is no admin is refused before a body is read or an address is looked at.

mod address;
mod agents;
mod answer;
mod body;
mod drafts;
mod groups;
mod guards;
mod members;
mod openapi;
mod organization;
mod parameters;
mod processes;
mod publish;
mod refusal;
mod router;

pub use router::router;

use std::sync::Arc;

use app::administration::Administration;

/// What every handler works with.
type Shared = axum::extract::State<Arc<Administration>>;
/// Who calls.
type Caller = axum::extract::Extension<base::Admin>;

#[cfg(test)]
mod tests;
