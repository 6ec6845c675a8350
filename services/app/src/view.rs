//! From what the core shows to the shapes of the wire.

use base::OrganizationId;
use contracts::{self as wire, ErrorCode, ToolError};
use run_core::event::Assigned;
use run_core::plan::Route;
use run_core::state::{Escalation, Handoff};
use run_core::view::{self, ClaimView, Contract, RunView, StepView, WorkItemView};
use run_core::{ClaimId, DecisionWord, EvidenceKind, Mode, Rendered, RunWord, StepKind, StepWord};
use serde_json::{Map, Value};

use crate::SigningKeys;

/// The run view of an answer.
pub(crate) fn run_of(rendered: Rendered) -> Result<wire::RunView, ToolError> {
    match rendered {
        Rendered::Run(view) => Ok(run(view)),
        Rendered::Claim(_) | Rendered::Renewal { .. } | Rendered::Sent { .. } => Err(mismatch()),
    }
}

/// A request recorded for one tool cannot be answered as another: the tool is part of its key.
pub(crate) fn mismatch() -> ToolError {
    tracing::error!("a request was answered in the shape of another tool");
    ToolError::new(
        ErrorCode::Retry,
        "The server failed on this request; it has been logged.",
    )
}

/// A run view.
pub(crate) fn run(seen: RunView) -> wire::RunView {
    let state = &*seen.run;
    let snapshot = seen.snapshot.to_string();
    wire::RunView {
        run: wire::Run {
            id: state.run.to_string(),
            process: state.process.clone(),
            version: u64::from(state.version),
            mode: mode(state.mode),
            state: run_state(view::state_word(state)),
            outcome: view::outcome(state).map(str::to_owned),
            ended: view::end(state).map(|end| wire::Ended {
                by: end.by.to_string(),
                at: end.at.to_string(),
                note: end.note.clone(),
            }),
            started_by: state.started_by.to_string(),
            started_at: state.started_at.to_string(),
            updated_at: state.updated_at.to_string(),
        },
        data: run_data(seen.data),
        steps: seen.steps.iter().map(step).collect(),
        work_items: seen
            .items
            .into_iter()
            .map(|item| work_item(item, &snapshot))
            .collect(),
        body: seen.body.to_string(),
    }
}

/// Run data, taken apart.
fn run_data(data: Value) -> wire::RunData {
    let mut data = match data {
        Value::Object(data) => data,
        _ => Map::new(),
    };
    let mut part = |key: &str| match data.remove(key) {
        Some(Value::Object(part)) => part,
        _ => Map::new(),
    };
    wire::RunData {
        inputs: part("inputs"),
        steps: part("steps"),
    }
}

fn step(step: &StepView) -> wire::StepView {
    wire::StepView {
        id: step.id.to_string(),
        kind: step_kind(step.kind),
        state: step.state.map(step_state),
        overdue: step.due.map(|_| step.overdue),
        due: step.due.map(|due| due.to_string()),
    }
}

/// A work item; the snapshot is the run's.
pub(crate) fn work_item(item: WorkItemView, snapshot: &str) -> wire::WorkItem {
    let id = item.id.to_string();
    let contract = contract(item.contract);
    let decisions = item.decisions.into_iter().map(decision).collect();
    wire::WorkItem {
        decide: wire::DecideCall::new(&item.id.run.to_string(), &id, snapshot, decisions),
        id,
        step_id: item.step.to_string(),
        kind: match item.kind {
            StepKind::Agent => wire::WorkItemKind::Agent,
            StepKind::Approve => wire::WorkItemKind::Approve,
            // Nobody but the server works on the others: no item is ever about one.
            StepKind::Task
            | StepKind::Wait
            | StepKind::WaitUntil
            | StepKind::WaitFor
            | StepKind::Finish
            | StepKind::Parallel => wire::WorkItemKind::Task,
        },
        text: item.text.to_string(),
        output: contract.output,
        evidence: contract.evidence,
        next: contract.next,
        handoff: handoff(item.handoff),
        assigned_to: match item.assigned {
            Assigned::Group { group, .. } => wire::Assignee::Group(group.to_string()),
            Assigned::Person { value, .. } => wire::Assignee::Person(value),
        },
        snapshot: snapshot.to_owned(),
        due: item.due.map(|due| due.to_string()),
        escalation: item.escalation.map(escalation),
        mode: (item.mode == Mode::Test).then_some(wire::Mode::Test),
    }
}

