//! Everything that is SQL: runs, requests, versions, people and lists in PostgreSQL, and the committer that writes the commands of many
//! runs in one transaction.
//!
//! The SQL on the way of every call stands in functions of the database (`migrations/`), so that it sets the organization, reads under
//! its policy and answers in one round trip. Everything else is in the module of its aggregate.

mod agents;
mod change;
mod clock;
mod committer;
mod connect;
mod credentials;
pub mod databases;
mod directory;
mod directory_change;
mod drafts;
mod error;
mod groups;
mod instance;
mod items;
mod journal;
mod members;
mod offers;
mod organizations;
mod page;
mod processes;
mod random;
mod reassignments;
mod requests;
mod run_store;
mod runs;
mod versions;
mod words;

pub use clock::PgClock;
pub use connect::{POSTGRES_MAJOR_MIN, Store, StoreOptions};
pub use credentials::TokenHolder;
pub use error::Error;
pub use instance::Database;
pub use random::SystemRandom;
