//! The commands of `baton` that read documents, check them, print, and send them to a server.
//!
//! The binary puts each command group under a word of its own, such as `baton process`, and lets [`ProcessCommand::run`]
//! do the rest. A command gives an [`Outcome`], which is also its exit code.

mod outcome;
mod output;
mod process;
mod server;
mod source;

pub use outcome::Outcome;
pub use output::OutputFormat;
pub use process::ProcessCommand;
