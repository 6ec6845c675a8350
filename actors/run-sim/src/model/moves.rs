//! What follows: steps are reached, completed, rewound, and the run ends.

use std::time::Duration;

use base::Timestamp;
use serde_json::{Map, Value};

use super::{End, Model, Note, Now, SERVER, record};
use crate::processes::{INSTANTS, JOIN, Kind, NEW_YEAR_MILLIS, Next, Path, Person};

fn minutes(minutes: u32) -> Duration {
    Duration::from_secs(u64::from(minutes) * 60)
}

fn instant(text: &str) -> Option<Timestamp> {
    let (_, millis) = INSTANTS.iter().find(|(known, _)| *known == text)?;
    Some(Timestamp::from_millis(NEW_YEAR_MILLIS + millis))
}

impl Model {
    /// A fresh attempt: no handoff, and `due` starts anew.
    pub(super) fn reach(&mut self, id: &str, now: Timestamp) {
        let step = self.step(id).clone();
        let cell = self.cell(id);
        cell.since = now;
        cell.due = step.due.map(|due| now.after(minutes(due)));
        cell.is_overdue = false;
        (cell.progress, cell.returned, cell.issues) = (None, None, None);
        match &step.kind {
            Kind::Agent(_) => cell.now = Now::Ready,
            Kind::Task(person, _) | Kind::Approve(person, _) => self.ask(id, person, now),
            Kind::Wait(wait) => cell.now = Now::Until(now.after(minutes(*wait))),
            Kind::WaitUntil(path) => match self.at_path(path).and_then(|value| instant(value.as_str()?)) {
                // One that has passed is due at the moment it is reached: "continues at once" (§2).
                Some(until) => self.cell(id).now = Now::Until(until.max(now)),
                None => self.fail_by_server(id, now),
            },
            Kind::WaitFor { event, timeout, .. } => {
                cell.now = Now::Listening(event.clone(), timeout.map(|timeout| now.after(minutes(timeout))));
            }
            Kind::Finish(outcome) => {
                cell.now = Now::Done;
                self.finish(Some(outcome.clone()), SERVER, now, Note::None);
            }
            Kind::Parallel(entries) => {
                cell.now = Now::Forked;
                for entry in entries {
                    if self.end.is_none() {
                        self.reach(entry, now);
                    }
                }
            }
        }
    }

    /// One work item, or the end of the run when there is nobody to ask.
    pub(super) fn ask(&mut self, id: &str, person: &Person, now: Timestamp) {
        let people: Option<Vec<String>> = match person {
            Person::Role(role) => self
                .people
                .roles
                .get(role)
                .map(|group| group.iter().cloned().collect()),
            Person::Initiator => self.initiator.clone().map(|person| vec![person]),
            Person::Path(path) => {
                let address = self
                    .at_path(path)
                    .and_then(|value| Some(value.as_str()?.to_lowercase()));
                let member = address.and_then(|address| self.people.members.get(&address).cloned());
                member.map(|member| vec![member])
            }
        };
        match people {
            Some(people) => {
                let number = self.open_item();
                self.cell(id).now = Now::Asked(number, people);
            }
            None => self.fail_by_server(id, now),
        }
    }

    pub(super) fn open_item(&mut self) -> u32 {
        self.items += 1;
        self.items - 1
    }

    /// What stands at a path now: only a current record has an output.
    fn at_path(&self, path: &Path) -> Option<Value> {
        match path {
            Path::Input(field) => self.inputs.get(field).cloned(),
            Path::Output(step, field) => {
                let record = self.cells.get(step)?.record.as_ref()?;
                record.get("output")?.get(field).cloned()
            }
        }
    }

    fn fail_by_server(&mut self, id: &str, now: Timestamp) {
        self.fail(id, SERVER, now, Note::OfTheServer);
    }

