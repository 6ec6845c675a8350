//! Where a command prints, and in which form.

use std::io::{self, Write};

use crate::Outcome;

/// For people or for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OutputFormat {
    /// Source lines, carets, and how to mend it.
    #[default]
    Human,
    /// One JSON document.
    Json,
}

/// The two streams of a command.
pub(crate) struct Streams<'a> {
    /// What was asked for.
    pub(crate) out: &'a mut dyn Write,
    /// Why it could not be done.
    pub(crate) err: &'a mut dyn Write,
}

/// Runs a command on the process's own streams. A closed stream is the reader's choice: nobody is left to tell.
pub(crate) fn on_standard_streams(command: impl FnOnce(&mut Streams<'_>) -> io::Result<Outcome>) -> Outcome {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    let outcome = command(&mut Streams {
        out: &mut out,
        err: &mut err,
    });
    match outcome.and_then(|outcome| out.flush().map(|()| outcome)) {
        Ok(outcome) => outcome,
        Err(_) => Outcome::CannotRun,
    }
}
