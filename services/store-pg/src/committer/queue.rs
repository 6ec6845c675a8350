//! Who is next: one queue an organization, in turns.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{OrganizationId, RunId};
use tokio::sync::Notify;

use super::{LaneError, Outcome, Pending};

/// Commands in a batch.
pub(super) const BATCH_COMMANDS_MAX: usize = 64;
/// Bytes in a batch, unless one command alone has more.
const BATCH_BYTES_MAX: usize = 1 << 20;
/// Commands that wait. Whoever sends them bounds them too; this is a second net.
const QUEUE_COMMANDS_MAX: usize = 10_000;

/// Commands that wait for a lane.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    organizations: BTreeMap<OrganizationId, VecDeque<Pending>>,
    /// Those that have commands, each once.
    turns: VecDeque<OrganizationId>,
    commands: usize,
    state: State,
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
            State::Open if waiting.commands >= QUEUE_COMMANDS_MAX => LaneError::Full,
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
                    if waiting.commands > 0 {
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
            waiting.commands = 0;
            waiting.turns.clear();
            std::mem::take(&mut waiting.organizations)
        };
        self.wake.notify_one();
        let closing = Arc::new(LaneError::Closing);
        for pending in left.into_values().flatten() {
            pending.answer(Outcome::Unavailable(Arc::clone(&closing)));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn push(&mut self, pending: Pending) {
        let organization = pending.command.organization;
        let queue = self.organizations.entry(organization).or_default();
        if queue.is_empty() {
            self.turns.push_back(organization);
        }
        queue.push_back(pending);
        self.commands += 1;
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
        let queue = self.organizations.get_mut(&organization)?;
        let pending = queue.pop_front();
        if queue.is_empty() {
            self.organizations.remove(&organization);
        } else {
            self.turns.push_back(organization);
        }
        self.commands -= usize::from(pending.is_some());
        pending
    }

    fn put_back(&mut self, pending: Pending) {
        let organization = pending.command.organization;
        let queue = self.organizations.entry(organization).or_default();
        if queue.is_empty() {
            self.turns.push_front(organization);
        }
        queue.push_front(pending);
        self.commands += 1;
    }
}

#[cfg(test)]
mod tests;
