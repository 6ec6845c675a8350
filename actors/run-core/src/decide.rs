//! Commands in; events, a refusal, or questions out.

mod accept;
mod adjust;
mod cancel;
mod claim;
mod escalate;
mod identity;
pub(crate) use item::decisions;
mod item;
mod renew;
mod send_event;
mod submit;

use std::collections::BTreeSet;

use base::{Issues, Timestamp};

use crate::command::{Command, StartRun};
use crate::draft::{Draft, Stop};
use crate::event::{Event, RunStarted, Then};
use crate::known::{Known, Query};
use crate::plan::{Moves, Plan};
use crate::refusal::{Conflict, Refusal};
use crate::settle::settle;
use crate::state::RunState;

/// What comes of a command.
#[derive(Debug)]
pub enum Decision {
    /// These events are to be committed; then the command is done. There may be none.
    Accepted(Written),
    /// These events (deadlines that had passed, a refusal to remember) are to be committed; then the command is refused.
    Refused {
        /// What is to be committed first.
        written: Written,
        /// What the caller is told.
        refusal: Refusal,
    },
    /// Try again with these facts.
    Needs(Vec<Query>),
}

/// Events, and the state after them.
#[derive(Debug)]
pub struct Written {
    /// In order.
    pub events: Vec<Event>,
    /// The number of the first event that is the command's own; what stands before it was due anyway.
    pub first_seq: u64,
    /// The state after all of them.
    pub state: RunState,
    /// The instant of the command: the later of the clock and the run's last event.
    pub at: Timestamp,
}

/// Begins a run. A refusal writes nothing: there is no run.
pub fn start(
    plan: &dyn Plan,
    command: &StartRun,
    now: Timestamp,
    known: &Known,
) -> Result<Decision, Refusal> {
    match start_draft(plan, command, now, known) {
        Ok(draft) => Ok(Decision::Accepted(written(draft, 1))),
        Err(Stop::Needs(queries)) => Ok(needs(queries)),
        Err(Stop::Refused(refusal)) => Err(refusal),
    }
}

fn start_draft<'a>(
    plan: &'a dyn Plan,
    command: &StartRun,
    now: Timestamp,
    known: &'a Known,
) -> Result<Draft<'a>, Stop> {
    let mut issues = Issues::default();
    let moves = plan
        .start(&command.inputs, &command.starter)
        .unwrap_or_else(|found| {
            issues = found;
            Moves::default()
        });
    let started = RunStarted {
        run: command.run,
        process: plan.about().name.clone(),
        version: command.version,
        mode: command.mode,
        by: command.starter.by,
        initiator: command.starter.initiator.clone(),
        inputs: command.inputs.clone(),
        limits: command.limits,
        then: Then::default(),
    };
    let mut draft = if issues.is_empty() {
        Draft::begin(plan, started, moves, (now, known))?
    } else {
        Draft::begin(plan, started, Moves::default(), (now, known))?
    };
    issues.extend(accept::size_issue(plan, &draft.state));
    if !issues.is_empty() {
        return Err(Refusal::Invalid(issues.into_vec()).into());
    }
    settle(&mut draft)?;
    Ok(draft)
}

/// Decides a command to a run.
pub fn decide(
    plan: &dyn Plan,
    state: &RunState,
    command: &Command,
    now: Timestamp,
    known: &Known,
) -> Decision {
    let mut draft = Draft::new(plan, state.clone(), now.max(state.last_at), known);
    if let Err(Stop::Needs(queries)) = settle(&mut draft) {
        return needs(queries);
    }
    let first_seq = draft.state.seq + 1;
    let done = perform(&mut draft, command).and_then(|()| settle(&mut draft));
    match done {
        Ok(()) => Decision::Accepted(written(draft, first_seq)),
        Err(Stop::Needs(queries)) => needs(queries),
        Err(Stop::Refused(refusal)) => Decision::Refused {
            written: written(draft, first_seq),
            refusal,
        },
    }
}

/// Each fact is asked for once.
fn needs(queries: Vec<Query>) -> Decision {
    let queries: BTreeSet<_> = queries.into_iter().collect();
    Decision::Needs(queries.into_iter().collect())
}

fn written(draft: Draft<'_>, first_seq: u64) -> Written {
    Written {
        events: draft.events,
        first_seq,
        state: draft.state,
        at: draft.now,
    }
}

/// A command that is refused has pushed nothing but what is to be remembered of the refusal.
fn perform(draft: &mut Draft<'_>, command: &Command) -> Result<(), Stop> {
    if *command == Command::Settle {
        return Ok(());
    }
    if !draft.state.is_running() {
        return Err(Conflict::RunEnded.into());
    }
    match command {
        Command::Settle => Ok(()),
        Command::Claim { step, by, lease } => claim::claim(draft, step, by, *lease),
        Command::Renew {
            claim,
            by,
            progress,
            lease,
        } => renew::renew(draft, claim, by, (progress.clone(), *lease)),
        Command::Submit {
            claim,
            by,
            submission,
        } => submit::submit(draft, claim, by, submission),
        Command::Escalate { claim, by, note } => escalate::escalate(draft, claim, by, note),
        Command::Decide {
            item,
            by,
            snapshot,
            verdict,
        } => item::decide(draft, item, by, (snapshot, verdict)),
        Command::Cancel { by, reason } => cancel::cancel(draft, by, reason),
        Command::SendEvent { by, name, data } => send_event::send_event(draft, by, name, data.as_ref()),
        Command::Adjust { by, adjustment } => adjust::adjust(draft, *by, adjustment),
    }
}
