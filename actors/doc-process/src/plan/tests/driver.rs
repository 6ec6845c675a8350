//! Drives a run of a process with one agent and one person, and shows it in a line.

use std::sync::Arc;
use std::time::Duration;

use base::{AgentId, AgentRights, Caller, GroupId, PersonId, PersonRole, RunId, Scope, Timestamp, Ulid};
use run_core::command::{Lease, Verdict};
use run_core::event::Assigned;
use run_core::plan::Starter;
use run_core::state::{Phase, RunLimits, Status, StepState, Submission};
use run_core::{
    Actor, ClaimId, Command, Decision, KeyId, Known, Map, Mode, Plan as _, Refusal, RunState, StartRun,
    decide, start,
};

use crate::ProcessPlan;

pub(super) struct Run {
    plan: ProcessPlan,
    state: RunState,
    now: Timestamp,
    known: Known,
}

fn agent() -> AgentId {
    AgentId::new(Ulid::from(1_u128))
}

fn person() -> PersonId {
    PersonId::new(Ulid::from(2_u128))
}

fn agent_caller() -> Caller {
    Caller::Agent {
        id: agent(),
        acting_for: None,
        rights: AgentRights {
            start: Scope::All,
            work: Scope::All,
        },
    }
}

fn person_caller() -> Caller {
    Caller::Person {
        id: person(),
        email: "mira@example.com".to_owned(),
        role: PersonRole::Member,
    }
}

fn object(text: &str) -> Arc<Map> {
    Arc::new(serde_json::from_str(text).expect("the cases are JSON objects"))
}

fn plan(inputs: &str, steps: &str) -> ProcessPlan {
    let source =
        format!("---\nname: demo\ndescription: A demonstration.\n{inputs}\nsteps:\n{steps}\n---\nBody.\n");
    let checked = crate::check(source.as_bytes(), None);
    ProcessPlan::new(
        checked
            .document
            .unwrap_or_else(|| panic!("{:?}", checked.problems)),
    )
}

fn starter() -> Starter {
    Starter {
        by: Actor::Agent(agent()),
        initiator: None,
    }
}

/// The issues of a start by an agent.
pub(super) fn issues_of_start(inputs: &str, steps: &str, values: &str) -> Vec<String> {
    plan(inputs, steps)
        .start(&object(values), &starter())
        .err()
        .unwrap_or_default()
        .into_vec()
}

impl Run {
    /// Starts a run at the epoch, without inputs.
    pub(super) fn start(steps: &str) -> Self {
        let plan = plan("inputs: {}", steps);
        let command = StartRun {
            run: RunId::new(Ulid::from(3_u128)),
            version: 1,
            mode: Mode::Live,
            inputs: object("{}"),
            starter: starter(),
            limits: RunLimits {
                run_data_bytes: 262_144,
            },
        };
        let mut known = Known::default();
        let group = Assigned::Group {
            group: GroupId::new(Ulid::from(4_u128)),
            members: vec![person()],
        };
        known.note_role("finance".to_owned(), Some(group));
        let now = Timestamp::from_millis(0);
        match start(&plan, &command, now, &known) {
            Ok(Decision::Accepted(written)) => Self {
                plan,
                state: written.state,
                now,
                known,
            },
            other => panic!("the start must be accepted: {other:?}"),
        }
    }

    pub(super) fn advance_minutes(&mut self, minutes: u64) {
        self.now = self.now.after(Duration::from_secs(60 * minutes));
    }

    /// Claims and submits; the submission must be accepted.
    #[track_caller]
    pub(super) fn submit(&mut self, step: &str, output: &str, next: Option<&str>) {
        if let Err(refusal) = self.try_submit(step, output, next) {
            panic!("{step} must be accepted: {refusal:?}");
        }
    }

    /// Claims and submits; the submission must be refused with these issues. The claim stays.
    pub(super) fn refused(&mut self, step: &str, output: &str, next: Option<&str>) -> Vec<String> {
        match self.try_submit(step, output, next) {
            Err(Refusal::NotAccepted(issues)) => issues,
            other => panic!("{step} must not be accepted: {other:?}"),
        }
    }

