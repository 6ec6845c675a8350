//! What PostgreSQL does by itself: pgbench with one transaction that updates a row and inserts 1 KB.

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

const PREPARE: &str = "
drop schema if exists figures cascade;
create schema figures;
create table figures.heads (id integer primary key, seq integer not null);
create table figures.events (id integer not null, seq integer not null, body text not null);
insert into figures.heads select n, 0 from generate_series(1, 10000) as n;
";
const TRANSACTION: &str = r"
\set id random(1, 10000)
begin;
update figures.heads set seq = seq + 1 where id = :id;
insert into figures.events values (:id, 1, repeat('x', 1024));
commit;
";

/// Transactions a second; its tables are gone afterwards.
pub(crate) fn transactions_per_second(
    ready: &Value,
    clients: usize,
    time: Duration,
) -> Result<f64, Box<dyn Error>> {
    let url = ready["databaseUrl"]
        .as_str()
        .ok_or("the ready file names no database")?;
    run(
        "psql",
        &["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", PREPARE],
    )?;
    let folder = tempfile::tempdir()?;
    let script = folder.path().join("transaction.sql");
    std::fs::write(&script, TRANSACTION)?;
    let threads = if clients > 1 { "2" } else { "1" };
    let (clients, seconds) = (clients.to_string(), time.as_secs().to_string());
    let script = script.to_string_lossy();
    let arguments = [
        "-n", "-M", "prepared", "-j", threads, "-c", &clients, "-T", &seconds, "-f", &script, url,
    ];
    let report = run("pgbench", &arguments);
    run("psql", &["-XqAt", "-d", url, "-c", "drop schema figures cascade"])?;
    let report = report?;
    let line = report.lines().find_map(|line| line.strip_prefix("tps = "));
    let number = line.and_then(|line| line.split(' ').next());
    Ok(number.ok_or("pgbench shows no rate")?.parse()?)
}

fn run(program: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new(find(program)).args(arguments).output()?;
    if output.status.success() {
        Ok(String::from_utf8(output.stdout)?)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into())
    }
}

/// Where Debian keeps the programs of the newest version, or in the path.
fn find(program: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let places = versions
        .flatten()
        .map(|version| version.path().join("bin").join(program));
    let newest = places.filter(|place| place.exists()).max();
    newest.unwrap_or_else(|| PathBuf::from(program))
}
