//! Runs, alive: one supervisor per organization, one actor per live run, and the handle through which everybody else reaches them.
//!
//! An actor is a cache of its journal with a mailbox that puts concurrent writes in order. It owns nothing that the store lacks.

mod error;
mod facts;
mod guard;
mod handle;
mod keeper;
mod limits;
mod organization;
mod plans;
mod ports;
mod reassign;
mod replay;
mod root;
mod run_actor;
mod seats;
mod send;
mod tenant;
mod timers;

pub use error::RunError;
pub use handle::{Runs, Seen, StartRequest};
pub use keeper::Keeper;
pub use limits::Limits;
pub use plans::{Compile, PlanError};
pub use ports::Ports;
pub use timers::LocalTimers;
