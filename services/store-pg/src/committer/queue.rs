//! Who is next: one queue an organization, in turns.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{OrganizationId, RunId};
use tokio::sync::Notify;

use super::{Encoded, LaneError, Outcome, Pending};

/// Commands in a batch.
pub(super) const BATCH_COMMANDS_MAX: usize = 64;
/// Bytes in a batch, unless one command alone has more.
const BATCH_BYTES_MAX: usize = 1 << 20;
/// Commands of an organization that wait. Whoever sends them bounds them too; this is a second net.
const QUEUE_COMMANDS_MAX: usize = 4096;
/// Their bytes, unless one command alone has more.
const QUEUE_BYTES_MAX: usize = 32 << 20;

/// Commands that wait for a lane.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    organizations: BTreeMap<OrganizationId, Line>,
    /// Those that have commands, each once.
    turns: VecDeque<OrganizationId>,
    state: State,
}

/// The commands of an organization. A long one is nobody else's concern.
#[derive(Debug, Default)]
struct Line {
    commands: VecDeque<Pending>,
    bytes: usize,
}

impl Line {
    fn is_full_for(&self, command: &Encoded) -> bool {
        let is_too_much = !self.commands.is_empty() && self.bytes + command.bytes > QUEUE_BYTES_MAX;
        is_too_much || self.commands.len() >= QUEUE_COMMANDS_MAX
    }

    fn push_back(&mut self, pending: Pending) {
        self.bytes += pending.command.bytes;
        self.commands.push_back(pending);
    }

    fn push_front(&mut self, pending: Pending) {
        self.bytes += pending.command.bytes;
        self.commands.push_front(pending);
    }

    fn pop_front(&mut self) -> Option<Pending> {
        let pending = self.commands.pop_front()?;
        self.bytes -= pending.command.bytes;
        Some(pending)
    }
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Open,
    Closed,
}

impl Queue {
    /// Puts a command at the end of its organization's queue, and wakes a lane.
    pub(super) fn push(&self, pending: Pending) {
        let mut waiting = self.lock();
        let refusal = match waiting.state {
            State::Closed => LaneError::Closing,
            State::Open if waiting.is_full_for(&pending.command) => LaneError::Full,
            State::Open => {
                waiting.push(pending);
                drop(waiting);
                return self.wake.notify_one();
            }
        };
        pending.answer(Outcome::Unavailable(Arc::new(refusal)));
    }

    /// The next batch, as soon as there is a command; `None` once the queue is closed.
    pub(super) async fn next(&self) -> Option<Vec<Pending>> {
        loop {
            let woken = self.wake.notified();
            {
                let mut waiting = self.lock();
                let batch = waiting.take();
                if !batch.is_empty() {
                    if !waiting.turns.is_empty() {
                        self.wake.notify_one();
                    }
                    return Some(batch);
                }
                if waiting.state == State::Closed {
                    self.wake.notify_one();
                    return None;
                }
            }
            woken.await;
        }
    }

    /// Takes no more commands, and answers those that wait.
    pub(super) fn close(&self) {
        let left = {
            let mut waiting = self.lock();
            waiting.state = State::Closed;
            waiting.turns.clear();
            std::mem::take(&mut waiting.organizations)
        };
        self.wake.notify_one();
        let closing = Arc::new(LaneError::Closing);
        for pending in left.into_values().flat_map(|line| line.commands) {
            pending.answer(Outcome::Unavailable(Arc::clone(&closing)));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn is_full_for(&self, command: &Encoded) -> bool {
        let line = self.organizations.get(&command.organization);
        line.is_some_and(|line| line.is_full_for(command))
    }

    fn push(&mut self, pending: Pending) {
        let organization = pending.command.organization;
        let line = self.organizations.entry(organization).or_default();
        if line.commands.is_empty() {
            self.turns.push_back(organization);
        }
        line.push_back(pending);
    }

    /// One command of each organization in turn until the batch is full. A run that is in it already waits for the next one.
    fn take(&mut self) -> Vec<Pending> {
        let mut batch: Vec<Pending> = Vec::new();
        let mut bytes = 0;
        let mut runs: BTreeSet<RunId> = BTreeSet::new();
        let mut later = Vec::new();
        while batch.len() < BATCH_COMMANDS_MAX {
            let Some(pending) = self.pop() else { break };
            let is_double = runs.contains(&pending.command.run);
            let is_too_much = !batch.is_empty() && bytes + pending.command.bytes > BATCH_BYTES_MAX;
            if is_double || is_too_much {
                later.push(pending);
                if is_too_much {
                    break;
                }
                continue;
            }
            bytes += pending.command.bytes;
            runs.insert(pending.command.run);
            batch.push(pending);
        }
        for pending in later.into_iter().rev() {
            self.put_back(pending);
        }
        batch
    }

    fn pop(&mut self) -> Option<Pending> {
        let organization = self.turns.pop_front()?;
        let line = self.organizations.get_mut(&organization)?;
        let pending = line.pop_front();
        if line.commands.is_empty() {
            self.organizations.remove(&organization);
        } else {
            self.turns.push_back(organization);
        }
        pending
    }

    fn put_back(&mut self, pending: Pending) {
        let organization = pending.command.organization;
        let line = self.organizations.entry(organization).or_default();
        if line.commands.is_empty() {
            self.turns.push_front(organization);
        }
        line.push_front(pending);
    }
}

#[cfg(test)]
mod tests;
