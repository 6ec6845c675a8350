//! What process.md §5 and §6 say, done step by step with sets and lists. It remembers which branches have joined, and compares
//! the order of completions by counting them.

use std::collections::{BTreeMap, BTreeSet};

use super::sketch::{Kind, Step};

/// When something happened, in minutes since the start. It stands for a record, too: at most one step completes in a minute,
/// but for those that wait.
type Minute = i64;

#[derive(Debug, Default)]
pub(super) struct Model {
    steps: Vec<Step>,
    /// Since when, for those that are open.
    open: BTreeMap<String, Minute>,
    done: BTreeSet<String>,
    current: BTreeMap<String, Minute>,
    history: BTreeMap<String, Vec<Minute>>,
    /// The number of the completion that is current.
    completed: BTreeMap<String, u32>,
    completions: u32,
    joined: BTreeMap<String, BTreeSet<usize>>,
    held: Vec<String>,
    pub(super) is_over: bool,
}

impl Model {
    pub(super) fn start(steps: &[Step]) -> Self {
        let mut model = Self {
            steps: steps.to_vec(),
            ..Self::default()
        };
        let first = model.steps[0].id.clone();
        model.reach(&first, 0);
        model
    }

    fn step(&self, id: &str) -> Step {
        let step = self.steps.iter().find(|step| step.id == id);
        step.cloned().expect("edges name steps that exist")
    }

    fn place(&self, id: &str) -> usize {
        self.steps
            .iter()
            .position(|step| step.id == id)
            .expect("edges name steps that exist")
    }

    /// What somebody may act on, in file order.
    pub(super) fn waiting_for_somebody(&self) -> Vec<Step> {
        let open = self.steps.iter().filter(|step| self.open.contains_key(&step.id));
        open.filter(|step| !matches!(step.kind, Kind::Fork(_)))
            .cloned()
            .collect()
    }

    /// Somebody did the step, or what it waited for came.
    pub(super) fn complete(&mut self, id: &str, route: usize, at: Minute) {
        self.record(id, at);
        let to = self.step(id).next[route].clone();
        self.lead(id, &to, at);
        self.consume_held(at);
    }

    pub(super) fn reject(&mut self, id: &str, at: Minute) {
        self.record(id, at);
        match self.step(id).kind {
            Kind::Approve {
                on_reject: Some(target),
            } => {
                self.rewind(id, &target);
                self.reach(&target, at);
                if !self.is_over {
                    self.done.remove(id);
                }
            }
            _ => self.end(),
        }
        self.consume_held(at);
    }

    pub(super) fn send(&mut self, event: &str, at: Minute) {
        match self.listener(event) {
            Some(step) => self.complete(&step, 0, at),
            None => self.held.push(event.to_owned()),
        }
    }

    /// Waits that have ended are over, each at its instant; of several the first in the file.
    pub(super) fn pass(&mut self, now: Minute) {
        loop {
            let ending = self
                .open
                .iter()
                .filter_map(|(id, since)| match self.step(id).kind {
                    Kind::Listen {
                        on_timeout: Some(to), ..
                    } => Some((since + 60, self.place(id), id.clone(), to)),
                    _ => None,
                });
            let Some((at, _, id, to)) = ending.filter(|(at, ..)| *at <= now).min() else {
                return;
            };
            self.record(&id, at);
            self.lead(&id, &to, at);
            self.consume_held(at);
        }
    }

    fn record(&mut self, id: &str, at: Minute) {
        self.open.remove(id);
        self.done.insert(id.to_owned());
        if let Some(former) = self.current.insert(id.to_owned(), at) {
            self.history.entry(id.to_owned()).or_default().push(former);
        }
        self.count(id);
    }

    fn count(&mut self, id: &str) {
        self.completions += 1;
        self.completed.insert(id.to_owned(), self.completions);
    }

    fn lead(&mut self, from: &str, to: &str, at: Minute) {
        if to != "join" {
            return self.reach(to, at);
        }
        let (fork, branch) = self.step(from).branch.expect("only branches lead to `join`");
        let joined = self.joined.entry(fork.clone()).or_default();
        assert!(joined.insert(branch), "a branch joins once");
        let Kind::Fork(entries) = self.step(&fork).kind else {
            panic!("{fork} is a fork")
        };
        if self.joined[&fork].len() == entries.len() {
            self.open.remove(&fork);
            self.done.insert(fork.clone());
            self.count(&fork);
            self.reach(&self.step(&fork).next[0].clone(), at);
        }
    }

    fn reach(&mut self, id: &str, at: Minute) {
        self.done.remove(id);
        match self.step(id).kind {
            Kind::Finish => {
                self.done.insert(id.to_owned());
                self.end();
            }
            Kind::Fork(entries) => {
                self.open.insert(id.to_owned(), at);
                self.joined.remove(id);
                for entry in entries {
                    self.reach(&entry, at);
                }
            }
            _ => {
                self.open.insert(id.to_owned(), at);
            }
        }
    }

    /// Every other step that completed after the target's latest completion; inside a branch only steps of it; with a fork
    /// its whole region.
    fn rewind(&mut self, rejecting: &str, target: &str) {
        let Some(since) = self.completed.get(target).copied() else {
            return;
        };
        let branch = self.step(rejecting).branch;
        for step in self.steps.clone() {
            let is_later = self.completed.get(&step.id).is_some_and(|number| *number > since);
            let is_of_target = step.branch.as_ref().is_some_and(|(fork, _)| fork == target);
            let is_here = branch.is_none() || step.branch == branch;
            if step.id == rejecting || step.id == target || !is_here || !(is_later || is_of_target) {
                continue;
            }
            self.completed.remove(&step.id);
            self.done.remove(&step.id);
            if let Some(former) = self.current.remove(&step.id) {
                self.history.entry(step.id).or_default().push(former);
            }
        }
    }

    /// The longest waiting one, then the first in the file.
    fn listener(&self, name: &str) -> Option<String> {
        let listening = self.open.iter().filter(|(id, _)| match self.step(id).kind {
            Kind::Listen { event, .. } => event == name,
            _ => false,
        });
        listening
            .min_by_key(|(id, since)| (**since, self.place(id)))
            .map(|(id, _)| id.clone())
    }

    fn consume_held(&mut self, at: Minute) {
        let consumed = self.held.iter().position(|event| self.listener(event).is_some());
        if let Some(oldest) = consumed.filter(|_| !self.is_over) {
            let event = self.held.remove(oldest);
            self.send(&event, at);
        }
    }

    fn end(&mut self) {
        self.is_over = true;
        self.held.clear();
    }

    /// Every step that shows a state or has anything recorded: `id state record [history]`.
    pub(super) fn shown(&self) -> Vec<String> {
        let shown = self.steps.iter().map(|step| {
            let id = &step.id;
            let state = match (self.open.contains_key(id), self.done.contains(id), self.is_over) {
                (true, _, true) => "cancelled",
                (true, _, false) => "open",
                (false, true, _) => "done",
                (false, false, _) => "null",
            };
            let history = self.history.get(id).cloned().unwrap_or_default();
            format!("{id} {state} {:?} {history:?}", self.current.get(id))
        });
        shown.collect()
    }
}
