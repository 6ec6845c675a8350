//! The administration API over HTTP, on the real binary and a real PostgreSQL. Every answer that a test gets is held against the OpenAPI
//! document: its operation, its status, its schema.

mod agents;
mod client;
mod document;
mod drafts;
mod everybody;
mod groups;
mod lists;
mod members;
mod moves;
mod processes;
mod races;
#[path = "../dev/support.rs"]
#[expect(
    dead_code,
    reason = "this crate uses a part of what the tests of `baton dev` use"
)]
mod support;
mod wrong_bodies;
mod wrong_parameters;