/// What a claim gives, with its token signed.
pub(crate) fn claim(
    keys: &SigningKeys,
    organization: OrganizationId,
    seen: ClaimView,
) -> Result<wire::claim::Data, ToolError> {
    let contract = contract(seen.contract);
    Ok(wire::claim::Data {
        token: token(keys, organization, &seen.claim)?,
        expires_at: seen.expires_at.to_string(),
        mode: mode(seen.mode),
        step: wire::claim::Step {
            id: seen.step.to_string(),
            instructions: seen.instructions.to_string(),
            output: contract.output,
            evidence: contract.evidence,
            next: contract.next,
        },
        handoff: handoff(seen.handoff),
        body: seen.body.to_string(),
        data: run_data(seen.data),
        extensions: seen.extensions,
    })
}

/// The token of a claim.
pub(crate) fn token(
    keys: &SigningKeys,
    organization: OrganizationId,
    claim: &ClaimId,
) -> Result<String, ToolError> {
    keys.claim_token(organization, claim).ok_or_else(|| {
        tracing::error!(key = claim.key.0, "the key of a claim token is gone");
        ToolError::new(
            ErrorCode::Stale,
            "The key that signed this claim's token has been retired; claim the step again.",
        )
    })
}

/// A handoff, `None` when nothing was left.
pub(crate) fn handoff(handoff: Handoff) -> Option<wire::Handoff> {
    (!handoff.is_empty()).then(|| wire::Handoff {
        progress: handoff.progress,
        returned: handoff.returned.map(|returned| wire::Returned {
            note: returned.note,
            by: returned.by.to_string(),
            at: returned.at.to_string(),
        }),
        issues: handoff.issues,
        check: None,
    })
}

/// Live or test.
pub(crate) fn mode(mode: Mode) -> wire::Mode {
    match mode {
        Mode::Live => wire::Mode::Live,
        Mode::Test => wire::Mode::Test,
    }
}

struct WireContract {
    output: Option<Map<String, Value>>,
    evidence: Option<Vec<wire::EvidenceKind>>,
    next: Option<Vec<wire::Route>>,
}

fn contract(contract: Contract) -> WireContract {
    WireContract {
        output: contract.output.map(|output| (*output).clone()),
        evidence: contract
            .evidence
            .map(|kinds| kinds.into_iter().map(evidence_kind).collect()),
        next: contract
            .routes
            .map(|routes| routes.into_iter().map(route).collect()),
    }
}

fn route(route: Route) -> wire::Route {
    wire::Route {
        to: route.to,
        when: route.when,
    }
}

fn evidence_kind(kind: EvidenceKind) -> wire::EvidenceKind {
    match kind {
        EvidenceKind::File => wire::EvidenceKind::File,
        EvidenceKind::Link => wire::EvidenceKind::Link,
    }
}

fn escalation(escalation: Escalation) -> wire::Escalation {
    wire::Escalation {
        note: escalation.note,
        by: escalation.by.to_string(),
        at: escalation.at.to_string(),
        check: None,
        candidate: None,
    }
}

/// Where a run stands.
pub(crate) fn run_state(word: RunWord) -> wire::RunState {
    match word {
        RunWord::Active => wire::RunState::Active,
        RunWord::Waiting => wire::RunState::Waiting,
        RunWord::Ended => wire::RunState::Ended,
        RunWord::Cancelled => wire::RunState::Cancelled,
    }
}

fn step_state(word: StepWord) -> wire::StepState {
    match word {
        StepWord::Ready => wire::StepState::Ready,
        StepWord::Claimed => wire::StepState::Claimed,
        StepWord::Waiting => wire::StepState::Waiting,
        StepWord::Done => wire::StepState::Done,
        StepWord::Failed => wire::StepState::Failed,
        StepWord::Cancelled => wire::StepState::Cancelled,
    }
}

fn step_kind(kind: StepKind) -> wire::StepKind {
    match kind {
        StepKind::Agent => wire::StepKind::Agent,
        StepKind::Task => wire::StepKind::Task,
        StepKind::Approve => wire::StepKind::Approve,
        StepKind::Wait => wire::StepKind::Wait,
        StepKind::WaitUntil => wire::StepKind::WaitUntil,
        StepKind::WaitFor => wire::StepKind::WaitFor,
        StepKind::Finish => wire::StepKind::Finish,
        StepKind::Parallel => wire::StepKind::Parallel,
    }
}

fn decision(word: DecisionWord) -> wire::Decision {
    match word {
        DecisionWord::Completed => wire::Decision::Completed,
        DecisionWord::Approved => wire::Decision::Approved,
        DecisionWord::Rejected => wire::Decision::Rejected,
        DecisionWord::Returned => wire::Decision::Returned,
        DecisionWord::Failed => wire::Decision::Failed,
    }
}
