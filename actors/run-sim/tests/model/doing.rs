//! What an act comes to in the present state of the run, said to both sides.

use std::sync::Arc;
use std::time::Duration;

use base::{Caller, Timestamp};
use run_core::command::{Adjustment, Lease, Verdict};
use run_core::settle::next_deadline;
use run_core::state::{Phase, StepState};
use run_core::{Actor, Command, KeyId, Rendered};
use run_sim::Dice;
use run_sim::model::{Handed, No, Verdict as Said};
use run_sim::processes::{EVENTS, Kind, Work};
use serde_json::{Map, json};

use crate::act::{Act, Jump};
use crate::cast::{address, agent, by, person};
use crate::play::Play;
use run_sim::handing::{handed, submission};

const LEASE: Duration = Duration::from_mins(10);

impl Play {
    pub(crate) fn act(&mut self, act: &Act) {
        match *act {
            Act::GoOn { pick, how } => self.go_on(pick, &Dice::new(how)),
            Act::Claim { pick, who } => {
                let steps = &self.model.process().steps;
                let step = steps
                    .get(pick % (steps.len() + 1))
                    .map_or("nowhere", |step| &step.id)
                    .to_owned();
                self.claim(&step, &anybody(who));
            }
            Act::Use { pick, who, how } => self.use_token(pick, who, &Dice::new(how)),
            Act::Decide { back, who, how } => {
                let opened = usize::try_from(self.state.items_opened).unwrap_or(0);
                let item = (opened + 1).saturating_sub(back);
                self.decide_item(u32::try_from(item).unwrap_or(0), &anybody(who), &Dice::new(how));
            }
            Act::Send { name, who, how } => {
                let name = ["paid", "signed", "nonsense"][name];
                self.send(name, &anybody(who), &Dice::new(how));
            }
            Act::Cancel { who } => self.cancel(&anybody(who)),
            Act::Regroup { role, members, moves } => {
                self.change_group(role, members);
                if moves {
                    self.reassign();
                }
            }
            Act::Pass(jump) => self.pass(jump),
        }
        self.check();
    }

    fn pass(&mut self, jump: Jump) {
        let lapses = self.state.steps.values().filter_map(|step| match &step.phase {
            Phase::Claimed(claim) if claim.is_live(self.now) => Some(claim.expires_at),
            _ => None,
        });
        let just_before = |at: Timestamp| Timestamp::from_millis(at.as_millis() - 1);
        let to = match jump {
            Jump::Millis(millis) => Some(self.now.after(Duration::from_millis(millis))),
            Jump::ToDeadline => next_deadline(&self.state),
            Jump::BeforeDeadline => next_deadline(&self.state).map(just_before),
            Jump::ToLapse => lapses.min(),
            Jump::BeforeLapse => lapses.min().map(just_before),
        };
        self.now = to.unwrap_or(self.now).max(self.now);
    }

    /// Something sensible for an open step.
    fn go_on(&mut self, pick: usize, dice: &Dice) {
        let open: Vec<_> = self
            .state
            .steps
            .iter()
            .filter(|(_, step)| step.is_open())
            .collect();
        let Some((id, step)) = open.get(pick % open.len().max(1)) else {
            return;
        };
        let id = id.to_string();
        match &step.phase {
            Phase::Claimed(claim) if claim.is_live(self.now) => {
                let number = claim.number;
                if let Some(at) = self.tokens.iter().position(|(token, _)| token.number == number) {
                    self.use_it(at, None, dice);
                }
            }
            Phase::Ready { .. } | Phase::Claimed(_) => self.claim(&id, &agent(dice.below(2))),
            Phase::Assigned(item) => {
                let (number, assigned) = (item.number, item.assigned.clone());
                let mut people = (0..5).map(person);
                let entitled = people.find(|caller| match caller {
                    Caller::Person { id, .. } => assigned.includes(*id),
                    Caller::Agent { .. } => false,
                });
                self.decide_item(number, &entitled.unwrap_or_else(|| person(0)), dice);
            }
            Phase::Escalated { item, .. } => {
                let number = item.number;
                self.decide_item(number, &person(3 + dice.below(2)), dice);
            }
            Phase::Listening { event, .. } => {
                let event = event.clone();
                self.send(&event, &agent(0), dice);
            }
            _ => self.pass(Jump::ToDeadline),
        }
    }

