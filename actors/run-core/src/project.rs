//! What lists and timers need of a run, as rows: written in the same transaction as its events, derived from its state alone.

use base::{AgentId, Digest, Timestamp};

use crate::event::Reserved;
use crate::plan::Plan;
use crate::search::input_digests;
use crate::settle;
use crate::state::{Handoff, Phase, RunState, StepState};
use crate::view::{self, WorkItemView};
use crate::words::{Actor, Map, Mode, RunWord, StepId};

/// The row of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    /// The process.
    pub process: String,
    /// Its version.
    pub version: u32,
    /// Live or test.
    pub mode: Mode,
    /// Where it stands.
    pub state: RunWord,
    /// Its outcome.
    pub outcome: Option<String>,
    /// Who started it.
    pub started_by: Actor,
    /// When.
    pub started_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// What it was started with.
    pub inputs: std::sync::Arc<Map>,
    /// The digest that decisions carry.
    pub snapshot: Digest,
    /// When it next changes by itself: the run's one timer.
    pub next_deadline: Option<Timestamp>,
}

/// A step that an agent may claim, now or when its lease or reservation ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The step.
    pub step: StepId,
    /// `readySince`; after a lapsed lease still the original one (process.md §9.13).
    pub ready_since: Timestamp,
    /// From when on it can be claimed: `Timestamp::MIN` at once, whatever the reader's clock says, or when the present lease ends.
    pub available_at: Timestamp,
    /// When it is due.
    pub due: Option<Timestamp>,
    /// Whether that has passed.
    pub overdue: bool,
    /// What a claim would find.
    pub handoff: Handoff,
    /// Who holds it.
    pub holder: Option<AgentId>,
    /// For whom it is kept for a while.
    pub reserved: Option<Reserved>,
}

/// An open work item, as the lists of people show it.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemRow {
    /// When it opened.
    pub opened_at: Timestamp,
    /// All that is shown, but for the run's snapshot.
    pub item: WorkItemView,
}

/// What a write changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// The run's row, whole.
    pub run: RunRow,
    /// Offers that are new or different.
    pub offers_put: Vec<Offer>,
    /// Steps that are no longer offered.
    pub offers_gone: Vec<StepId>,
    /// Items that are new or different.
    pub items_put: Vec<ItemRow>,
    /// Numbers of items that are no longer open.
    pub items_gone: Vec<u32>,
    /// What the run will be found by; of a new run only, since inputs never change.
    pub inputs: Vec<Digest>,
}

/// The rows of a run, whole.
pub fn rows(plan: &dyn Plan, state: &RunState) -> Changes {
    changes(plan, None, state)
}

/// What turns the rows of `before` into those of `after`.
pub fn changes(plan: &dyn Plan, before: Option<&RunState>, after: &RunState) -> Changes {
    let mut changes = Changes {
        run: run_row(after),
        offers_put: Vec::new(),
        offers_gone: Vec::new(),
        items_put: Vec::new(),
        items_gone: Vec::new(),
        inputs: match before {
            None => input_digests(&plan.about().inputs, &after.inputs),
            Some(_) => Vec::new(),
        },
    };
    for (id, step) in &after.steps {
        let old = before.and_then(|before| Some((before, before.steps.get(id)?)));
        let old_offer = old.and_then(|(_, old)| offer(id, old));
        let old_item = old.and_then(|(before, old)| item_row(plan, before, (id, old)));
        match offer(id, step) {
            None => changes.offers_gone.extend(old_offer.map(|old| old.step)),
            new if new == old_offer => {}
            Some(new) => changes.offers_put.push(new),
        }
        let new_item = item_row(plan, after, (id, step));
        let number = |row: &ItemRow| row.item.id.number;
        if new_item.as_ref().map(number) != old_item.as_ref().map(number) {
            changes.items_gone.extend(old_item.as_ref().map(number));
        }
        changes
            .items_put
            .extend(new_item.filter(|new| Some(new) != old_item.as_ref()));
    }
    changes
}

/// What the item shows may depend on more than its step: the Plan is asked about the whole run.
fn item_row(plan: &dyn Plan, state: &RunState, (id, step): (&StepId, &StepState)) -> Option<ItemRow> {
    Some(ItemRow {
        opened_at: step.since,
        item: view::item(plan, state, (id, step), state.last_at)?,
    })
}

fn run_row(state: &RunState) -> RunRow {
    RunRow {
        process: state.process.clone(),
        version: state.version,
        mode: state.mode,
        state: view::state_word(state),
        outcome: view::outcome(state).map(str::to_owned),
        started_by: state.started_by,
        started_at: state.started_at,
        updated_at: state.updated_at,
        inputs: std::sync::Arc::clone(&state.inputs),
        snapshot: state.snapshot(),
        next_deadline: settle::next_deadline(state),
    }
}

fn offer(id: &StepId, step: &StepState) -> Option<Offer> {
    let offer = Offer {
        step: id.clone(),
        ready_since: step.since,
        available_at: Timestamp::MIN,
        due: step.due,
        overdue: step.overdue,
        handoff: step.handoff.clone(),
        holder: None,
        reserved: None,
    };
    match &step.phase {
        Phase::Ready { reserved } => Some(Offer {
            reserved: *reserved,
            ..offer
        }),
        Phase::Claimed(claim) => Some(Offer {
            available_at: claim.expires_at,
            handoff: step.handoff_at(claim.expires_at),
            holder: Some(claim.agent),
            ..offer
        }),
        _ => None,
    }
}
