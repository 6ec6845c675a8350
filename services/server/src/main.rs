//! `baton`: the one binary. `dev` runs everything on this machine, `serve` is production, `migrate` prepares a database.

mod arguments;
mod dev;
mod http;
mod logging;
mod migrate;
mod shutdown;
mod wiring;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    logging::start();
    match arguments.command {
        Command::Dev(arguments) => ended(dev::run(&arguments)),
        Command::Process(command) => command.run().into(),
        Command::Migrate { database_url } => ended(migrate::run(&database_url)),
        Command::Serve => refuse(
            "`serve` is not in this release yet: it will need OAuth for its people and clients. `baton dev` runs \
             everything on this machine, for this machine",
        ),
    }
}

fn ended<E: std::error::Error>(outcome: Result<(), E>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => refuse(&explain(&error)),
    }
}

/// Says on stderr why the command cannot do its work.
fn refuse(reason: &str) -> ExitCode {
    // Nobody is left to tell when stderr itself is closed.
    let _ = writeln!(std::io::stderr(), "baton: {reason}");
    ExitCode::FAILURE
}

/// An error and its causes in one line.
fn explain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        text = format!("{text}: {source}");
        cause = source.source();
    }
    text
}
