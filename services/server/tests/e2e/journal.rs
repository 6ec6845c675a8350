//! The journal as the database has it, read past the server.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Rows of a query, one JSON value each.
pub(crate) fn rows(ready: &Value, query: &str) -> Vec<Value> {
    let text = execute(
        ready,
        &format!("select row_to_json(found) from ({query}) as found"),
    );
    let parsed = text.lines().map(serde_json::from_str);
    parsed.map(|row| row.expect("JSON")).collect()
}

/// What statements print, which are one transaction.
pub(crate) fn execute(ready: &Value, sql: &str) -> String {
    let url = ready["databaseUrl"].as_str().expect("an address");
    let output = Command::new(psql())
        .args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql])
        .output()
        .expect("psql runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("PostgreSQL writes UTF-8")
}

/// In the path, or where Debian keeps the programs of a version.
pub(crate) fn psql() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut found: Vec<PathBuf> = versions
        .flatten()
        .map(|version| version.path().join("bin/psql"))
        .filter(|path| path.exists())
        .collect();
    found.sort();
    found.pop().unwrap_or_else(|| PathBuf::from("psql"))
}
