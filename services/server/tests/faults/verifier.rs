//! Reads the journal and says all that is wrong with it: nothing may be lost, doubled, out of order or changed afterwards.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::load::{Load, Write};
use crate::projections;
use crate::steps::Steps;
use crate::tables::{Tables, number, text};

/// What callers know.
pub(crate) struct Known {
    pub(crate) writes: BTreeMap<String, Write>,
    /// Every request id that was ever sent.
    pub(crate) sent: BTreeSet<String>,
}

impl Known {
    pub(crate) fn of(load: &Load) -> Self {
        Self {
            writes: load.writes(),
            sent: load.sent(),
        }
    }
}

/// The kinds of events that a recorded call begins with.
const FIRST_KINDS: [(&str, &[&str]); 8] = [
    ("start_run", &["run_started"]),
    ("claim", &["step_claimed"]),
    ("renew", &["claim_renewed"]),
    ("submit", &["step_completed"]),
    ("escalate", &["step_escalated"]),
    (
        "decide",
        &[
            "step_completed",
            "step_approved",
            "step_rejected",
            "step_failed",
            "step_returned",
        ],
    ),
    ("cancel", &["run_cancelled"]),
    ("send_event", &["event_held", "event_delivered", "event_taken"]),
];
/// Events that belong to no recorded call: the server's own, and refused submissions, which are not recorded.
const UNASKED: [&str; 6] = [
    "wait_elapsed",
    "wait_timed_out",
    "step_overdue",
    "submission_refused",
    "item_reassigned",
    "event_delivered",
];

type Journals<'a> = BTreeMap<&'a str, Vec<&'a Value>>;

/// Everything that is wrong.
pub(crate) fn problems(tables: &Tables, known: &Known) -> Vec<String> {
    let mut journals = Journals::new();
    for event in tables.of("run_events") {
        journals.entry(text(event, "run")).or_default().push(event);
    }
    let mut found = Vec::new();
    let heads: BTreeMap<&str, &Value> = tables
        .of("runs")
        .iter()
        .map(|row| (text(row, "run"), row))
        .collect();
    found.extend(
        heads
            .keys()
            .filter(|run| !journals.contains_key(*run))
            .map(|run| format!("{run}: no events")),
    );
    for (run, events) in &journals {
        let Some(head) = heads.get(run) else {
            found.push(format!("{run}: no row"));
            continue;
        };
        numbered(head, events, &mut found);
        chained(head, events, &mut found);
        Steps::follow(run, events, &mut found);
    }
    requested(tables, &journals, &mut found);
    acknowledged(tables, known, &mut found);
    projections::compare(tables, &journals, &mut found);
    found
}

/// `seq` without gaps, up to the head; instants never go back.
fn numbered(head: &Value, events: &[&Value], found: &mut Vec<String>) {
    let run = text(head, "run");
    for (event, wanted) in events.iter().zip(1..) {
        if number(event, "seq") != wanted {
            found.push(format!(
                "{run}: event {} where {wanted} belongs",
                number(event, "seq")
            ));
        }
    }
    let length = i64::try_from(events.len()).expect("few");
    if number(head, "seq") != length {
        found.push(format!(
            "{run}: {length} events, the row says {}",
            number(head, "seq")
        ));
    }
    if !events.is_sorted_by_key(|event| number(event, "at")) {
        found.push(format!("{run}: an event is from before the one before it"));
    }
}

