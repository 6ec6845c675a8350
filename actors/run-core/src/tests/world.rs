//! A run under test. Every step it takes is held against what must always be so.

mod people;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use base::{Caller, Timestamp};
use serde_json::Value;

use crate::command::{Adjustment, Verdict};
use crate::event::{Event, EventKind};
use crate::project::{Changes, ItemRow, Offer, RunRow, changes, rows};
use crate::state::{StepState, Submission};
use crate::view::{ClaimView, RunView, WorkItemView, run_view};
use crate::{
    Actor, ClaimId, Command, Decision, Known, Plan, Query, Refusal, Rendered, RunState, StartRun, StepWord,
    Written, decide, render, start,
};

pub(super) use people::*;

pub(super) struct World<'p> {
    pub(super) plan: &'p dyn Plan,
    pub(super) state: Arc<RunState>,
    pub(super) journal: Vec<Event>,
    pub(super) now: Timestamp,
    pub(super) known: Known,
    /// Every answer given: first and last event, the instant, and what was shown.
    answers: Vec<(u64, u64, Timestamp, Rendered)>,
    rows: Rows,
}

/// The rows as a store would have them.
#[derive(Debug, PartialEq)]
struct Rows {
    run: RunRow,
    offers: BTreeMap<String, Offer>,
    items: BTreeMap<u32, ItemRow>,
}

impl Rows {
    fn new(whole: Changes) -> Self {
        let mut rows = Self {
            run: whole.run.clone(),
            offers: BTreeMap::new(),
            items: BTreeMap::new(),
        };
        rows.apply(whole);
        rows
    }

    fn apply(&mut self, changes: Changes) {
        self.run = changes.run;
        self.offers
            .retain(|step, _| !changes.offers_gone.iter().any(|gone| gone.as_str() == step));
        self.items
            .retain(|number, _| !changes.items_gone.contains(number));
        self.offers.extend(
            changes
                .offers_put
                .into_iter()
                .map(|offer| (offer.step.to_string(), offer)),
        );
        self.items
            .extend(changes.items_put.into_iter().map(|row| (row.item.id.number, row)));
    }
}

impl<'p> World<'p> {
    pub(super) fn new(plan: &'p dyn Plan) -> Self {
        Self::start(plan, &start_command()).expect("the test starts with what the format takes")
    }

    pub(super) fn start(plan: &'p dyn Plan, command: &StartRun) -> Result<Self, Refusal> {
        let known = directory();
        let Decision::Accepted(written) = start(plan, command, at(0), &known)? else {
            panic!("the directory knows everything that a start asks for");
        };
        let state = Arc::new(written.state);
        let mut world = Self {
            plan,
            rows: Rows::new(rows(plan, &state)),
            state: Arc::clone(&state),
            journal: written.events,
            now: at(0),
            known,
            answers: Vec::new(),
        };
        let answer = render(plan, &state, &world.journal, written.at);
        world.answers.push((1, state.seq, written.at, answer));
        world.check();
        Ok(world)
    }

    /// Lets time pass. Nothing else happens.
    pub(super) fn pass(&mut self, seconds: u64) -> &mut Self {
        self.now = self.now.after(Duration::from_secs(seconds));
        self
    }

    pub(super) fn decide(&self, command: &Command) -> Decision {
        decide(self.plan, &self.state, command, self.now, &self.known)
    }

    /// What a command comes to, committed.
    pub(super) fn act(&mut self, command: &Command) -> Result<Rendered, Refusal> {
        match self.decide(command) {
            Decision::Accepted(written) => {
                let (first, at) = (written.first_seq, written.at);
                self.commit(written);
                let own = self.events_from(first);
                let answer = render(self.plan, &self.state, own, at);
                self.answers.push((first, self.state.seq, at, answer.clone()));
                Ok(answer)
            }
            Decision::Refused { written, refusal } => {
                self.commit(written);
                Err(refusal)
            }
            Decision::Needs(queries) => panic!("the directory does not know {queries:?}"),
        }
    }

    fn commit(&mut self, written: Written) {
        self.rows
            .apply(changes(self.plan, Some(&self.state), &written.state));
        self.journal.extend(written.events);
        self.state = Arc::new(written.state);
        self.check();
    }

    fn events_from(&self, first_seq: u64) -> &[Event] {
        let first = usize::try_from(first_seq - 1).expect("a test writes few events");
        &self.journal[first..]
    }

    /// What must be so after every write.
    fn check(&self) {
        let folded = RunState::fold(&self.journal);
        assert_eq!(
            folded.as_ref(),
            Some(&*self.state),
            "the state is what the journal amounts to"
        );
        let whole = Rows::new(rows(self.plan, &self.state));
        assert_eq!(self.rows, whole, "the rows are those of the state");
    }

    /// Every answer, rendered again from the journal alone.
    pub(super) fn check_replays(&self) {
        for (first, last, at, shown) in &self.answers {
            let index = |seq: u64| usize::try_from(seq).expect("a test writes few events");
            let events = &self.journal[..index(*last)];
            let state = RunState::fold(events).expect("a journal begins with a start");
            let own = &events[index(*first - 1)..];
            assert_eq!(render(self.plan, &Arc::new(state), own, *at), *shown);
        }
    }

    pub(super) fn claim(&mut self, step: &str, by: Caller) -> Result<ClaimId, Refusal> {
        Ok(self.claim_view(step, by)?.claim)
    }

    pub(super) fn claim_view(&mut self, step: &str, by: Caller) -> Result<ClaimView, Refusal> {
        match self.act(&Command::Claim {
            step: step.to_owned(),
            by,
            lease: lease(),
        })? {
            Rendered::Claim(view) => Ok(*view),
            other => panic!("a claim answers with {other:?}"),
        }
    }

