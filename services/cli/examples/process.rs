//! `baton process …` alone, for trying it without building the server.

use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(name = "process")]
struct Arguments {
    #[command(subcommand)]
    command: cli::ProcessCommand,
}

fn main() -> ExitCode {
    Arguments::parse().command.run().into()
}
