//! The one lifecycle of a run, for every format. Pure: no clock, no dice, no I/O.
//!
//! A published version compiles to a [`Plan`]. [`decide()`] takes the state of a run, a [`Command`] and the instant, and gives
//! events, a refusal, or the outside facts it needs; [`RunState::evolve`] applies an event and cannot fail. What callers see is
//! rendered from state and events alone ([`view`], [`render()`]), so a recorded request renders the same answer for ever.

pub mod command;
pub mod decide;
mod draft;
mod effect;
pub mod event;
mod evolve;
mod known;
pub mod plan;
pub mod project;
mod refusal;
mod render;
mod run_data;
pub mod search;
pub mod settle;
pub mod state;
pub mod stored;
pub mod view;
mod words;

pub use command::{Command, StartRun};
pub use decide::{Decision, Written, decide, start};
pub use effect::{Effect, effects};
pub use event::{Event, EventKind};
pub use known::{Known, Query};
pub use plan::Plan;
pub use refusal::{Conflict, Missing, Outdated, Refusal, Unentitled};
pub use render::{Rendered, render};
pub use state::RunState;
pub use words::{
    Actor, ClaimId, ClaimNumber, DecisionWord, EvidenceKind, KeyId, Map, Mode, RunWord, StepId, StepKind,
    StepWord,
};

#[cfg(test)]
mod tests;
