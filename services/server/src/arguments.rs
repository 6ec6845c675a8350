//! The command line.

use std::path::PathBuf;

use base::Secret;
use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

/// Processes that agents and people carry out together.
#[derive(Debug, Parser)]
#[command(name = "baton", version, propagate_version = true)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run everything on this machine: database, demo organization and server
    Dev(DevArguments),
    /// Check, hash and publish processes
    #[command(subcommand)]
    Process(cli::ProcessCommand),
    /// Run the server in production
    Serve,
    /// Bring a database to this release's schema
    Migrate {
        /// The database; the login must be able to create roles and tables
        #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true, value_parser = secret())]
        database_url: Secret<String>,
    },
}

/// Settings of `baton dev`.
#[derive(Debug, Args)]
pub(crate) struct DevArguments {
    /// Port on 127.0.0.1; 0 takes any free one
    #[arg(long, value_name = "N", default_value_t = 8080)]
    pub(crate) port: u16,
    /// Where everything is kept; a second `baton dev` on the same folder joins the first
    #[arg(long, value_name = "DIR", default_value = ".baton")]
    pub(crate) data_dir: PathBuf,
    /// Use a fresh temporary data folder and database, removed at exit
    #[arg(long, conflicts_with = "data_dir")]
    pub(crate) ephemeral: bool,
    /// Write addresses and tokens to this file, as JSON, when ready
    #[arg(long, value_name = "F")]
    pub(crate) ready_file: Option<PathBuf>,
    /// Let `POST /dev/clock` move the clock forward
    #[arg(long)]
    pub(crate) time_travel: bool,
    /// How long a claim lasts without renewal
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) lease_seconds: u32,
    /// Let the demo tokens expire; by default they never do
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) token_seconds: Option<u32>,
    /// How many demo organizations: `demo`, `demo2`, …
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) orgs: u16,
    /// Use this PostgreSQL instead of a private one
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true, value_parser = secret())]
    pub(crate) database_url: Option<Secret<String>>,
    /// Use this Redis instead of a private one
    #[arg(long, env = "REDIS_URL", value_name = "URL", hide_env_values = true, value_parser = secret())]
    pub(crate) redis_url: Option<Secret<String>>,
}

/// Addresses of stores may hold passwords.
fn secret() -> impl TypedValueParser<Value = Secret<String>> {
    StringValueParser::new().map(Secret::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_arguments_are_not_shown() {
        let address = "postgres://ada:hush@db.example/baton";
        for words in [
            ["baton", "migrate", "--database-url", address],
            ["baton", "dev", "--database-url", address],
            ["baton", "dev", "--redis-url", address],
        ] {
            let arguments = Arguments::try_parse_from(words).expect("a command line");
            assert!(!format!("{arguments:?}").contains("hush"), "{words:?}");
        }
    }
}
