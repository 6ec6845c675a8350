//! Drives a run of a process with one agent, one member and one operator, and shows it in a line.

mod shown;

use std::sync::Arc;
use std::time::Duration;

use base::{AgentId, AgentRights, Caller, GroupId, PersonId, PersonRole, RunId, Scope, Timestamp, Ulid};
use run_core::command::{Lease, Verdict};
use run_core::event::{Assigned, DeliveredFrom, Event, EventKind};
use run_core::plan::Starter;
use run_core::state::{Initiator, Phase, RunLimits, StepState, Submission};
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
    journal: Vec<Event>,
}

fn agent() -> AgentId {
    AgentId::new(Ulid::from(1_u128))
}

fn person() -> PersonId {
    PersonId::new(Ulid::from(2_u128))
}

fn operator() -> PersonId {
    PersonId::new(Ulid::from(5_u128))
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

fn operator_caller() -> Caller {
    Caller::Person {
        id: operator(),
        email: "olga@example.com".to_owned(),
        role: PersonRole::Operator,
    }
}

/// The role `finance` is mira, and nobody has the address of gone@example.com.
fn directory() -> Known {
    let group = |person| Assigned::Group {
        group: GroupId::new(Ulid::from(4_u128)),
        members: vec![person],
    };
    let mut known = Known::default();
    known.note_role("finance".to_owned(), Some(group(person())));
    known.note_operators(group(operator()));
    known.note_member("mira@example.com".to_owned(), Some(person()));
    known.note_member("gone@example.com".to_owned(), None);
    known
}

pub(super) fn object(text: &str) -> Arc<Map> {
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

fn submission(output: &str, next: Option<&str>) -> Submission {
    Submission {
        output: object(output),
        evidence: Vec::new(),
        summary: Some("done".to_owned()),
        next: next.map(str::to_owned),
        reason: next.map(|_| "because".to_owned()),
    }
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
    /// Starts a run at the epoch, by the agent and without inputs.
    pub(super) fn start(steps: &str) -> Self {
        Self::start_with("inputs: {}", steps, "{}")
    }

    /// The same with inputs.
    pub(super) fn start_with(inputs: &str, steps: &str, values: &str) -> Self {
        Self::start_by(starter(), plan(inputs, steps), values)
    }

    /// The same by the member.
    pub(super) fn start_by_person(steps: &str) -> Self {
        let starter = Starter {
            by: Actor::Person(person()),
            initiator: Some(Initiator {
                person: person(),
                email: "mira@example.com".to_owned(),
            }),
        };
        Self::start_by(starter, plan("inputs: {}", steps), "{}")
    }

    fn start_by(starter: Starter, plan: ProcessPlan, values: &str) -> Self {
        let command = StartRun {
            run: RunId::new(Ulid::from(3_u128)),
            version: 1,
            mode: Mode::Live,
            inputs: object(values),
            starter,
            limits: RunLimits {
                run_data_bytes: 262_144,
            },
        };
        let (now, known) = (Timestamp::from_millis(0), directory());
        match start(&plan, &command, now, &known) {
            Ok(Decision::Accepted(written)) => Self {
                plan,
                state: written.state,
                now,
                known,
                journal: written.events,
            },
            other => panic!("the start must be accepted: {other:?}"),
        }
    }

    /// Lets time pass, and nobody looks.
    pub(super) fn clock_minutes(&mut self, minutes: u64) {
        self.now = self.now.after(Duration::from_mins(minutes));
    }

    /// Lets time pass, and looks at the run then.
    pub(super) fn advance_minutes(&mut self, minutes: u64) {
        self.clock_minutes(minutes);
        self.settle();
    }

    fn settle(&mut self) {
        if let Err(refusal) = self.perform(&Command::Settle) {
            panic!("a look must be accepted: {refusal:?}");
        }
    }

    /// Claims and submits nothing but a summary.
    #[track_caller]
    pub(super) fn work(&mut self, step: &str) {
        self.submit(step, "{}", None);
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
        let claim = self.claim(step)?;
        self.perform(&Command::Submit {
            claim,
            by: agent_caller(),
            submission: submission(output, next),
        })
    }

    /// The agent's claim, a new one unless it holds the step.
    fn claim(&mut self, step: &str) -> Result<ClaimId, Refusal> {
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
        Ok(ClaimId {
            run: self.state.run,
            number: claim.number,
            agent: agent(),
            key: KeyId(0),
        })
    }

    /// Claims, and gives up.
    #[track_caller]
    pub(super) fn escalate(&mut self, step: &str) {
        let claim = self.claim(step);
        let escalated = claim.and_then(|claim| {
            let (by, note) = (agent_caller(), "I cannot".to_owned());
            self.perform(&Command::Escalate { claim, by, note })
        });
        if let Err(refusal) = escalated {
            panic!("the escalation of {step} must be accepted: {refusal:?}");
        }
    }

    /// A person completes a task or an escalated step.
    #[track_caller]
    pub(super) fn complete(&mut self, step: &str, output: &str, next: Option<&str>) {
        self.complete_as(step, submission(output, next));
    }

    /// The same with all that a person may hand in.
    #[track_caller]
    pub(super) fn complete_as(&mut self, step: &str, submission: Submission) {
        self.decide(step, Verdict::Completed(submission));
    }

    /// A person completes a task; it must be refused with these issues.
    pub(super) fn refused_completion(&mut self, step: &str, submission: Submission) -> Vec<String> {
        match self.try_decide(step, Verdict::Completed(submission)) {
            Err(Refusal::NotAccepted(issues)) => issues,
            other => panic!("{step} must not be accepted: {other:?}"),
        }
    }

    fn try_send(&mut self, name: &str, data: Option<&str>) -> Result<Vec<Event>, Refusal> {
        self.write(&Command::SendEvent {
            by: agent_caller(),
            name: name.to_owned(),
            data: data.map(object),
        })
    }

    /// Sends an event that must be refused as invalid with these issues.
    pub(super) fn refused_event(&mut self, name: &str) -> Vec<String> {
        match self.try_send(name, None) {
            Err(Refusal::Invalid(issues)) => issues,
            other => panic!("the event {name} must not be accepted: {other:?}"),
        }
    }

    /// Sends an event, and tells which step consumed it.
    pub(super) fn send(&mut self, name: &str, data: Option<&str>) -> Option<String> {
        let sent = self.try_send(name, data);
        let events = sent.unwrap_or_else(|refusal| panic!("the event {name} must be accepted: {refusal:?}"));
        events.iter().find_map(|event| match &event.kind {
            EventKind::EventDelivered {
                step,
                from: DeliveredFrom::Sender,
                ..
            } => Some(step.to_string()),
            _ => None,
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
    pub(super) fn fail(&mut self, step: &str, note: &str) {
        self.decide(
            step,
            Verdict::Failed {
                note: note.to_owned(),
            },
        );
    }

    /// The operator gives an escalated step back.
    #[track_caller]
    pub(super) fn hand_back(&mut self, step: &str, note: &str) {
        self.decide(
            step,
            Verdict::Returned {
                note: note.to_owned(),
            },
        );
    }

    #[track_caller]
    pub(super) fn decide(&mut self, step: &str, verdict: Verdict) {
        if let Err(refusal) = self.try_decide(step, verdict) {
            panic!("the decision on {step} must be accepted: {refusal:?}");
        }
    }

    fn try_decide(&mut self, step: &str, verdict: Verdict) -> Result<(), Refusal> {
        self.settle();
        let by = match self.step(step).phase {
            Phase::Escalated { .. } => operator_caller(),
            _ => person_caller(),
        };
        let item = self
            .step(step)
            .item()
            .map(|item| self.state.item_id(item.number).to_string());
        let item = item.unwrap_or_else(|| panic!("{step} must have an item: {}", self.states()));
        let snapshot = self.state.snapshot().to_string();
        self.perform(&Command::Decide {
            item,
            by,
            snapshot,
            verdict,
        })
    }

    fn perform(&mut self, command: &Command) -> Result<(), Refusal> {
        self.write(command).map(|_| ())
    }

    /// Decides a command, keeps what it comes to, and gives the events that it wrote.
    fn write(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        match decide(&self.plan, &self.state, command, self.now, &self.known) {
            Decision::Accepted(written) => {
                self.state = written.state;
                self.journal.extend(written.events.iter().cloned());
                Ok(written.events)
            }
            Decision::Refused { written, refusal } => {
                self.state = written.state;
                self.journal.extend(written.events);
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
}