    pub(super) fn renew(&mut self, claim: ClaimId, progress: Option<&str>) -> Result<ClaimId, Refusal> {
        let progress = progress.map(str::to_owned);
        let by = holder(claim);
        match self.act(&Command::Renew {
            claim,
            by,
            progress,
            lease: lease(),
        })? {
            Rendered::Renewal { claim, .. } => Ok(claim),
            other => panic!("a renewal answers with {other:?}"),
        }
    }

    pub(super) fn submit(&mut self, claim: ClaimId, submission: Submission) -> Result<RunView, Refusal> {
        let by = holder(claim);
        self.run(&Command::Submit {
            claim,
            by,
            submission,
        })
    }

    pub(super) fn escalate(&mut self, claim: ClaimId) -> Result<RunView, Refusal> {
        let (by, note) = (holder(claim), "the order is missing".to_owned());
        self.run(&Command::Escalate { claim, by, note })
    }

    /// Claims and submits.
    pub(super) fn work(&mut self, step: &str) -> Result<RunView, Refusal> {
        let claim = self.claim(step, alpha())?;
        self.submit(claim, good())
    }

    /// Decides the open item of a step, as somebody who sees the present snapshot.
    pub(super) fn decide_step(
        &mut self,
        step: &str,
        by: Caller,
        verdict: Verdict,
    ) -> Result<RunView, Refusal> {
        let item = self.item(step).id.to_string();
        self.decide_item(&item, by, verdict)
    }

    pub(super) fn decide_item(
        &mut self,
        item: &str,
        by: Caller,
        verdict: Verdict,
    ) -> Result<RunView, Refusal> {
        self.read();
        let snapshot = self.state.snapshot().to_string();
        self.run(&Command::Decide {
            item: item.to_owned(),
            by,
            snapshot,
            verdict,
        })
    }

    /// Sends an event as alpha and tells which step consumed it.
    pub(super) fn send(&mut self, name: &str, data: Option<Value>) -> Result<Option<String>, Refusal> {
        let (by, name) = (alpha(), name.to_owned());
        match self.act(&Command::SendEvent {
            by,
            name,
            data: data.map(map),
        })? {
            Rendered::Sent { consumed_by } => Ok(consumed_by.map(|step| step.to_string())),
            other => panic!("an event answers with {other:?}"),
        }
    }

    pub(super) fn cancel(&mut self, by: Caller) -> Result<RunView, Refusal> {
        self.run(&Command::Cancel {
            by,
            reason: "entered twice".to_owned(),
        })
    }

    pub(super) fn adjust(&mut self, adjustment: Adjustment) -> Result<RunView, Refusal> {
        self.run(&Command::Adjust {
            by: Actor::Server,
            adjustment,
        })
    }

    /// A read: what is due is applied first.
    pub(super) fn read(&mut self) -> RunView {
        let decision = self.decide(&Command::Settle);
        let Decision::Accepted(written) = decision else {
            panic!("a read comes to {decision:?}");
        };
        self.commit(written);
        run_view(self.plan, &self.state, self.now.max(self.state.last_at))
    }

    fn run(&mut self, command: &Command) -> Result<RunView, Refusal> {
        match self.act(command)? {
            Rendered::Run(view) => Ok(view),
            other => panic!("{command:?} answers with {other:?}"),
        }
    }

    pub(super) fn step(&self, step: &str) -> &StepState {
        self.state
            .step(step)
            .expect("the test names a step that was reached")
    }

    /// The word of the wire for a step, as a read shows it now.
    pub(super) fn word(&mut self, step: &str) -> Option<&'static str> {
        let view = self.read();
        let shown = view.steps.iter().find(|shown| shown.id.as_str() == step)?;
        shown.state.map(StepWord::as_str)
    }

    /// The open item of a step.
    pub(super) fn item(&mut self, step: &str) -> WorkItemView {
        let view = self.read();
        let item = view.items.into_iter().find(|item| item.step.as_str() == step);
        item.expect("the test names a step with an open item")
    }

    /// What the step has in run data.
    pub(super) fn record(&self, step: &str) -> Value {
        self.state.data()["steps"][step].clone()
    }

    /// Kinds and instants, in seconds since the start, of the events since a number.
    pub(super) fn happened_since(&self, seq: u64) -> Vec<(&'static str, i64)> {
        let seconds = |event: &Event| (event.at.as_millis() - at(0).as_millis()) / 1_000;
        let shown = |event: &Event| (crate::stored::encode(event).kind, seconds(event));
        self.events_from(seq + 1).iter().map(shown).collect()
    }

    pub(super) fn offers(&self) -> Vec<Offer> {
        self.rows.offers.values().cloned().collect()
    }

    pub(super) fn item_rows(&self) -> Vec<ItemRow> {
        self.rows.items.values().cloned().collect()
    }
}

/// The agent that a claim belongs to.
fn holder(claim: ClaimId) -> Caller {
    agent(claim.agent.ulid().0)
}

/// What a decision asks for.
pub(super) fn asked(decision: Decision) -> Vec<Query> {
    match decision {
        Decision::Needs(queries) => queries,
        other => panic!("nothing was asked: {other:?}"),
    }
}

/// The kinds of events that a decision writes.
pub(super) fn kinds(written: &Written) -> Vec<&'static str> {
    let name = |kind: &EventKind| {
        crate::stored::encode(&Event {
            seq: 1,
            at: at(0),
            kind: kind.clone(),
        })
        .kind
    };
    written.events.iter().map(|event| name(&event.kind)).collect()
}
