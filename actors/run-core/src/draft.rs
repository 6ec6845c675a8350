//! A decision in the making: the state as it would be, and the events that would make it so.

use base::Timestamp;

use crate::event::{Assigned, Event, EventKind, Moved, Opening, Reserved, RunStarted};
use crate::known::{Known, Query};
use crate::plan::{Ask, Assignee, Cause, EndedBy, Move, Moves, Performer, Plan, Sleep, Work};
use crate::refusal::Refusal;
use crate::state::{RunState, StepState};
use crate::words::{Actor, StepId};

/// Why a command does not go through, for now or for good.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Facts are missing: all that are known to be, in one round.
    Needs(Vec<Query>),
    /// It is refused.
    Refused(Refusal),
}

impl<R: Into<Refusal>> From<R> for Stop {
    fn from(refusal: R) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<Query> for Stop {
    fn from(query: Query) -> Self {
        Self::Needs(vec![query])
    }
}

pub(crate) struct Draft<'a> {
    pub(crate) plan: &'a dyn Plan,
    pub(crate) known: &'a Known,
    pub(crate) now: Timestamp,
    pub(crate) state: RunState,
    pub(crate) events: Vec<Event>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(plan: &'a dyn Plan, state: RunState, now: Timestamp, known: &'a Known) -> Self {
        Self {
            plan,
            known,
            now,
            state,
            events: Vec::new(),
        }
    }

