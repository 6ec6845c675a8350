//! The commands of `baton` that need no server: they read documents, check them and print.
//!
//! The binary puts each command group under a word of its own, such as `baton process`, and lets [`ProcessCommand::run`]
//! do the rest. A command gives an [`Outcome`], which is also its exit code.

mod outcome;
mod output;
mod process;
mod source;

pub use outcome::Outcome;
pub use output::OutputFormat;
pub use process::ProcessCommand;
