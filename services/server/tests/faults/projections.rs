//! Projections against the fold of the journal: every row that should be there is, as it should be, and no other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use formats::Format;
use run_core::event::Assigned;
use run_core::project::{self, Changes};
use run_core::{Event, Plan, RunState, stored};
use serde_json::{Value, json};

use crate::tables::{Tables, number, text};
use crate::verifier::hex;

type Plans = BTreeMap<(String, i64), Arc<dyn Plan>>;
/// Rows of each table, with the columns that follow from the journal, as text.
type Rows = BTreeMap<&'static str, BTreeSet<String>>;

const TABLES: [(&str, &[&str]); 5] = [
    (
        "runs",
        &[
            "run",
            "process",
            "version",
            "mode",
            "state",
            "outcome",
            "started_by",
            "started_at",
            "updated_at",
            "inputs",
            "snapshot",
            "next_deadline",
        ],
    ),
    (
        "offers",
        &[
            "run",
            "step",
            "process",
            "ready_since",
            "available_at",
            "due",
            "overdue",
            "handoff",
            "holder",
        ],
    ),
    (
        "work_items",
        &[
            "run",
            "number",
            "process",
            "opened_at",
            "escalated",
            "members",
            "group_id",
            "body",
        ],
    ),
    (
        "work_item_members",
        &["run", "number", "process", "opened_at", "person"],
    ),
    ("run_inputs", &["run", "started_at", "input"]),
];

pub(crate) fn compare(tables: &Tables, journals: &BTreeMap<&str, Vec<&Value>>, found: &mut Vec<String>) {
    let plans = plans(tables);
    let mut wanted = Rows::new();
    for (run, events) in journals {
        match folded(&plans, events) {
            Ok((state, changes)) => expect(&mut wanted, &state, &changes),
            Err(problem) => found.push(format!("{run}: {problem}")),
        }
    }
    for (table, columns) in TABLES {
        let shown: BTreeSet<String> = tables
            .of(table)
            .iter()
            .map(|row| row_text(columns, row))
            .collect();
        let wanted = wanted.remove(table).unwrap_or_default();
        found.extend(
            shown
                .difference(&wanted)
                .map(|row| format!("{table}: should not be there: {row}")),
        );
        found.extend(
            wanted
                .difference(&shown)
                .map(|row| format!("{table}: is missing: {row}")),
        );
        if tables.of(table).len() != shown.len() {
            found.push(format!("{table}: a row is there twice"));
        }
    }
    told(tables, journals, found);
}

fn row_text(columns: &[&str], row: &Value) -> String {
    let values: Vec<String> = columns.iter().map(|column| row[column].to_string()).collect();
    values.join(" ")
}

fn plans(tables: &Tables) -> Plans {
    let compiled = tables.of("versions").iter().map(|row| {
        let source = text(row, "source").trim_start_matches("\\x");
        let source: Vec<u8> = (0..source.len() / 2)
            .map(|n| u8::from_str_radix(&source[2 * n..2 * n + 2], 16).expect("hex"))
            .collect();
        let format = Format::from_word(text(row, "format")).expect("a known format");
        let plan = formats::compile(format, &source).expect("it was published");
        ((text(row, "process").to_owned(), number(row, "version")), plan)
    });
    compiled.collect()
}

fn folded(plans: &Plans, rows: &[&Value]) -> Result<(RunState, Changes), String> {
    let decoded = rows.iter().map(|row| {
        let version = u16::try_from(number(row, "version")).map_err(|error| error.to_string())?;
        let seq = u64::try_from(number(row, "seq")).map_err(|error| error.to_string())?;
        stored::decode(
            text(row, "kind"),
            version,
            seq,
            number(row, "at"),
            text(row, "body"),
        )
        .map_err(|error| format!("event {seq}: {error}"))
    });
    let events: Vec<Event> = decoded.collect::<Result<_, String>>()?;
    let state = RunState::fold(&events).ok_or("the first event is no start")?;
    let plan = plans
        .get(&(state.process.clone(), i64::from(state.version)))
        .ok_or("nobody published its process")?;
    let changes = project::rows(plan.as_ref(), &state);
    Ok((state, changes))
}