    fn claim(&mut self, step: &str, who: &Caller) {
        let name = by(who);
        let is_agent = address(who).is_none();
        let said = self
            .model
            .claim(step, is_agent.then_some(name.as_str()), self.now);
        let command = Command::Claim {
            step: step.to_owned(),
            by: who.clone(),
            lease: lease(),
        };
        if let Some(Rendered::Claim(view)) = self.run(&command, said.clone().map(|_| ())) {
            assert_eq!(said, Ok(view.claim.number.0));
            self.tokens.push((view.claim, name));
        }
    }

    fn use_token(&mut self, pick: usize, who: usize, dice: &Dice) {
        let recent = self.tokens.len().min(4);
        if recent > 0 {
            let at = self.tokens.len() - 1 - pick % recent;
            let other = (who > 3).then(|| anybody(who - 4));
            self.use_it(at, other, dice);
        }
    }

    /// Renews, escalates or submits with a token, as its holder or as another.
    fn use_it(&mut self, at: usize, other: Option<Caller>, dice: &Dice) {
        let (claim, holder) = self.tokens[at].clone();
        let who = other.unwrap_or_else(|| {
            (0..3)
                .map(agent)
                .find(|agent| by(agent) == holder)
                .expect("agents hold")
        });
        let name = by(&who);
        let actor = address(&who).is_none().then_some(name.as_str());
        let token = (claim.number.0, holder.as_str());
        match dice.below(10) {
            0 | 1 => {
                let progress = dice.chance(60).then(|| format!("{} done", dice.below(9)));
                let said = self.model.renew(token, actor, progress.as_deref(), self.now);
                let command = Command::Renew {
                    claim,
                    by: who,
                    progress,
                    lease: lease(),
                };
                if let Some(Rendered::Renewal { claim, .. }) = self.run(&command, said.clone().map(|_| ())) {
                    assert_eq!(said, Ok(claim.number.0));
                    self.tokens.push((claim, holder));
                }
            }
            2 => {
                let said = self.model.escalate(token, actor, self.now);
                let note = "I cannot.".to_owned();
                self.run(&Command::Escalate { claim, by: who, note }, said);
            }
            _ => {
                let handed = self.handed_for(
                    |step| matches!(&step.phase, Phase::Claimed(held) if held.number == claim.number),
                    dice,
                );
                let said = self.model.submit(token, actor, &handed, self.now);
                let submission = submission(&handed);
                self.run(
                    &Command::Submit {
                        claim,
                        by: who,
                        submission,
                    },
                    said,
                );
            }
        }
    }

    /// A result that fits the step, mostly.
    fn handed_for(&self, is_it: impl Fn(&StepState) -> bool, dice: &Dice) -> Handed {
        let id = self
            .state
            .steps
            .iter()
            .find(|(_, step)| is_it(step))
            .map(|(id, _)| id.as_str());
        let process = self.model.process();
        let step = id.and_then(|id| process.step(id)).unwrap_or(&process.steps[0]);
        let nothing = Work {
            output: Vec::new(),
            needs_link: false,
        };
        let work = match &step.kind {
            Kind::Agent(work) | Kind::Task(_, work) => work,
            _ => &nothing,
        };
        let percent_wrong = if dice.chance(70) { 0 } else { 25 };
        handed(step, work, percent_wrong, dice)
    }

