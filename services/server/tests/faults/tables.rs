//! What the database holds of runs, read past the server in one snapshot.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::journal::execute;

/// Rows by their tables, each as PostgreSQL writes it: bytes as `\x` and hex, text as it is stored.
#[derive(Debug)]
pub(crate) struct Tables(BTreeMap<String, Vec<Value>>);

const READ: [&str; 9] = [
    "select * from runs",
    "select * from run_events order by organization, run, seq",
    "select * from requests",
    "select * from offers",
    "select * from work_items",
    "select * from work_item_members",
    "select * from run_inputs",
    "select * from outbox",
    "select * from versions",
];

impl Tables {
    pub(crate) fn read(ready: &Value) -> Self {
        Self::read_after(ready, "")
    }

    /// As they are after statements that are taken back at once.
    pub(crate) fn read_after(ready: &Value, tampering: &str) -> Self {
        let selects = READ.map(|query| {
            let name = name_of(query);
            format!("select json_build_array('{name}', row_to_json(found)) from ({query}) as found;\n")
        });
        let selects = selects.concat();
        let script = format!(
            "begin isolation level repeatable read; set local session_replication_role = replica; {tampering};\n{selects}rollback"
        );
        let mut tables: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for line in execute(ready, &script).lines() {
            let mut row: Value = serde_json::from_str(line).expect("PostgreSQL writes JSON");
            let name = row[0].as_str().expect("a name").to_owned();
            tables.entry(name).or_default().push(row[1].take());
        }
        Self(tables)
    }

    pub(crate) fn of(&self, name: &str) -> &[Value] {
        self.0.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}

fn name_of(query: &str) -> &str {
    query.split(' ').nth(3).expect("select * from name")
}

/// A text column.
pub(crate) fn text<'a>(row: &'a Value, column: &str) -> &'a str {
    row[column].as_str().unwrap_or_default()
}

/// A number column.
pub(crate) fn number(row: &Value, column: &str) -> i64 {
    row[column].as_i64().unwrap_or(i64::MIN)
}
