//! Version 1 of every form. Released forms do not change.

mod event;
mod part;
mod row;

use serde::{Deserialize, Serialize};

use crate::event::EventKind;
use crate::state::Handoff;
use crate::stored::form::{Form, Read, Written};
use crate::view::WorkItemView;
use event::EventForm;
use row::{HandoffForm, ItemForm};

pub(super) use event::KINDS;

pub(super) const VERSION: u16 = 1;

const WRITES: &str = "a form has only text keys and writes to memory";

/// Serde names the kind around the rest, `{"step_claimed":{…}}`. The kind is stored beside it, so only the rest is kept.
pub(super) fn encode_event(kind: &EventKind) -> (&'static str, String) {
    let name = event::name(kind);
    let mut json = serde_json::to_string(&Written::<EventForm>(kind)).expect(WRITES);
    json.pop();
    json.drain(..opening(name).len());
    (name, json)
}

/// `kind` is one of `KINDS`.
pub(super) fn decode_event(kind: &str, json: &str) -> serde_json::Result<EventKind> {
    serde_json::from_str::<Read<EventForm>>(&(opening(kind) + json + "}")).map(|read| read.0)
}

fn opening(kind: &str) -> String {
    format!("{{\"{kind}\":")
}

/// A row keeps its form whole, so the form names its version itself.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Row<T> {
    V1(T),
}

fn encode_row<F: Form>(value: &F::Domain) -> String {
    serde_json::to_string(&Row::V1(Written::<F>(value))).expect(WRITES)
}

fn decode_row<F: Form>(json: &str) -> serde_json::Result<F::Domain> {
    let Row::V1(read) = serde_json::from_str::<Row<Read<F>>>(json)?;
    Ok(read.0)
}

pub(super) fn encode_item(item: &WorkItemView) -> String {
    encode_row::<ItemForm>(item)
}

pub(super) fn decode_item(json: &str) -> serde_json::Result<WorkItemView> {
    decode_row::<ItemForm>(json)
}

pub(super) fn encode_handoff(handoff: &Handoff) -> String {
    encode_row::<HandoffForm>(handoff)
}

pub(super) fn decode_handoff(json: &str) -> serde_json::Result<Handoff> {
    decode_row::<HandoffForm>(json)
}
