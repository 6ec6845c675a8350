//! The rules of running (process.md §5, §6 and §9) once more, as naively as they can be written: plain maps, loops over all steps, no
//! events. It shares no code with what it is compared with, beyond ids, instants and JSON values, and reads a [`Process`] as it was drawn.

mod commands;
mod moves;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use base::Timestamp;
use serde_json::{Map, Value};

use crate::processes::{Kind, Process, Step};

pub use commands::{Handed, Verdict};
pub use view::Shown;

/// Who is who around a run. Actors are written as records write them.
#[derive(Debug, Clone, Default)]
pub struct People {
    /// Members of the group behind each role.
    pub roles: BTreeMap<String, BTreeSet<String>>,
    /// Operators and admins.
    pub operators: BTreeSet<String>,
    /// Members by their e-mail address in lower case.
    pub members: BTreeMap<String, String>,
}

/// Why a command is refused, as far as the specification says it exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum No {
    /// `not_found`.
    NotFound,
    /// `forbidden`.
    Forbidden,
    /// `stale`.
    Stale,
    /// `conflict`, with its issue.
    Conflict(&'static str),
    /// `not_accepted`, with what stands before the colon of each issue, in order of the alphabet.
    NotAccepted(Vec<String>),
    /// `invalid`.
    Invalid,
}

/// A run as the specification describes it.
#[derive(Debug, Clone)]
pub struct Model {
    process: Process,
    people: People,
    inputs: Map<String, Value>,
    initiator: Option<String>,
    limit_bytes: usize,
    /// The instant of what happened last.
    last: Timestamp,
    cells: BTreeMap<String, Cell>,
    held: Vec<Held>,
    /// How many completions there were: what is "later" is counted, not timed.
    completions: u64,
    claims: u32,
    items: u32,
    end: Option<End>,
}

/// What a step amounts to.
#[derive(Debug, Clone)]
struct Cell {
    now: Now,
    since: Timestamp,
    due: Option<Timestamp>,
    is_overdue: bool,
    record: Option<Map<String, Value>>,
    history: Vec<Map<String, Value>>,
    completed: Option<u64>,
    progress: Option<String>,
    returned: Option<Value>,
    issues: Option<Vec<String>>,
}

/// Where a step stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Now {
    Null,
    Ready,
    Claimed(Lease),
    /// An item for these people.
    Asked(u32, Vec<String>),
    /// An item for the operators.
    Escalated(u32),
    Until(Timestamp),
    Listening(String, Option<Timestamp>),
    Forked,
    Done,
    Failed,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Lease {
    number: u32,
    by: String,
    until: Timestamp,
    progress: Option<String>,
}

#[derive(Debug, Clone)]
struct Held {
    name: String,
    data: Map<String, Value>,
    by: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct End {
    /// `None` when the run was cancelled.
    outcome: Option<String>,
    by: String,
    at: Timestamp,
    /// The server's own words are its own; whether there are any is not.
    note: Note,
}

/// What is known of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Note {
    None,
    Said(String),
    OfTheServer,
}

const SERVER: &str = "server";

impl Cell {
    const fn new(at: Timestamp) -> Self {
        Self {
            now: Now::Null,
            since: at,
            due: None,
            is_overdue: false,
            record: None,
            history: Vec::new(),
            completed: None,
            progress: None,
            returned: None,
            issues: None,
        }
    }

    fn is_open(&self) -> bool {
        !matches!(self.now, Now::Null | Now::Done | Now::Failed | Now::Cancelled)
    }
}

impl Model {
    /// A run of `process` that is started at `now` by `by`; `initiator` is the person's address when a person starts it.
    pub fn start(
        process: Process,
        people: People,
        inputs: Map<String, Value>,
        (by, initiator): (&str, Option<&str>),
        (limit_bytes, now): (usize, Timestamp),
    ) -> Result<Self, No> {
        if initiator.is_none() && process.has_initiator_step() {
            return Err(No::Invalid);
        }
        let cells = process
            .steps
            .iter()
            .map(|step| (step.id.clone(), Cell::new(now)))
            .collect();
        let first = process
            .steps
            .first()
            .map(|step| step.id.clone())
            .unwrap_or_default();
        let mut model = Self {
            process,
            people,
            inputs,
            initiator: initiator.map(|_| by.to_owned()),
            limit_bytes,
            last: now,
            cells,
            held: Vec::new(),
            completions: 0,
            claims: 0,
            items: 0,
            end: None,
        };
        if model.data_bytes() > limit_bytes {
            return Err(No::Invalid);
        }
        model.reach(&first, now);
        model.settle(now);
        Ok(model)
    }