    fn try_submit(&mut self, step: &str, output: &str, next: Option<&str>) -> Result<(), Refusal> {
        let lease = Lease {
            duration: Duration::from_mins(10),
            key: KeyId(0),
        };
        if !matches!(self.step(step).phase, Phase::Claimed(_)) {
            self.perform(&Command::Claim {
                step: step.to_owned(),
                by: agent_caller(),
                lease,
            })?;
        }
        let Phase::Claimed(claim) = &self.step(step).phase else {
            panic!("{step} must be claimed")
        };
        let claim = ClaimId {
            run: self.state.run,
            number: claim.number,
            agent: agent(),
            key: KeyId(0),
        };
        let submission = Submission {
            output: object(output),
            evidence: Vec::new(),
            summary: Some("done".to_owned()),
            next: next.map(str::to_owned),
            reason: next.map(|_| "because".to_owned()),
        };
        self.perform(&Command::Submit {
            claim,
            by: agent_caller(),
            submission,
        })
    }

    #[track_caller]
    pub(super) fn approve(&mut self, step: &str) {
        self.decide(step, Verdict::Approved { note: None });
    }

    #[track_caller]
    pub(super) fn reject(&mut self, step: &str, note: &str) {
        self.decide(
            step,
            Verdict::Rejected {
                note: note.to_owned(),
            },
        );
    }

    #[track_caller]
    fn decide(&mut self, step: &str, verdict: Verdict) {
        let item = self
            .step(step)
            .item()
            .map(|item| self.state.item_id(item.number).to_string());
        let item = item.unwrap_or_else(|| panic!("{step} must have an item: {}", self.states()));
        let snapshot = self.state.snapshot().to_string();
        if let Err(refusal) = self.perform(&Command::Decide {
            item,
            by: person_caller(),
            snapshot,
            verdict,
        }) {
            panic!("the decision on {step} must be accepted: {refusal:?}");
        }
    }

    fn perform(&mut self, command: &Command) -> Result<(), Refusal> {
        match decide(&self.plan, &self.state, command, self.now, &self.known) {
            Decision::Accepted(written) => {
                self.state = written.state;
                Ok(())
            }
            Decision::Refused { written, refusal } => {
                self.state = written.state;
                Err(refusal)
            }
            Decision::Needs(queries) => panic!("unexpected questions: {queries:?}"),
        }
    }

    fn step(&self, step: &str) -> &StepState {
        self.state
            .step(step)
            .unwrap_or_else(|| panic!("{step} was never reached: {}", self.states()))
    }

    fn in_file_order(&self, shown: impl Fn(&StepState) -> Option<String>) -> String {
        let steps = self.plan.steps().iter().filter_map(|outline| {
            let shown = shown(self.state.step(outline.id.as_str())?)?;
            Some(format!("{}:{shown}", outline.id))
        });
        steps.collect::<Vec<_>>().join(" ")
    }

    /// The reached steps with their states.
    pub(super) fn states(&self) -> String {
        self.in_file_order(|step| {
            let word = match &step.phase {
                Phase::Unreached => return None,
                Phase::Ready { .. } => "ready",
                Phase::Claimed(_) => "claimed",
                Phase::Done => "done",
                Phase::Failed => "failed",
                Phase::Cancelled => "cancelled",
                _ => "waiting",
            };
            Some(word.to_owned())
        })
    }

    /// The steps with anything recorded: how many current records and how many earlier ones.
    pub(super) fn records(&self) -> String {
        self.in_file_order(|step| {
            let (current, earlier) = (usize::from(step.record.is_some()), step.history.len());
            (current + earlier > 0).then(|| format!("{current}+{earlier}"))
        })
    }

    /// How the run ended.
    pub(super) fn end(&self) -> String {
        let Status::Ended { outcome, end } = &self.state.status else {
            return "running".to_owned();
        };
        let by = match end.by {
            Actor::Server => "server",
            Actor::Person(_) => "person",
            Actor::Agent(_) => "agent",
        };
        let note = end
            .note
            .as_ref()
            .map(|note| format!(": {note}"))
            .unwrap_or_default();
        format!("{outcome} by {by}{note}")
    }

    /// When a step is due, in minutes since the start.
    pub(super) fn due_minutes(&self, step: &str) -> Option<i64> {
        self.step(step).due.map(|due| due.as_millis() / 60_000)
    }
}
