//! What callers ask for, and in which order it is judged (process.md §5, tools.md).

use std::time::Duration;

use base::Timestamp;
use serde_json::{Map, Value, json};

use super::{Held, Lease, Model, No, Note, Now, People, record};
use crate::processes::{Kind, Next, Person, Work};

/// How long a claim lasts.
const LEASE: Duration = Duration::from_mins(10);

/// A result that is handed in.
#[derive(Debug, Clone, Default)]
pub struct Handed {
    /// The output.
    pub output: Map<String, Value>,
    /// What is wrong with it, by the field: known to whoever made it.
    pub wrong: Vec<String>,
    /// Links that are attached.
    pub links: Vec<String>,
    /// The summary.
    pub summary: Option<String>,
    /// The chosen route.
    pub next: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// What a person decides.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// `completed`.
    Completed(Handed),
    /// `approved`.
    Approved(Option<String>),
    /// `rejected`.
    Rejected(String),
    /// `returned`.
    Returned(String),
    /// `failed`.
    Failed(String),
}

impl Model {
    /// Before every command: what is due first, and after the end nothing (core-2 §3.5).
    fn begin(&mut self, now: Timestamp) -> Result<Timestamp, No> {
        let now = now.max(self.last);
        self.settle(now);
        match self.end {
            Some(_) => Err(No::Conflict("run_ended")),
            None => Ok(now),
        }
    }

    /// `claim` by an agent, or by a person when `agent` is none. Answers the number of the claim.
    pub fn claim(&mut self, step: &str, agent: Option<&str>, now: Timestamp) -> Result<u32, No> {
        let now = self.begin(now)?;
        let kind = &self.process.step(step).ok_or(No::NotFound)?.kind;
        let agent = agent.ok_or(No::Forbidden)?;
        if !matches!(kind, Kind::Agent(_)) {
            return Err(No::Forbidden);
        }
        let number = self.claims;
        let cell = self.cell(step);
        match &cell.now {
            Now::Ready => {}
            Now::Claimed(lease) if now < lease.until && lease.by == agent => {
                return Err(No::Conflict("claimed_by_you"));
            }
            Now::Claimed(lease) if now < lease.until => return Err(No::Conflict("claimed_by_other")),
            Now::Claimed(lease) => {
                // Only a lease that ended leaves its progress.
                cell.progress = lease.progress.clone().or(cell.progress.take());
            }
            _ => return Err(No::Conflict("not_ready")),
        }
        cell.now = Now::Claimed(Lease {
            number,
            by: agent.to_owned(),
            until: now.after(LEASE),
            progress: None,
        });
        self.claims += 1;
        self.last = now;
        Ok(number)
    }

    /// The step of a current claim. Identity comes before staleness (§9.9).
    fn held(&self, (number, holder): (u32, &str), by: Option<&str>, now: Timestamp) -> Result<String, No> {
        if by != Some(holder) {
            return Err(No::Forbidden);
        }
        for (id, cell) in &self.cells {
            if let Now::Claimed(lease) = &cell.now
                && lease.number == number
            {
                return if now < lease.until {
                    Ok(id.clone())
                } else {
                    Err(No::Stale)
                };
            }
        }
        Err(No::Stale)
    }

    /// `renew`. Answers the number of the new claim.
    pub fn renew(
        &mut self,
        token: (u32, &str),
        by: Option<&str>,
        progress: Option<&str>,
        now: Timestamp,
    ) -> Result<u32, No> {
        let now = self.begin(now)?;
        let id = self.held(token, by, now)?;
        let number = self.claims;
        self.claims += 1;
        self.last = now;
        if let Now::Claimed(lease) = &mut self.cell(&id).now {
            lease.number = number;
            lease.until = now.after(LEASE);
            lease.progress = progress.map(str::to_owned).or(lease.progress.take());
        }
        Ok(number)
    }

