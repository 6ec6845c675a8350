//! Run data: `inputs` and `steps` as everybody who works the run sees them (core-2 §3.1).

use base::{Digest, Timestamp};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::event::SentEvent;
use crate::evolve::delivered;
use crate::state::{EvidenceItem, Record, RecordedDecision, RunState};
use crate::words::Map;

impl RunState {
    /// Run data as JSON.
    pub fn data(&self) -> Value {
        let mut data = Map::new();
        data.insert("inputs".to_owned(), Value::Object((*self.inputs).clone()));
        data.insert("steps".to_owned(), Value::Object(self.step_data()));
        Value::Object(data)
    }

    /// The digest that a decision carries: of run data and the Plan's memory, without addresses, handoffs and leases
    /// (process.md §5).
    pub fn snapshot(&self) -> Digest {
        Digest::new(Sha256::digest(self.data_text()).into())
    }

    /// How much of `limits.runDataBytes` is used: compact UTF-8 JSON (process.md §9.7), and the Plan's memory.
    pub fn data_bytes(&self) -> usize {
        self.data_text().len()
    }

    /// The same with what held events will take when steps with ids of at most so many bytes consume them: they count towards
    /// the limit (process.md §9.14).
    pub(crate) fn data_bytes_with_held(&self, step_id_bytes: usize) -> usize {
        let held = self
            .held
            .iter()
            .map(|event| recorded_bytes(event) + step_id_bytes);
        self.data_bytes() + held.sum::<usize>()
    }

    /// Keys sorted, numbers as spelled. A Plan without memory adds nothing.
    fn data_text(&self) -> String {
        let mut text = self.data().to_string();
        if !self.memory.is_null() {
            text += &self.memory.to_string();
        }
        text
    }

    fn step_data(&self) -> Map {
        self.steps
            .iter()
            .filter(|(_, step)| step.record.is_some() || !step.history.is_empty())
            .map(|(id, step)| {
                let mut fields = step.record.as_deref().map(Record::fields).unwrap_or_default();
                let history = step
                    .history
                    .iter()
                    .map(|record| Value::Object(record.fields()))
                    .collect();
                fields.insert("history".to_owned(), Value::Array(history));
                (id.to_string(), Value::Object(fields))
            })
            .collect()
    }
}

/// What the event will take in run data, but for the id of the step that will record it.
fn recorded_bytes(event: &SentEvent) -> usize {
    let record = Value::Object(delivered(event, Timestamp::MAX).fields());
    r#","":,"history":[]"#.len() + record.to_string().len()
}

impl Record {
    /// The fields of the record on the wire. What was not recorded is absent, never null.
    pub fn fields(&self) -> Map {
        let mut fields = Map::new();
        let mut set = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                fields.insert(key.to_owned(), value);
            }
        };
        set(
            "output",
            self.output.as_deref().map(|output| Value::Object(output.clone())),
        );
        set(
            "evidence",
            self.evidence
                .as_ref()
                .map(|items| items.iter().map(EvidenceItem::fields).collect()),
        );
        set("summary", self.summary.clone().map(Value::String));
        set("next", self.next.clone().map(Value::String));
        set("reason", self.reason.clone().map(Value::String));
        set("decision", self.decision.map(|decision| decision.as_str().into()));
        set("note", self.note.clone().map(Value::String));
        set("by", Some(self.by.to_string().into()));
        set("at", Some(self.at.to_string().into()));
        fields
    }
}

impl EvidenceItem {
    fn fields(&self) -> Value {
        let mut fields = json!({ "kind": self.kind.as_str(), "ref": self.reference });
        if let (Some(fields), Some(sha256)) = (fields.as_object_mut(), &self.sha256) {
            fields.insert("sha256".to_owned(), sha256.as_str().into());
        }
        fields
    }
}

impl RecordedDecision {
    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
        }
    }
}