    /// The decisions that the item offers, mostly; all of them now and then.
    fn words_offered(&self, number: u32, dice: &Dice) -> &'static [&'static str] {
        let open = self.state.step_of_item(number);
        match open.map(|(id, step)| {
            (
                &step.phase,
                self.model.process().step(id.as_str()).map(|step| &step.kind),
            )
        }) {
            _ if dice.chance(15) => &["completed", "approved", "rejected", "returned", "failed"],
            Some((Phase::Escalated { .. }, _)) => &[
                "returned",
                "completed",
                "completed",
                "returned",
                "returned",
                "failed",
            ],
            Some((_, Some(Kind::Approve(..)))) => {
                &["approved", "approved", "approved", "rejected", "rejected"]
            }
            _ => &["completed"],
        }
    }

    fn decide_item(&mut self, number: u32, who: &Caller, dice: &Dice) {
        let handed = self.handed_for(|step| step.item().is_some_and(|item| item.number == number), dice);
        let said = said(self.words_offered(number, dice), handed, dice);
        let verdict = match &said {
            Said::Completed(handed) => Verdict::Completed(submission(handed)),
            Said::Approved(note) => Verdict::Approved { note: note.clone() },
            Said::Rejected(note) => Verdict::Rejected { note: note.clone() },
            Said::Returned(note) => Verdict::Returned { note: note.clone() },
            Said::Failed(note) => Verdict::Failed { note: note.clone() },
        };
        let is_current = dice.chance(92);
        let snapshot = if is_current {
            self.state.snapshot().to_string()
        } else {
            "sha256:00".to_owned()
        };
        let name = by(who);
        let actor = address(who).map(|_| name.as_str());
        let said = self.model.decide((number, is_current), actor, &said, self.now);
        let command = Command::Decide {
            item: self.state.item_id(number).to_string(),
            by: who.clone(),
            snapshot,
            verdict,
        };
        self.run(&command, said);
    }

    fn send(&mut self, name: &str, who: &Caller, dice: &Dice) {
        assert!(name == "nonsense" || EVENTS.contains(&name));
        let data = dice
            .chance(50)
            .then(|| Map::from_iter([("n".to_owned(), json!(dice.below(1_000)))]));
        let command = Command::SendEvent {
            by: who.clone(),
            name: name.to_owned(),
            data: data.clone().map(Arc::new),
        };
        let is_allowed = match who {
            Caller::Agent { .. } => true,
            Caller::Person { role, .. } => role.is_operator(),
        };
        let said = if is_allowed || !self.state.is_running() {
            self.model
                .send(name, &data.unwrap_or_default(), &by(who), self.now)
        } else {
            Err(No::Forbidden)
        };
        if let Some(Rendered::Sent { consumed_by }) = self.run(&command, said.clone().map(|_| ())) {
            assert_eq!(Ok(consumed_by.map(|step| step.to_string())), said);
        }
    }

    /// The bits of `members` say who is in the group of the role.
    fn change_group(&mut self, role: usize, members: usize) {
        let members = (0..3).filter(|number| members >> number & 1 == 1).collect();
        self.regroup(["finance", "legal"][role], members);
    }

    fn reassign(&mut self) {
        let said = self.model.reassign(self.now);
        let command = Command::Adjust {
            by: Actor::Server,
            adjustment: Adjustment::Reassign,
        };
        self.run(&command, said);
    }

    fn cancel(&mut self, who: &Caller) {
        let name = by(who);
        let reason = "enough".to_owned();
        let said = self.model.cancel(Some(&name), &reason, self.now);
        self.run(
            &Command::Cancel {
                by: who.clone(),
                reason,
            },
            said,
        );
    }
}

fn said(words: &[&str], handed: Handed, dice: &Dice) -> Said {
    let note = || format!("because {}", dice.below(9));
    match dice.pick(words).copied() {
        Some("approved") => Said::Approved(dice.chance(50).then(note)),
        Some("rejected") => Said::Rejected(note()),
        Some("returned") => Said::Returned(note()),
        Some("failed") => Said::Failed(note()),
        _ => Said::Completed(handed),
    }
}

fn anybody(who: usize) -> Caller {
    match who {
        0..=2 => agent(who),
        _ => person(who - 3),
    }
}

fn lease() -> Lease {
    Lease {
        duration: LEASE,
        key: KeyId(0),
    }
}