    /// `submit`.
    pub fn submit(
        &mut self,
        token: (u32, &str),
        by: Option<&str>,
        handed: &Handed,
        now: Timestamp,
    ) -> Result<(), No> {
        let now = self.begin(now)?;
        let id = self.held(token, by, now)?;
        self.hand_in(&id, token.1, (handed, true), now)
    }

    /// `escalate`.
    pub fn escalate(&mut self, token: (u32, &str), by: Option<&str>, now: Timestamp) -> Result<(), No> {
        let now = self.begin(now)?;
        let id = self.held(token, by, now)?;
        let number = self.open_item();
        self.last = now;
        self.cell(&id).now = Now::Escalated(number);
        Ok(())
    }

    /// `decide` by a person, or by an agent when `person` is none.
    pub fn decide(
        &mut self,
        (item, is_current): (u32, bool),
        person: Option<&str>,
        verdict: &Verdict,
        now: Timestamp,
    ) -> Result<(), No> {
        let now = self.begin(now)?;
        if item >= self.items {
            return Err(No::NotFound);
        }
        let is_of =
            |now: &Now| matches!(now, Now::Asked(number, _) | Now::Escalated(number) if *number == item);
        let Some((id, open)) = self.cells.iter().find(|(_, cell)| is_of(&cell.now)) else {
            return Err(No::Conflict("already_decided"));
        };
        let (id, open) = (id.clone(), open.now.clone());
        if !is_current {
            return Err(No::Stale);
        }
        let person = person.ok_or(No::Forbidden)?;
        let is_entitled = match &open {
            Now::Asked(_, people) => people.iter().any(|one| one == person),
            _ => self.people.operators.contains(person),
        };
        if !is_entitled {
            return Err(No::Forbidden);
        }
        let is_escalated = matches!(open, Now::Escalated(_));
        let is_approval = matches!(self.step(&id).kind, Kind::Approve(..));
        let is_offered = match verdict {
            Verdict::Completed(_) => is_escalated || !is_approval,
            Verdict::Approved(_) | Verdict::Rejected(_) => !is_escalated && is_approval,
            Verdict::Returned(_) => is_escalated,
            Verdict::Failed(_) => true,
        };
        if !is_offered {
            return Err(No::NotAccepted(vec!["decision".to_owned()]));
        }
        match verdict {
            Verdict::Completed(handed) => return self.hand_in(&id, person, (handed, false), now),
            Verdict::Approved(note) => {
                let mut entry = record(person, now);
                entry.insert("decision".into(), "approved".into());
                if let Some(note) = note {
                    entry.insert("note".into(), note.as_str().into());
                }
                self.complete(&id, entry, now);
                self.go_on(&id, None, now);
            }
            Verdict::Rejected(note) => self.reject(&id, (person, note), now),
            Verdict::Returned(note) => self.give_back(&id, (person, note), now),
            Verdict::Failed(note) => self.fail(&id, person, now, Note::Said(note.clone())),
        }
        self.settle(now);
        Ok(())
    }

    /// `returned`: the same attempt goes on, `due` included.
    fn give_back(&mut self, id: &str, (by, note): (&str, &str), now: Timestamp) {
        self.last = now;
        let returned = json!({"note": note, "by": by, "at": now.to_string()});
        let kind = self.step(id).kind.clone();
        let cell = self.cell(id);
        cell.returned = Some(returned);
        cell.since = now;
        match kind {
            Kind::Task(person, _) => self.ask(id, &person, now),
            _ => cell.now = Now::Ready,
        }
    }

    /// From now on these are the people around the run. Open items stay as they are.
    pub fn meet(&mut self, people: People) {
        self.people = people;
    }

    /// Open items of roles are for whom the roles mean now (§5).
    pub fn reassign(&mut self, now: Timestamp) -> Result<(), No> {
        self.begin(now)?;
        for step in &self.process.steps {
            let (Kind::Task(Person::Role(role), _) | Kind::Approve(Person::Role(role), _)) = &step.kind
            else {
                continue;
            };
            let now_meant = self.people.roles.get(role);
            if let Some(cell) = self.cells.get_mut(&step.id)
                && let Now::Asked(_, people) = &mut cell.now
            {
                *people = now_meant.into_iter().flatten().cloned().collect();
            }
        }
        Ok(())
    }