/// The chain over what is stored, computed here once more.
fn chained(head: &Value, events: &[&Value], found: &mut Vec<String>) {
    let run = text(head, "run");
    let mut chain = Sha256::digest(format!("{} {run}", text(head, "organization")));
    for event in events {
        let mut hasher = Sha256::new_with_prefix(chain);
        hasher.update(format!(
            "{} {} {} {} {}",
            event["seq"],
            event["at"],
            text(event, "kind"),
            event["version"],
            text(event, "body")
        ));
        chain = hasher.finalize();
        if hex(&chain) != text(event, "chain") {
            found.push(format!("{run}: the chain is broken at event {}", event["seq"]));
            return;
        }
    }
    if hex(&chain) != text(head, "chain") {
        found.push(format!("{run}: the row has another chain than the last event"));
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold("\\x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// Each request stands for events of its own, which begin with what it asked for; what nobody asked for is the server's.
fn requested(tables: &Tables, journals: &Journals<'_>, found: &mut Vec<String>) {
    let mut owners: BTreeMap<(&str, i64), &str> = BTreeMap::new();
    for request in tables
        .of("requests")
        .iter()
        .filter(|request| request["run"].is_string())
    {
        let (id, run) = (text(request, "request"), text(request, "run"));
        let (first, last) = (number(request, "first_seq"), number(request, "last_seq"));
        for seq in first..=last {
            if let Some(other) = owners.insert((run, seq), id) {
                found.push(format!("{run}: event {seq} belongs to {other} and to {id}"));
            }
        }
        let events = journals.get(run).map(Vec::as_slice).unwrap_or_default();
        let event = |seq: i64| events.iter().find(|event| number(event, "seq") == seq);
        let kinds = FIRST_KINDS
            .iter()
            .find(|(tool, _)| *tool == text(request, "tool"));
        let is_first = |event: &&Value| kinds.is_some_and(|(_, kinds)| kinds.contains(&text(event, "kind")));
        if !event(first).is_some_and(is_first) || event(last).is_none() {
            found.push(format!(
                "{id}: {run} has no such events {first} to {last} of {}",
                text(request, "tool")
            ));
        }
    }
    for (run, events) in journals {
        for event in events {
            let is_owned = owners.contains_key(&(*run, number(event, "seq")));
            if !is_owned && !UNASKED.contains(&text(event, "kind")) {
                found.push(format!(
                    "{run}: nobody asked for event {}, {}",
                    event["seq"],
                    text(event, "kind")
                ));
            }
        }
    }
}

/// Whatever was acknowledged is there, once, as it was asked for; and nothing is there that nobody sent.
fn acknowledged(tables: &Tables, known: &Known, found: &mut Vec<String>) {
    let mut rows: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for request in tables.of("requests") {
        rows.entry(text(request, "request")).or_default().push(request);
    }
    for (id, write) in &known.writes {
        let written = rows.get(id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let [row] = written else {
            found.push(format!("{id}: acknowledged and written {} times", written.len()));
            continue;
        };
        let run = write.answer["run"]["id"]
            .as_str()
            .or(write.arguments["runId"].as_str());
        let is_its_run = run.is_none_or(|run| run == text(row, "run"));
        // The digest of the arguments by their value: maps in order, numbers digit for digit.
        let is_asked = hex(&Sha256::digest(write.arguments.to_string())) == text(row, "arguments");
        if text(row, "tool") != write.tool || !is_its_run || !is_asked {
            found.push(format!(
                "{id}: written is something else than was asked for: {row}"
            ));
        }
    }
    let others = rows.iter().filter(|(id, _)| !known.sent.contains(**id));
    found.extend(
        others.map(|(id, rows)| format!("{id}: nobody sent it, and it is there {} times", rows.len())),
    );
}

/// Panics with what is wrong; prints what is right.
pub(crate) fn verify(ready: &Value, known: &Known, what: &str) {
    let tables = Tables::read(ready);
    let found = problems(&tables, known);
    assert!(
        found.is_empty(),
        "{what}: {} problems:\n{}",
        found.len(),
        found[..found.len().min(20)].join("\n")
    );
    report(&format!(
        "{what}: {} acknowledged writes, {} requests, {} events of {} runs, {} offers, {} items: all there once, in order, chained",
        known.writes.len(),
        tables.of("requests").len(),
        tables.of("run_events").len(),
        tables.of("runs").len(),
        tables.of("offers").len(),
        tables.of("work_items").len(),
    ));
}

#[expect(clippy::print_stdout, reason = "the report of a long run is read by people")]
pub(crate) fn report(line: &str) {
    println!("{line}");
}