    pub(super) fn fail(&mut self, id: &str, by: &str, now: Timestamp, note: Note) {
        let mut entry = record(by, now);
        entry.insert("decision".into(), "failed".into());
        if let Note::Said(text) = &note {
            entry.insert("note".into(), text.as_str().into());
        }
        self.complete(id, entry, now);
        self.cell(id).now = Now::Failed;
        self.finish(Some("failed".to_owned()), by, now, note);
    }

    /// The record becomes the current one; one that was current is history (§9.5).
    pub(super) fn complete(&mut self, id: &str, entry: Map<String, Value>, now: Timestamp) {
        self.completions += 1;
        let completed = self.completions;
        self.last = now;
        let cell = self.cell(id);
        cell.history.extend(cell.record.replace(entry));
        cell.completed = Some(completed);
        cell.now = Now::Done;
    }

    pub(super) fn go_on(&mut self, id: &str, chosen: Option<&str>, now: Timestamp) {
        let to = match &self.step(id).next {
            Next::To(to) => Some(to.clone()),
            Next::Routes(_) => chosen.map(str::to_owned),
            Next::Nowhere => None,
        };
        if let Some(to) = to {
            self.follow(id, &to, now);
        }
    }

    pub(super) fn follow(&mut self, from: &str, to: &str, now: Timestamp) {
        if to != JOIN {
            return self.reach(to, now);
        }
        let Some((parallel, _)) = self.step(from).branch.clone() else {
            return;
        };
        let is_open = |step: &crate::processes::Step| {
            let is_here = step.branch.as_ref().is_some_and(|(of, _)| *of == parallel);
            is_here && self.cells[&step.id].is_open()
        };
        if self.process.steps.iter().any(is_open) {
            return;
        }
        self.completions += 1;
        let completed = self.completions;
        let cell = self.cell(&parallel);
        cell.now = Now::Done;
        cell.completed = Some(completed);
        self.go_on(&parallel, None, now);
    }

    /// A rejection: into `on_reject`, rewinding what completed after it, or the end (§5, §6).
    pub(super) fn reject(&mut self, id: &str, (by, note): (&str, &str), now: Timestamp) {
        let target = match &self.step(id).kind {
            Kind::Approve(_, on_reject) => on_reject.clone(),
            _ => None,
        };
        let mut entry = record(by, now);
        entry.insert("decision".into(), "rejected".into());
        entry.insert("note".into(), note.into());
        self.complete(id, entry, now);
        let Some(target) = target else {
            return self.finish(Some("rejected".to_owned()), by, now, Note::Said(note.to_owned()));
        };
        self.rewind(id, &target);
        self.cell(id).now = Now::Null;
        self.reach(&target, now);
        if self.end.is_some() && target != id {
            // A rejection that ended the run is done (§9.6).
            self.cell(id).now = Now::Done;
        }
    }

    /// A target that has no current completion lies ahead, and nothing is rewound.
    fn rewind(&mut self, rejecting: &str, target: &str) {
        let Some(since) = self.cells[target].completed else {
            return;
        };
        let here = self.step(rejecting).branch.clone();
        for step in self.process.steps.clone() {
            let is_of_target = step.branch.as_ref().is_some_and(|(of, _)| of == target);
            let is_mine = here.is_none() || step.branch == here;
            let cell = self.cell(&step.id);
            let is_later = cell
                .completed
                .is_some_and(|completed| completed > since || is_of_target);
            if step.id != rejecting && is_mine && is_later {
                cell.history.extend(cell.record.take());
                cell.completed = None;
                cell.now = Now::Null;
            }
        }
    }

    /// The end: what is unfinished is cancelled, and held events are gone.
    pub(super) fn finish(&mut self, outcome: Option<String>, by: &str, at: Timestamp, note: Note) {
        self.last = at;
        self.held.clear();
        for cell in self.cells.values_mut().filter(|cell| cell.is_open()) {
            cell.now = Now::Cancelled;
        }
        self.end = Some(End {
            outcome,
            by: by.to_owned(),
            at,
            note,
        });
    }
}