    /// `cancel` by an operator.
    pub fn cancel(&mut self, by: Option<&str>, reason: &str, now: Timestamp) -> Result<(), No> {
        let now = self.begin(now)?;
        let by = by
            .filter(|by| self.people.operators.contains(*by))
            .ok_or(No::Forbidden)?;
        let by = by.to_owned();
        self.finish(None, &by, now, Note::Said(reason.to_owned()));
        Ok(())
    }

    /// `send_event` by an agent or an operator. Answers the step that consumed it.
    pub fn send(
        &mut self,
        name: &str,
        data: &Map<String, Value>,
        by: &str,
        now: Timestamp,
    ) -> Result<Option<String>, No> {
        let now = self.begin(now)?;
        let event = Held {
            name: name.to_owned(),
            data: data.clone(),
            by: by.to_owned(),
        };
        let listener = self.listener(name);
        let mut sent = self.clone();
        match &listener {
            Some(id) => sent.record_event(id, event, now),
            None => sent.held.push(event),
        }
        if sent.bytes_to_come() > self.limit_bytes {
            return Err(No::Invalid);
        }
        *self = sent;
        self.last = now;
        if let Some(id) = &listener {
            self.go_on(id, None, now);
        }
        self.settle(now);
        Ok(listener)
    }

    /// Acceptance: everything that is wrong at once, or the record (core-2 §6.3).
    fn hand_in(
        &mut self,
        id: &str,
        by: &str,
        (handed, is_agent): (&Handed, bool),
        now: Timestamp,
    ) -> Result<(), No> {
        let step = self.step(id).clone();
        let (Kind::Agent(work) | Kind::Task(_, work)) = &step.kind else {
            return Err(No::NotAccepted(vec!["decision".to_owned()]));
        };
        let mut issues = issues_of(handed, work, &step.next);
        if is_agent && is_blank(handed.summary.as_deref()) {
            issues.push("summary".to_owned());
        }
        let mut entry = record(by, now);
        entry.insert("output".into(), Value::Object(handed.output.clone()));
        let links = handed
            .links
            .iter()
            .map(|link| json!({"kind": "link", "ref": link}));
        entry.insert("evidence".into(), Value::Array(links.collect()));
        let texts = [
            ("summary", &handed.summary),
            ("next", &handed.next),
            ("reason", &handed.reason),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                entry.insert(key.into(), text.as_str().into());
            }
        }
        let mut recorded = self.clone();
        recorded.complete(id, entry, now);
        if recorded.bytes_to_come() > self.limit_bytes {
            issues.push("run data".to_owned());
        }
        if !issues.is_empty() {
            issues.sort();
            self.cell(id).issues = Some(issues.clone());
            return Err(No::NotAccepted(issues));
        }
        *self = recorded;
        self.go_on(id, handed.next.as_deref(), now);
        self.settle(now);
        Ok(())
    }
}

fn is_blank(text: Option<&str>) -> bool {
    text.is_none_or(|text| text.trim().is_empty())
}

fn issues_of(handed: &Handed, work: &Work, next: &Next) -> Vec<String> {
    let mut issues = handed.wrong.clone();
    let mut say = |is_so: bool, what: &str| {
        if is_so {
            issues.push(what.to_owned());
        }
    };
    say(work.needs_link && handed.links.is_empty(), "evidence");
    if let Next::Routes(routes) = next {
        say(
            !handed.next.as_ref().is_some_and(|next| routes.contains(next)),
            "next",
        );
        say(is_blank(handed.reason.as_deref()), "reason");
    } else {
        say(handed.next.is_some(), "next");
        say(handed.reason.is_some(), "reason");
    }
    issues
}