    fn step(&self, id: &str) -> &Step {
        self.process
            .step(id)
            .expect("edges of a drawn process name its steps")
    }

    fn cell(&mut self, id: &str) -> &mut Cell {
        self.cells
            .get_mut(id)
            .expect("every step has its cell from the start")
    }

    /// Applies what is due, the earliest first, each at its instant; of several at one instant the first in file order, and of one step
    /// its due time first (§9.13). Held events come before, as soon as somebody waits for them.
    pub fn settle(&mut self, now: Timestamp) {
        while self.end.is_none() && (self.deliver_held() || self.pass_deadline(now)) {}
    }

    fn pass_deadline(&mut self, now: Timestamp) -> bool {
        let mut first: Option<(Timestamp, String, Passing)> = None;
        for step in &self.process.steps {
            let cell = &self.cells[&step.id];
            let own = match &cell.now {
                Now::Until(at) => Some((*at, Passing::Wait)),
                Now::Listening(_, Some(at)) => Some((*at, Passing::Timeout)),
                _ => None,
            };
            let due = cell.due.filter(|_| cell.is_open() && !cell.is_overdue);
            for (at, passing) in due.map(|at| (at, Passing::Due)).into_iter().chain(own) {
                let is_earlier = first.as_ref().is_none_or(|(earliest, _, _)| at < *earliest);
                if at <= now && is_earlier {
                    first = Some((at, step.id.clone(), passing));
                }
            }
        }
        let Some((at, id, passing)) = first else {
            return false;
        };
        let at = at.max(self.last);
        self.last = at;
        match passing {
            Passing::Due => self.cell(&id).is_overdue = true,
            Passing::Wait => {
                self.complete(&id, record(SERVER, at), at);
                self.go_on(&id, None, at);
            }
            Passing::Timeout => {
                self.complete(&id, record(SERVER, at), at);
                let on_timeout = match &self.step(&id).kind {
                    Kind::WaitFor { on_timeout, .. } => on_timeout.clone(),
                    _ => None,
                };
                match on_timeout {
                    Some(to) => self.follow(&id, &to, at),
                    None => self.go_on(&id, None, at),
                }
            }
        }
        true
    }

    /// The oldest held event that somebody waits for goes to whom has waited longest, then to the first in file order (§9.14).
    fn deliver_held(&mut self) -> bool {
        for at in 0..self.held.len() {
            if let Some(id) = self.listener(&self.held[at].name) {
                let event = self.held.remove(at);
                let now = self.last;
                self.deliver(&id, event, now);
                return true;
            }
        }
        false
    }

    fn listener(&self, name: &str) -> Option<String> {
        let mut best: Option<(Timestamp, &str)> = None;
        for step in &self.process.steps {
            let cell = &self.cells[&step.id];
            let listens = matches!(&cell.now, Now::Listening(event, _) if event == name);
            if listens && best.is_none_or(|(since, _)| cell.since < since) {
                best = Some((cell.since, &step.id));
            }
        }
        best.map(|(_, id)| id.to_owned())
    }

    fn deliver(&mut self, id: &str, event: Held, now: Timestamp) {
        self.record_event(id, event, now);
        self.go_on(id, None, now);
    }

    fn record_event(&mut self, id: &str, event: Held, now: Timestamp) {
        self.complete(id, event_record(event, now), now);
    }
}

#[derive(Debug, Clone, Copy)]
enum Passing {
    Due,
    Wait,
    Timeout,
}

fn event_record(event: Held, at: Timestamp) -> Map<String, Value> {
    let mut entry = record(&event.by, at);
    entry.insert("output".into(), Value::Object(event.data));
    entry
}

fn record(by: &str, at: Timestamp) -> Map<String, Value> {
    Map::from_iter([
        ("by".to_owned(), Value::from(by)),
        ("at".to_owned(), Value::from(at.to_string())),
    ])
}
