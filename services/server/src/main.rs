//! `baton`: the one binary. `dev` runs everything on this machine, `serve` is production, `migrate` prepares a database.

mod api;
mod arguments;
mod dev;
mod http;
mod logging;
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
        Command::Dev(arguments) => match dev::run(&arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => refuse(&explain(&error)),
        },
        Command::Process(command) => command.run().into(),
        Command::Serve => {
            refuse("`serve` is not in this release yet; `baton dev` runs everything on this machine")
        }
        Command::Migrate => {
            refuse("`migrate` is not in this release yet; `baton dev` migrates its database itself")
        }
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
