//! First figures of a running server, beside what its PostgreSQL does by itself in the same minute:
//!
//! ```text
//! target/release/baton dev --ephemeral --port 0 --ready-file READY &
//! cargo run --release -p server --example figures -- READY [SECONDS [CLIENTS]]
//! ```
//!
//! Everything shares the machine's cores with what is measured, the callers included. Compare only within one run.

mod calls;
mod core;
mod database;

use std::error::Error;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

const SECONDS_DEFAULT: u64 = 10;
/// Callers of the server, and clients of pgbench.
const CLIENTS_DEFAULT: usize = 64;
/// What is worked on.
const ERRAND: &str = include_str!("../../tests/processes/errand/PROCESS.md");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().ok_or("the ready file of a server is needed")?;
    let numbers = arguments.map(|text| text.to_string_lossy().parse());
    let numbers = numbers.collect::<Result<Vec<u32>, _>>()?;
    let seconds = numbers
        .first()
        .map_or(SECONDS_DEFAULT, |seconds| u64::from(*seconds));
    let clients = numbers
        .get(1)
        .map_or(CLIENTS_DEFAULT, |clients| *clients as usize);
    let time = Duration::from_secs(seconds);
    let ready: Value = serde_json::from_slice(&std::fs::read(PathBuf::from(path))?)?;
    let mut out = stdout();

    writeln!(
        out,
        "core: {:.0} commands a second, decided and applied",
        core::rate()?
    )?;
    let before = database::transactions_per_second(&ready, clients, time)?;
    writeln!(
        out,
        "pgbench, {clients} clients: {before:.0} transactions a second"
    )?;
    let writes = calls::measure(&ready, clients, time).await?;
    write!(out, "{writes}")?;
    let after = database::transactions_per_second(&ready, clients, time)?;
    writeln!(out, "pgbench, again: {after:.0} transactions a second")?;
    let ratio = writes.per_second() / f64::midpoint(before, after);
    writeln!(out, "ratio of writes to pgbench: {ratio:.2}")?;
    Ok(())
}
