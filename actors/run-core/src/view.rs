//! What callers see of a run. The shapes of the wire are made from these elsewhere.

use std::sync::Arc;

use base::{Digest, Timestamp, WorkItemId};
use serde_json::Value;

use crate::decide::decisions;
use crate::event::Assigned;
use crate::plan::{Ask, Performer, Plan, Route, Work};
use crate::state::{End, Escalation, Handoff, Phase, RunState, Status, StepState};
use crate::words::{ClaimId, DecisionWord, EvidenceKind, Map, Mode, RunWord, StepId, StepKind, StepWord};

/// The run view of tools.md.
#[derive(Debug, Clone, PartialEq)]
pub struct RunView {
    /// The header: process, version, mode, who and when are read from it.
    pub run: Arc<RunState>,
    /// Run data.
    pub data: Value,
    /// The digest that decisions on any of `items` carry.
    pub snapshot: Digest,
    /// Every step, in file order.
    pub steps: Vec<StepView>,
    /// The open ones.
    pub items: Vec<WorkItemView>,
    /// The text for people and agents.
    pub body: Arc<str>,
}

/// A step in a run view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepView {
    /// Its name.
    pub id: StepId,
    /// Its kind.
    pub kind: StepKind,
    /// Where it stands; `None` when it is not reached now.
    pub state: Option<StepWord>,
    /// When it is due, while it is open.
    pub due: Option<Timestamp>,
    /// Whether that has passed.
    pub overdue: bool,
}

/// An open work item.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkItemView {
    /// Its id.
    pub id: WorkItemId,
    /// Its step.
    pub step: StepId,
    /// What kind of work it is about.
    pub kind: StepKind,
    /// What is to be done or approved.
    pub text: Arc<str>,
    /// What must be handed in.
    pub contract: Contract,
    /// What the attempt has left behind so far.
    pub handoff: Handoff,
    /// Whom it is for.
    pub assigned: Assigned,
    /// When it is due.
    pub due: Option<Timestamp>,
    /// Why it is with an operator, if it is.
    pub escalation: Option<Escalation>,
    /// Live or test.
    pub mode: Mode,
    /// The decisions that it offers.
    pub decisions: Vec<DecisionWord>,
}

/// What a submission must hold; all `None` for an approval.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contract {
    /// Declared fields.
    pub output: Option<Arc<Map>>,
    /// Evidence kinds.
    pub evidence: Option<Vec<EvidenceKind>>,
    /// Routes to choose from.
    pub routes: Option<Vec<Route>>,
}

/// What a claim gives.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimView {
    /// What the token stands for.
    pub claim: ClaimId,
    /// When the lease ends.
    pub expires_at: Timestamp,
    /// Live or test.
    pub mode: Mode,
    /// The step.
    pub step: StepId,
    /// What is to be done.
    pub instructions: Arc<str>,
    /// What must be handed in.
    pub contract: Contract,
    /// What the previous attempts left behind.
    pub handoff: Handoff,
    /// The text for people and agents.
    pub body: Arc<str>,
    /// Run data.
    pub data: Value,
    /// What the format adds.
    pub extensions: Option<Map>,
}

/// The view of a run whose deadlines have been applied.
pub fn run_view(plan: &dyn Plan, state: &Arc<RunState>, now: Timestamp) -> RunView {
    RunView {
        run: Arc::clone(state),
        data: state.data(),
        snapshot: state.snapshot(),
        steps: plan
            .steps()
            .iter()
            .map(|outline| step_view(&outline.id, outline.kind, state, now))
            .collect(),
        items: items(plan, state, now),
        body: Arc::clone(&plan.about().body),
    }
}

/// The open items, oldest first.
pub fn items(plan: &dyn Plan, state: &RunState, now: Timestamp) -> Vec<WorkItemView> {
    let mut items: Vec<_> = state
        .steps
        .iter()
        .filter_map(|(id, step)| item(plan, state, (id, step), now))
        .collect();
    items.sort_by_key(|item| item.id.number);
    items
}

