//! `baton process …`

mod check;
mod entry;
mod hash;
mod publish;
#[cfg(test)]
mod tests;

use std::io;

use crate::Outcome;
use crate::output::{Streams, on_standard_streams};

/// Commands about PROCESS.md files.
#[derive(Debug, clap::Subcommand)]
pub enum ProcessCommand {
    /// Check processes and show every problem
    Check(check::Arguments),
    /// Print the content hash of a process
    Hash(hash::Arguments),
    /// Publish a process on a server, with a group for each role
    Publish(publish::Arguments),
}

impl ProcessCommand {
    /// Runs the command on the standard streams.
    pub fn run(self) -> Outcome {
        on_standard_streams(|streams| self.run_on(streams))
    }

    fn run_on(&self, streams: &mut Streams<'_>) -> io::Result<Outcome> {
        match self {
            Self::Check(arguments) => check::run(arguments, streams),
            Self::Hash(arguments) => hash::run(arguments, streams),
            Self::Publish(arguments) => publish::run(arguments, streams),
        }
    }
}
