//! What everybody sees.

use base::Timestamp;
use serde_json::{Map, Value, json};

use super::{Model, Note, Now, event_record};
use crate::processes::{Kind, Process};

/// A run as it is shown, in the shapes of the wire. Notes of the server are left out: their words are its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// `state`, `outcome`, `ended`.
    pub run: Value,
    /// `{inputs, steps}`.
    pub data: Value,
    /// `[{id, state, due, overdue}]`.
    pub steps: Value,
    /// `[{number, stepId, decisions, people, handoff}]` of the open work items.
    pub items: Value,
    /// `[{stepId, readySince, handoff}]` of the steps that an agent may claim.
    pub offers: Value,
}

impl Model {
    /// The process that it runs.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Compact JSON of inputs and records (§9.7).
    pub(super) fn data_bytes(&self) -> usize {
        self.data().to_string().len()
    }

    /// The same once the held events are consumed, which count towards the limit (§9.14), each by the step with the longest id that
    /// waits for any.
    pub(super) fn bytes_to_come(&self) -> usize {
        let waits = self
            .process
            .steps
            .iter()
            .filter(|step| matches!(step.kind, Kind::WaitFor { .. }));
        let longest = waits
            .map(|step| step.id.as_str())
            .max_by_key(|id| id.len())
            .unwrap_or_default();
        let taken = self.held.iter().map(|event| {
            let mut entry = event_record(event.clone(), self.last);
            entry.insert("history".into(), json!([]));
            format!(r#","{longest}":{}"#, Value::Object(entry)).len()
        });
        self.data_bytes() + taken.sum::<usize>()
    }

    fn data(&self) -> Value {
        let mut steps = Map::new();
        for (id, cell) in &self.cells {
            if cell.record.is_some() || !cell.history.is_empty() {
                let mut fields = cell.record.clone().unwrap_or_default();
                fields.insert(
                    "history".into(),
                    cell.history.iter().cloned().map(Value::Object).collect(),
                );
                steps.insert(id.clone(), Value::Object(fields));
            }
        }
        json!({"inputs": self.inputs, "steps": steps})
    }

    /// What is shown at `now`, at which everything due must have been applied.
    pub fn shown(&self, now: Timestamp) -> Shown {
        Shown {
            run: self.run(now),
            data: self.data(),
            steps: self
                .process
                .steps
                .iter()
                .map(|step| self.shown_step(&step.id, now))
                .collect(),
            items: self.shown_items(now),
            offers: self.shown_offers(now),
        }
    }

    fn run(&self, _now: Timestamp) -> Value {
        let is_active = |now: &Now| matches!(now, Now::Ready | Now::Claimed(_));
        let state = match &self.end {
            Some(end) if end.outcome.is_none() => "cancelled",
            Some(_) => "ended",
            None if self.cells.values().any(|cell| is_active(&cell.now)) => "active",
            None => "waiting",
        };
        let outcome = self.end.as_ref().and_then(|end| end.outcome.clone());
        let ended = self.end.as_ref().map(|end| {
            let note = match &end.note {
                Note::Said(text) => Some(text.clone()),
                Note::None | Note::OfTheServer => None,
            };
            json!({"by": end.by, "at": end.at.to_string(), "note": note})
        });
        json!({"state": state, "outcome": outcome, "ended": ended})
    }

    fn shown_step(&self, id: &str, now: Timestamp) -> Value {
        let cell = &self.cells[id];
        let state = match &cell.now {
            Now::Null => None,
            Now::Claimed(lease) if now < lease.until => Some("claimed"),
            Now::Ready | Now::Claimed(_) => Some("ready"),
            Now::Asked(..) | Now::Escalated(_) | Now::Until(_) | Now::Listening(..) | Now::Forked => {
                Some("waiting")
            }
            Now::Done => Some("done"),
            Now::Failed => Some("failed"),
            Now::Cancelled => Some("cancelled"),
        };
        let due = cell.due.filter(|_| cell.is_open()).map(|due| due.to_string());
        json!({"id": id, "state": state, "due": due, "overdue": cell.is_open() && cell.is_overdue})
    }

    fn shown_items(&self, now: Timestamp) -> Value {
        let mut items: Vec<(u32, Value)> = Vec::new();
        for step in &self.process.steps {
            let (number, decisions, people) = match &self.cells[&step.id].now {
                Now::Asked(number, people) => {
                    let is_approval = matches!(step.kind, Kind::Approve(..));
                    let decisions = if is_approval {
                        "approved rejected failed"
                    } else {
                        "completed failed"
                    };
                    (*number, decisions, people.clone())
                }
                Now::Escalated(number) => {
                    let operators = self.people.operators.iter().cloned().collect();
                    (*number, "returned completed failed", operators)
                }
                _ => continue,
            };
            let handoff = self.handoff(&step.id, now);
            let item = json!({"number": number, "stepId": step.id, "decisions": decisions, "people": people, "handoff": handoff});
            items.push((number, item));
        }
        items.sort_by_key(|(number, _)| *number);
        items.into_iter().map(|(_, item)| item).collect()
    }

    fn shown_offers(&self, now: Timestamp) -> Value {
        let mut offers = Vec::new();
        for (id, cell) in &self.cells {
            let is_free = match &cell.now {
                Now::Ready => true,
                Now::Claimed(lease) => now >= lease.until,
                _ => false,
            };
            if is_free {
                let since = cell.since.to_string();
                offers.push(json!({"stepId": id, "readySince": since, "handoff": self.handoff(id, now)}));
            }
        }
        Value::Array(offers)
    }

    /// Progress of a lease that ended counts at once, with or without anybody claiming anew.
    fn handoff(&self, id: &str, now: Timestamp) -> Value {
        let cell = &self.cells[id];
        let mut handoff = Map::new();
        let lapsed = match &cell.now {
            Now::Claimed(lease) if now >= lease.until => lease.progress.clone(),
            _ => None,
        };
        if let Some(progress) = lapsed.or_else(|| cell.progress.clone()) {
            handoff.insert("progress".into(), progress.into());
        }
        if let Some(returned) = &cell.returned {
            handoff.insert("returned".into(), returned.clone());
        }
        if let Some(issues) = &cell.issues {
            handoff.insert("issues".into(), issues.clone().into());
        }
        Value::Object(handoff)
    }
}