fn expect(wanted: &mut Rows, state: &RunState, changes: &Changes) {
    let run = state.run.to_string();
    let row = &changes.run;
    let mut add = |table: &'static str, row: Value| {
        let columns = TABLES
            .iter()
            .find(|(name, _)| *name == table)
            .expect("it is one of them")
            .1;
        wanted.entry(table).or_default().insert(row_text(columns, &row));
    };
    add(
        "runs",
        json!({
            "run": run, "process": row.process, "version": row.version, "mode": row.mode.as_str(), "state": row.state.as_str(),
            "outcome": row.outcome, "started_by": row.started_by.to_string(), "started_at": row.started_at.as_millis(),
            "updated_at": row.updated_at.as_millis(), "inputs": serde_json::to_string(&row.inputs).expect("a map"),
            "snapshot": hex(row.snapshot.as_bytes()), "next_deadline": row.next_deadline.map(base::Timestamp::as_millis),
        }),
    );
    for offer in &changes.offers_put {
        add(
            "offers",
            json!({
                "run": run, "step": offer.step.to_string(), "process": row.process, "ready_since": offer.ready_since.as_millis(),
                "available_at": offer.available_at.as_millis(), "due": offer.due.map(base::Timestamp::as_millis),
                "overdue": offer.overdue, "handoff": stored::encode_handoff(&offer.handoff),
                "holder": offer.holder.map(|holder| holder.to_string()),
            }),
        );
    }
    for item in &changes.items_put {
        let (members, group) = match &item.item.assigned {
            Assigned::Group { group, members } => (members.clone(), Some(group.to_string())),
            Assigned::Person { person, .. } => (vec![*person], None),
        };
        let is_escalated = item.item.escalation.is_some();
        let members: Vec<String> = members.iter().map(ToString::to_string).collect();
        let (number, opened_at) = (item.item.id.number, item.opened_at.as_millis());
        add(
            "work_items",
            json!({
                "run": run, "number": number, "process": row.process, "opened_at": opened_at, "escalated": is_escalated,
                "members": members, "group_id": group, "body": stored::encode_item(&item.item),
            }),
        );
        // Escalations are for whoever is an operator at the time.
        for person in members.iter().filter(|_| !is_escalated) {
            add(
                "work_item_members",
                json!({
                    "run": run, "number": number, "process": row.process, "opened_at": opened_at, "person": person,
                }),
            );
        }
    }
    for input in &changes.inputs {
        let input = hex(input.as_bytes());
        add(
            "run_inputs",
            json!({"run": run, "started_at": row.started_at.as_millis(), "input": input}),
        );
    }
}

/// Whoever is to be told of an open item, or of an end, is: each item and each end has its row for the outside, once.
fn told(tables: &Tables, journals: &BTreeMap<&str, Vec<&Value>>, found: &mut Vec<String>) {
    let mut told: BTreeMap<String, u32> = BTreeMap::new();
    for row in tables.of("outbox") {
        *told.entry(row_text(&["run", "kind", "item"], row)).or_default() += 1;
    }
    let items = tables.of("work_items").iter();
    let open = items.map(|item| json!({"run": item["run"], "kind": "item_opened", "item": item["number"]}));
    let runs = tables
        .of("runs")
        .iter()
        .filter(|row| ["ended", "cancelled"].contains(&text(row, "state")));
    let ended = runs.map(|row| json!({"run": row["run"], "kind": "ended", "item": null}));
    for wanted in open.chain(ended) {
        if told.get(&row_text(&["run", "kind", "item"], &wanted)) != Some(&1) {
            found.push(format!("outbox: is missing or there more than once: {wanted}"));
        }
    }
    let foreign = tables
        .of("outbox")
        .iter()
        .filter(|row| !journals.contains_key(text(row, "run")));
    found.extend(foreign.map(|row| format!("outbox: of no run: {row}")));
}
