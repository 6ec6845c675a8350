//! `baton process check PATH…`

use std::io;
use std::path::PathBuf;

use super::entry::{Entry, Report};
use crate::output::Streams;
use crate::source::explain;
use crate::{Outcome, OutputFormat};

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// PROCESS.md files, or the folders that hold them; a folder must have the name of its process
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The form of the output
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> io::Result<Outcome> {
    let mut outcome = Outcome::Valid;
    let mut entries = Vec::new();
    for path in &arguments.paths {
        match Entry::read(path) {
            Ok(entry) => {
                outcome = outcome.max(entry.outcome());
                entries.push(entry);
            }
            Err(error) => {
                outcome = Outcome::CannotRun;
                writeln!(streams.err, "baton: {}", explain(&error))?;
            }
        }
    }
    match arguments.format {
        OutputFormat::Human => {
            for entry in &entries {
                entry.write_problems(streams.out)?;
                entry.write_summary(streams.out)?;
            }
        }
        OutputFormat::Json => {
            let reports: Vec<Report<'_>> = entries.iter().map(Entry::report).collect();
            serde_json::to_writer_pretty(&mut *streams.out, &reports)?;
            writeln!(streams.out)?;
        }
    }
    Ok(outcome)
}
