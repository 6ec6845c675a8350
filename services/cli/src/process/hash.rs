//! `baton process hash PATH`

use std::io;
use std::path::PathBuf;

use super::entry::Entry;
use crate::output::Streams;
use crate::source::explain;
use crate::{Outcome, OutputFormat};

/// The arguments of `hash`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A PROCESS.md file, or the folder that holds it
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The form of the output
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

/// A process with errors has no hash that anybody should rely on: its problems are shown instead.
pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> io::Result<Outcome> {
    let entry = match Entry::read(&arguments.path) {
        Ok(entry) => entry,
        Err(error) => {
            writeln!(streams.err, "baton: {}", explain(&error))?;
            return Ok(Outcome::CannotRun);
        }
    };
    match arguments.format {
        OutputFormat::Json => {
            serde_json::to_writer_pretty(&mut *streams.out, &entry.report())?;
            writeln!(streams.out)?;
        }
        OutputFormat::Human => {
            if let Some(hash) = entry.valid_hash() {
                writeln!(streams.out, "{hash}")?;
            } else {
                entry.write_problems(streams.err)?;
                entry.write_summary(streams.err)?;
            }
        }
    }
    Ok(entry.outcome())
}
