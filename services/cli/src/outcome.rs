//! How a command ended.

use std::process::ExitCode;

/// How a command ended; the worst of several files counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Everything is valid: exit code 0.
    Valid,
    /// Something has an error: exit code 1.
    Problems,
    /// The command could not do its work: exit code 2.
    CannotRun,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Valid => Self::SUCCESS,
            Outcome::Problems => Self::from(1),
            Outcome::CannotRun => Self::from(2),
        }
    }
}