pub(crate) fn item(
    plan: &dyn Plan,
    state: &RunState,
    (id, step): (&StepId, &StepState),
    now: Timestamp,
) -> Option<WorkItemView> {
    let item = step.item()?;
    let Ask::Work(work) = plan.ask(id, state) else {
        return None;
    };
    let (kind, contract) = match work.performer {
        Performer::Agent { .. } => (StepKind::Agent, contract(&work)),
        Performer::Task(_) => (StepKind::Task, contract(&work)),
        Performer::Approve(_) => (StepKind::Approve, Contract::default()),
    };
    let escalation = match &step.phase {
        Phase::Escalated { escalation, .. } => Some(escalation.clone()),
        _ => None,
    };
    Some(WorkItemView {
        id: state.item_id(item.number),
        step: id.clone(),
        kind,
        text: Arc::clone(&work.text),
        contract,
        handoff: step.handoff_at(now),
        assigned: item.assigned.clone(),
        due: step.due,
        escalation,
        mode: state.mode,
        decisions: decisions(step, &work).to_vec(),
    })
}

/// The view of a claim that the step still holds.
pub fn claim_view(plan: &dyn Plan, state: &RunState, step: &StepId, now: Timestamp) -> Option<ClaimView> {
    let held = state.step(step.as_str())?;
    let Phase::Claimed(claim) = &held.phase else {
        return None;
    };
    let Ask::Work(work) = plan.ask(step, state) else {
        return None;
    };
    Some(ClaimView {
        claim: ClaimId {
            run: state.run,
            number: claim.number,
            agent: claim.agent,
            key: claim.key,
        },
        expires_at: claim.expires_at,
        mode: state.mode,
        step: step.clone(),
        instructions: Arc::clone(&work.text),
        contract: contract(&work),
        handoff: held.handoff_at(now),
        body: Arc::clone(&plan.about().body),
        data: state.data(),
        extensions: work.extensions.clone(),
    })
}

/// Where a run stands.
pub fn state_word(state: &RunState) -> RunWord {
    let is_active = |step: &StepState| matches!(step.phase, Phase::Ready { .. } | Phase::Claimed(_));
    match &state.status {
        Status::Ended { .. } => RunWord::Ended,
        Status::Cancelled(_) => RunWord::Cancelled,
        Status::Running if state.steps.values().any(is_active) => RunWord::Active,
        Status::Running => RunWord::Waiting,
    }
}

/// The outcome, of a run that came to one.
pub fn outcome(state: &RunState) -> Option<&str> {
    match &state.status {
        Status::Ended { outcome, .. } => Some(outcome),
        Status::Running | Status::Cancelled(_) => None,
    }
}

/// How the run ended, if it did.
pub fn end(state: &RunState) -> Option<&End> {
    match &state.status {
        Status::Ended { end, .. } | Status::Cancelled(end) => Some(end),
        Status::Running => None,
    }
}

fn step_view(id: &StepId, kind: StepKind, state: &RunState, now: Timestamp) -> StepView {
    let step = state.step(id.as_str());
    let open = step.filter(|step| step.is_open());
    StepView {
        id: id.clone(),
        kind,
        state: step.and_then(|step| phase_word(&step.phase, now)),
        due: open.and_then(|step| step.due),
        overdue: open.is_some_and(|step| step.overdue),
    }
}

/// A claim whose lease has ended counts as ready, whether or not anything has fired.
fn phase_word(phase: &Phase, now: Timestamp) -> Option<StepWord> {
    match phase {
        Phase::Unreached => None,
        Phase::Claimed(claim) if claim.is_live(now) => Some(StepWord::Claimed),
        Phase::Ready { .. } | Phase::Claimed(_) => Some(StepWord::Ready),
        Phase::Assigned(_)
        | Phase::Escalated { .. }
        | Phase::Sleeping { .. }
        | Phase::Listening { .. }
        | Phase::Held => Some(StepWord::Waiting),
        Phase::Done => Some(StepWord::Done),
        Phase::Failed => Some(StepWord::Failed),
        Phase::Cancelled => Some(StepWord::Cancelled),
    }
}

fn contract(work: &Work) -> Contract {
    Contract {
        output: work.output.clone(),
        evidence: (!work.evidence.is_empty()).then(|| work.evidence.clone()),
        routes: work.routes.clone(),
    }
}