    /// A draft that begins with a run's first event.
    pub(crate) fn begin(
        plan: &'a dyn Plan,
        started: RunStarted,
        moves: Moves,
        (now, known): (Timestamp, &'a Known),
    ) -> Result<Self, Stop> {
        let by = started.by;
        let event = Event {
            seq: 1,
            at: now,
            kind: EventKind::RunStarted(Box::new(started)),
        };
        let state = RunState::before_moves(&event).expect("the event above is a start with the number 1");
        let mut draft = Self {
            plan,
            known,
            now,
            state,
            events: vec![event],
        };
        draft.follow(moves, now, by)?;
        Ok(draft)
    }

    /// Adds an event that is complete: nothing follows from it, or what follows is in it.
    pub(crate) fn push(&mut self, kind: EventKind) {
        self.push_at(self.now, kind);
    }

    /// The same at a due instant.
    pub(crate) fn push_at(&mut self, at: Timestamp, kind: EventKind) {
        let event = self.next(at, kind);
        self.state.evolve(&event);
        self.events.push(event);
    }

    /// Adds an event, asks the Plan what follows from it, and applies that.
    pub(crate) fn push_and_follow(
        &mut self,
        at: Timestamp,
        kind: EventKind,
        cause: &Cause<'_>,
    ) -> Result<(), Stop> {
        let event = self.next(at, kind);
        let by = event.kind.then().map_or(Actor::Server, |(_, by)| by);
        self.state.apply_cause(&event);
        self.events.push(event);
        let moves = self.plan.moves(cause, &self.state);
        self.follow(moves, at, by)
    }

    fn next(&self, at: Timestamp, kind: EventKind) -> Event {
        Event {
            seq: self.state.seq + 1,
            at,
            kind,
        }
    }

    fn follow(&mut self, moves: Moves, at: Timestamp, by: Actor) -> Result<(), Stop> {
        let Moves { memory, moves } = moves;
        if let Some(memory) = &memory {
            self.state.memory.clone_from(memory);
        }
        let (mut resolved, mut needs) = (Vec::new(), Vec::new());
        for next in moves {
            match self.resolve(next, at, by) {
                Ok(all) => {
                    for moved in all {
                        self.state.apply_move(&moved, at);
                        resolved.push(moved);
                    }
                }
                Err(query) => needs.push(query),
            }
            if !self.state.is_running() {
                break;
            }
        }
        if !needs.is_empty() {
            return Err(Stop::Needs(needs));
        }
        if let Some(event) = self.events.last_mut() {
            if let Some(then) = event.kind.then_mut() {
                (then.memory, then.moves) = (memory, resolved);
            }
            self.state.close_rejection(&event.kind);
        }
        Ok(())
    }

    fn resolve(&self, next: Move, at: Timestamp, by: Actor) -> Result<Vec<Moved>, Query> {
        let is_open = |step: &StepId| self.state.step(step.as_str()).is_some_and(StepState::is_open);
        Ok(match next {
            Move::Reach(step) if is_open(&step) => Vec::new(),
            Move::Reach(step) => self.reach(step, at)?,
            Move::Withdraw(step) if !is_open(&step) => Vec::new(),
            Move::Withdraw(step) => vec![Moved::Withdrawn { step }],
            Move::Satisfied(step) => vec![Moved::Satisfied { step }],
            Move::Rewind(step) => vec![Moved::Rewound { step }],
            Move::End {
                outcome,
                by: ended_by,
                note,
            } => {
                let by = match ended_by {
                    EndedBy::Server => Actor::Server,
                    EndedBy::Cause => by,
                };
                vec![Moved::Ended { outcome, by, note }]
            }
        })
    }

    /// Opens a step. One that cannot be opened fails and ends the run (core-2 §3.5).
    fn reach(&self, step: StepId, at: Timestamp) -> Result<Vec<Moved>, Query> {
        let ask = self.plan.ask(&step, &self.state);
        let due = match &ask {
            Ask::Work(work) => work.due.map(|due| at.after(due)),
            _ => None,
        };
        let opening = self.opening(ask, at)?;
        let end = opening.failure();
        let mut moves = vec![Moved::Reached { step, due, opening }];
        moves.extend(end);
        Ok(moves)
    }

    fn opening(&self, ask: Ask, at: Timestamp) -> Result<Opening, Query> {
        Ok(match ask {
            Ask::Work(work) => self.work_opening(&work, at)?,
            Ask::Sleep(Sleep::For(duration)) => Opening::Timer {
                until: at.after(duration),
            },
            Ask::Sleep(Sleep::Until(until)) => Opening::Timer { until: until.max(at) },
            Ask::Listen { event, timeout } => Opening::Listening {
                event,
                timeout_at: timeout.map(|timeout| at.after(timeout)),
            },
            Ask::Hold => Opening::Held,
            Ask::Fail { note } => Opening::Failed { note },
        })
    }

    /// How a piece of work is open: claimable, or an item for somebody.
    pub(crate) fn work_opening(&self, work: &Work, at: Timestamp) -> Result<Opening, Query> {
        let whom = match &work.performer {
            Performer::Agent { reserved } => {
                let reserved = reserved.as_ref().map(|kept| Reserved {
                    agent: kept.agent,
                    until: at.after(kept.grace),
                });
                return Ok(Opening::Ready { reserved });
            }
            Performer::Task(whom) | Performer::Approve(whom) => whom,
        };
        Ok(match self.assigned(whom)? {
            Ok(assigned) => Opening::Item {
                item: self.state.items_opened,
                assigned,
            },
            Err(note) => Opening::Failed { note },
        })
    }

    /// Whom the item is for, or the note of a step that nobody can be found for.
    fn assigned(&self, whom: &Assignee) -> Result<Result<Assigned, String>, Query> {
        Ok(match whom {
            Assignee::Role(role) => match self.known.role(role)? {
                Some(assigned) => Ok(assigned.clone()),
                None => Err(format!("the role {role} is not mapped to a group")),
            },
            Assignee::Operators => Ok(self.known.operators()?.clone()),
            Assignee::Initiator => match &self.state.initiator {
                Some(starter) => Ok(Assigned::Person {
                    person: starter.person,
                    value: starter.email.clone(),
                }),
                None => Err("the run was started by an agent and has no initiator".to_owned()),
            },
            Assignee::Member(None) => Err("run data names nobody for this step".to_owned()),
            Assignee::Member(Some(email)) => match self.known.member(email)? {
                Some(person) => Ok(Assigned::Person {
                    person,
                    value: email.clone(),
                }),
                None => Err(format!("{email} is not a member of this organization")),
            },
        })
    }
}
