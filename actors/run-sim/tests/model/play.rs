//! A run of the product beside a run of the model.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Caller, Digest, RunId, Timestamp, Ulid};
use formats::{Format, compile};
use run_core::plan::Starter;
use run_core::project::{Changes, ItemRow, Offer, changes, rows};
use run_core::settle::next_deadline;
use run_core::state::{Initiator, RunLimits};
use run_core::{
    Actor, ClaimId, Command, Decision, Event, Known, Mode, Plan, Refusal, Rendered, RunState, StartRun,
    Written, decide, render, start, stored,
};
use run_sim::Dice;
use run_sim::invariants::check_journal;
use run_sim::model::{Model, No};
use run_sim::processes::{INSTANTS, NEW_YEAR_MILLIS, Process};

use crate::cast::{self, Groups, address, agent, by, person};
use crate::shown::{assert_same, check_holders, keys, shown};
use run_sim::handing::values;

/// Rows as a store would have them after all changes.
#[derive(Debug, Default, PartialEq)]
struct Rows {
    offers: BTreeMap<String, Offer>,
    items: BTreeMap<u32, ItemRow>,
}

impl Rows {
    fn apply(&mut self, changes: Changes) {
        for gone in &changes.offers_gone {
            self.offers.remove(gone.as_str());
        }
        for gone in &changes.items_gone {
            self.items.remove(gone);
        }
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

/// An answer that was given: to be given again for the same events.
struct Answer {
    first: u64,
    last: u64,
    at: Timestamp,
    shown: Rendered,
}

pub(crate) struct Play {
    plan: Arc<dyn Plan>,
    pub(crate) model: Model,
    pub(crate) state: Arc<RunState>,
    journal: Vec<Event>,
    pub(crate) now: Timestamp,
    known: Known,
    groups: Groups,
    rows: Rows,
    answers: Vec<Answer>,
    /// Tokens of claims, the holder beside each.
    pub(crate) tokens: Vec<(ClaimId, String)>,
    snapshots: BTreeMap<Digest, String>,
    pub(crate) accepted: u64,
    pub(crate) refused: u64,
}

impl Play {
    /// Starts both; `None` when both refuse.
    pub(crate) fn start(process: Process, dice: &Dice) -> Option<Self> {
        let plan = compile(Format::Process, process.text().as_bytes()).expect("a drawn process is valid");
        let now =
            Timestamp::from_millis(NEW_YEAR_MILLIS + dice.pick(&INSTANTS).map_or(0, |(_, millis)| *millis));
        let who = if dice.chance(60) {
            person(dice.below(5))
        } else {
            agent(dice.below(2))
        };
        let (inputs, wrong) = values(&process.inputs, "inputs", 3, dice);
        let limit_bytes = if dice.chance(10) {
            600 + dice.below(2_000)
        } else {
            262_144
        };
        let initiator = address(&who);
        let groups = Groups::at_first();
        let model = Model::start(
            process,
            groups.people(),
            inputs.clone(),
            (&by(&who), initiator),
            (limit_bytes, now),
        );
        let command = StartRun {
            run: RunId::new(Ulid(7)),
            version: 1,
            mode: Mode::Live,
            inputs: Arc::new(inputs),
            starter: starter_of(&who),
            limits: RunLimits {
                run_data_bytes: limit_bytes,
            },
        };
        let mut known = Known::default();
        let written = begin(&*plan, &command, now, (&mut known, &groups));
        let (model, written) = match (model, written) {
            (Ok(model), Ok(written)) if wrong.is_empty() => (model, written),
            (model, Err(Refusal::Invalid(issues))) if !wrong.is_empty() || model.is_err() => {
                assert!(model.is_err() || keys(&issues) == sorted(wrong), "{issues:?}");
                return None;
            }
            (model, written) => panic!(
                "the model: {:?}; the product: {written:?}; wrong: {wrong:?}",
                model.err()
            ),
        };
        let mut begun = Self {
            plan,
            model,
            state: Arc::new(written.state.clone()),
            journal: Vec::new(),
            now,
            known,
            groups,
            rows: Rows::default(),
            answers: Vec::new(),
            tokens: Vec::new(),
            snapshots: BTreeMap::new(),
            accepted: 0,
            refused: 0,
        };
        begun.rows.apply(rows(&*begun.plan, &begun.state));
        let (first, at) = (written.first_seq, written.at);
        begun.journal.extend(written.events);
        begun.note_answer(first, at);
        begun.check();
        Some(begun)
    }

    fn note_answer(&mut self, first: u64, at: Timestamp) -> Rendered {
        let own = &self.journal[index(first - 1)..];
        let shown = render(&*self.plan, &self.state, own, at);
        self.answers.push(Answer {
            first,
            last: self.state.seq,
            at,
            shown: shown.clone(),
        });
        shown
    }

    pub(crate) fn decide(&mut self, command: &Command, now: Timestamp) -> Decision {
        loop {
            match decide(&*self.plan, &self.state, command, now, &self.known) {
                Decision::Needs(queries) => queries
                    .into_iter()
                    .for_each(|query| cast::answer(&mut self.known, query, &self.groups)),
                decision => return decision,
            }
        }
    }

    /// From now on a role means others, to both sides.
    pub(crate) fn regroup(&mut self, role: &'static str, members: Vec<usize>) {
        self.groups.change(role, members);
        self.known = Known::default();
        self.model.meet(self.groups.people());
    }

    /// What a command comes to, committed; and the model's word on it.
    pub(crate) fn run(&mut self, command: &Command, said: Result<(), No>) -> Option<Rendered> {
        let before = Arc::clone(&self.state);
        match (self.decide(command, self.now), said) {
            (Decision::Accepted(written), Ok(())) => {
                self.accepted += 1;
                let (first, at) = (written.first_seq, written.at);
                self.commit(written);
                Some(self.note_answer(first, at))
            }
            (Decision::Refused { written, refusal }, Err(no)) => {
                self.refused += 1;
                assert_eq!(refused(&refusal), no, "{command:?}");
                if !before.is_running() {
                    assert!(written.events.is_empty(), "after the end nothing is written");
                }
                self.commit(written);
                None
            }
            (decision, said) => panic!("{command:?}\nthe product: {decision:?}\nthe model: {said:?}"),
        }
    }

    fn commit(&mut self, written: Written) {
        self.rows
            .apply(changes(&*self.plan, Some(&self.state), &written.state));
        self.journal.extend(written.events);
        self.state = Arc::new(written.state);
    }

    /// Applies what is due on both sides and compares everything that can be seen.
    pub(crate) fn check(&mut self) {
        match self.decide(&Command::Settle, self.now) {
            Decision::Accepted(written) => self.commit(written),
            other => panic!("a read comes to {other:?}"),
        }
        self.model.settle(self.now);
        assert_same(
            &shown(&*self.plan, &self.state, self.now),
            &self.model.shown(self.now),
        );
        let mut whole = Rows::default();
        whole.apply(rows(&*self.plan, &self.state));
        assert_eq!(self.rows, whole, "rows change with the state");
        let (data, snapshot) = (self.state.data().to_string(), self.state.snapshot());
        let known = self.snapshots.entry(snapshot).or_insert_with(|| data.clone());
        assert_eq!(*known, data, "another snapshot for other data");
        assert!(
            next_deadline(&self.state).is_none_or(|at| at > self.now),
            "what is due is applied"
        );
        check_holders(&self.state);
    }

    /// Everything again, from what a store would have kept.
    pub(crate) fn end(self) {
        let kept: Vec<Event> = self
            .journal
            .iter()
            .map(|event| {
                let form = stored::encode(event);
                stored::decode(
                    form.kind,
                    form.version,
                    event.seq,
                    event.at.as_millis(),
                    &form.json,
                )
                .expect("what was written can be read")
            })
            .collect();
        assert_eq!(kept, self.journal);
        let folded = check_journal(self.model.process(), &*self.plan, &kept);
        assert_eq!(folded, *self.state, "the state is the fold of its events");
        for answer in &self.answers {
            let events = &kept[..index(answer.last)];
            let state = RunState::fold(events).expect("a journal begins with a start");
            let again = render(
                &*self.plan,
                &Arc::new(state),
                &events[index(answer.first - 1)..],
                answer.at,
            );
            assert_eq!(again, answer.shown, "a replay shows what was shown");
        }
        let datas: Vec<&String> = self.snapshots.values().collect();
        let mut distinct = datas.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(datas.len(), distinct.len(), "the same data has the same snapshot");
    }
}

fn begin(
    plan: &dyn Plan,
    command: &StartRun,
    now: Timestamp,
    (known, groups): (&mut Known, &Groups),
) -> Result<Written, Refusal> {
    loop {
        match start(plan, command, now, known)? {
            Decision::Needs(queries) => queries
                .into_iter()
                .for_each(|query| cast::answer(known, query, groups)),
            Decision::Accepted(written) => return Ok(written),
            Decision::Refused { refusal, .. } => return Err(refusal),
        }
    }
}

fn starter_of(caller: &Caller) -> Starter {
    match caller {
        Caller::Agent { id, .. } => Starter {
            by: Actor::Agent(*id),
            initiator: None,
        },
        Caller::Person { id, email, .. } => Starter {
            by: Actor::Person(*id),
            initiator: Some(Initiator {
                person: *id,
                email: email.clone(),
            }),
        },
    }
}

fn refused(refusal: &Refusal) -> No {
    match refusal {
        Refusal::Invalid(_) => No::Invalid,
        Refusal::NotAccepted(issues) => No::NotAccepted(keys(issues)),
        Refusal::Stale(_) => No::Stale,
        Refusal::Conflict(conflict) => No::Conflict(conflict.as_str()),
        Refusal::Forbidden(_) => No::Forbidden,
        Refusal::NotFound(_) => No::NotFound,
    }
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

fn index(seq: u64) -> usize {
    usize::try_from(seq).expect("a test writes few events")
}
