//! One command: decide, commit, answer. Nothing is answered before the commit, and a refusal only from the current state.

use std::sync::Arc;

use run_core::command::Adjustment;
use run_core::{Actor, Command, Decision, Plan, Refusal, RunState, StartRun, Written, project};
use run_ports::{Commit, CommitVerdict, NewRequest};
use tracing::{error, warn};

use super::journal::NotLoaded;
use super::{AskOfRun, Done, Live, Loaded, Perform, Performed};
use crate::guard::guarded;

const REASSIGN: Command = Command::Adjust {
    by: Actor::Server,
    adjustment: Adjustment::Reassign,
};

/// What one attempt came to.
enum Attempt {
    /// An answer.
    Answer(Performed),
    /// Another write came first, or the fate of ours is unknown: bring the state up to date and decide again.
    Again,
}

impl From<NotLoaded> for Performed {
    fn from(reason: NotLoaded) -> Self {
        match reason {
            NotLoaded::NotFound => Self::NotFound,
            NotLoaded::Unavailable => Self::Unavailable,
            NotLoaded::Broken => Self::Broken,
        }
    }
}

pub(crate) async fn perform(live: &mut Live, perform: &Perform) -> Performed {
    for attempt in 0..=live.with.limits.conflicts_max {
        let tried = match &perform.asked.what {
            AskOfRun::Start(command, plan) => start(live, (command, plan), perform).await,
            AskOfRun::Do(command) => {
                let loaded = if attempt == 0 {
                    live.loaded().await
                } else {
                    live.catch_up().await
                };
                loaded_once(live, loaded, (command, perform)).await
            }
            // A read after an acknowledged write sees it, whichever server answers.
            AskOfRun::See | AskOfRun::Settle => {
                let loaded = live.newest().await;
                loaded_once(live, loaded, (&Command::Settle, perform)).await
            }
            // An item that was opened before the change is seen, whichever server opened it.
            AskOfRun::Reassign => {
                let loaded = live.newest().await;
                loaded_once(live, loaded, (&REASSIGN, perform)).await
            }
        };
        match tried {
            Attempt::Answer(performed) => return performed,
            Attempt::Again => {}
        }
    }
    warn!(run = %live.with.run, "a command met too many conflicts");
    Performed::Unavailable
}

async fn start(live: &mut Live, (command, plan): (&StartRun, &Arc<dyn Plan>), perform: &Perform) -> Attempt {
    if live.is_unsettled || live.loaded.is_some() {
        // The start was committed, or may have been: the request row tells.
        return Attempt::Answer(after_unknown_start(live, perform).await);
    }
    let now = live.with.ports.clock.now();
    match guarded(|| run_core::start(&**plan, command, now, &perform.facts.known)) {
        // A start is never refused with events, since there is no run to write them to.
        None | Some(Ok(Decision::Refused { .. })) => {
            error!(run = %live.with.run, "starting panicked");
            Attempt::Answer(unless_recorded(live, perform, Performed::Broken).await)
        }
        Some(Err(refusal)) => {
            Attempt::Answer(unless_recorded(live, perform, Performed::Refused(refusal)).await)
        }
        Some(Ok(Decision::Needs(queries))) => Attempt::Answer(Performed::Needs {
            queries,
            process: plan.about().name.clone(),
        }),
        Some(Ok(Decision::Accepted(written))) => {
            accept(live, Arc::clone(plan), None, (written, perform)).await
        }
    }
}

async fn after_unknown_start(live: &mut Live, perform: &Perform) -> Performed {
    match live.catch_up().await {
        Ok(_) | Err(NotLoaded::NotFound) => {}
        Err(reason) => return reason.into(),
    }
    // Without a record it did not happen. The caller tries again, under a new run id.
    unless_recorded(live, perform, Performed::Unavailable).await
}

/// What is said when nothing was written. A replay comes before all of it (core-2 §4).
async fn unless_recorded(live: &Live, perform: &Perform, otherwise: Performed) -> Performed {
    let Some(key) = &perform.asked.request else {
        return otherwise;
    };
    let store = &live.with.ports.store;
    match store.look(live.with.organization, Some(&key.id), None).await {
        Ok(look) => look.request.map_or(otherwise, Performed::Taken),
        Err(error) => NotLoaded::from(error).into(),
    }
}

async fn loaded_once(
    live: &mut Live,
    loaded: Result<Loaded, NotLoaded>,
    (command, perform): (&Command, &Perform),
) -> Attempt {
    match loaded {
        Ok(loaded) => once(live, loaded, (command, perform)).await,
        Err(NotLoaded::NotFound) => {
            Attempt::Answer(unless_recorded(live, perform, Performed::NotFound).await)
        }
        Err(reason) => Attempt::Answer(reason.into()),
    }
}

async fn once(live: &mut Live, loaded: Loaded, (command, perform): (&Command, &Perform)) -> Attempt {
    let Loaded { plan, state } = loaded;
    let now = live.with.ports.clock.now();
    let decided = guarded(|| run_core::decide(&*plan, &state, command, now, &perform.facts.known));
    match decided {
        None => {
            error!(run = %live.with.run, "deciding panicked");
            Attempt::Answer(unless_recorded(live, perform, Performed::Broken).await)
        }
        Some(Decision::Needs(queries)) => Attempt::Answer(Performed::Needs {
            queries,
            process: state.process.clone(),
        }),
        Some(Decision::Accepted(written)) => accept(live, plan, Some(&state), (written, perform)).await,
        Some(Decision::Refused { written, refusal }) => {
            refuse(live, Loaded { plan, state }, (written, refusal), perform).await
        }
    }
}

async fn accept(
    live: &mut Live,
    plan: Arc<dyn Plan>,
    before: Option<&Arc<RunState>>,
    (written, perform): (Written, &Perform),
) -> Attempt {
    let at = written.at;
    let own =
        usize::try_from(written.first_seq - before.map_or(0, |state| state.seq) - 1).unwrap_or(usize::MAX);
    let events = written.events.get(own..).unwrap_or_default().to_vec();
    let request = perform.asked.request.clone().map(|key| NewRequest {
        key,
        first_seq: written.first_seq,
        at,
    });
    if written.events.is_empty() && request.is_none() {
        let Some(Loaded { plan, state }) = live.loaded.clone() else {
            return Attempt::Again;
        };
        return Attempt::Answer(Performed::Done(Done {
            plan,
            state,
            events,
            at,
        }));
    }
    match write(live, &plan, before, (written, request, perform)).await {
        Ok(state) => Attempt::Answer(Performed::Done(Done {
            plan,
            state,
            events,
            at,
        })),
        Err(attempt) => attempt,
    }
}

/// A refusal is sent only when the request is new, the run has not moved since the state it was judged on, and nobody is moving it:
/// the request may be under way, from a server that decided it in time and is gone, and no answer may overtake it.
async fn refuse(
    live: &mut Live,
    loaded: Loaded,
    (written, refusal): (Written, Refusal),
    perform: &Perform,
) -> Attempt {
    let Loaded { plan, state } = loaded;
    let id = perform.asked.request.as_ref().map(|key| &key.id);
    let look = match live
        .with
        .ports
        .store
        .look(live.with.organization, id, Some(live.with.run))
        .await
    {
        Ok(look) => look,
        Err(error) => return Attempt::Answer(NotLoaded::from(error).into()),
    };
    if let Some(row) = look.request {
        return Attempt::Answer(Performed::Taken(row));
    }
    // What is under way is waited for before the next attempt, and when nobody knows in time there is no refusal either.
    live.is_unsettled |= look.head.is_some_and(|head| head.is_being_written);
    if live.is_unsettled || look.head.is_none_or(|head| head.seq != state.seq) {
        return Attempt::Again;
    }
    if !written.events.is_empty()
        && let Err(attempt) = write(live, &plan, Some(&state), (written, None, perform)).await
    {
        return attempt;
    }
    Attempt::Answer(Performed::Refused(refusal))
}

/// Commits, and takes over the new state.
async fn write(
    live: &mut Live,
    plan: &Arc<dyn Plan>,
    before: Option<&Arc<RunState>>,
    (written, request, perform): (Written, Option<NewRequest>, &Perform),
) -> Result<Arc<RunState>, Attempt> {
    let state = Arc::new(written.state);
    let changes = guarded(|| project::changes(&**plan, before.map(Arc::as_ref), &state));
    let Some(changes) = changes else {
        error!(run = %live.with.run, "a Plan panicked on what lists show of its run");
        return Err(Attempt::Answer(Performed::Broken));
    };
    let commit = Commit {
        organization: live.with.organization,
        run: live.with.run,
        expected_seq: before.map_or(0, |before| before.seq),
        effects: run_core::effects(&state, &written.events),
        events: written.events,
        changes,
        request,
        directory_revision: perform.facts.directory_revision,
    };
    match live.with.ports.store.commit(commit).await {
        CommitVerdict::Committed => {
            live.loaded = Some(Loaded {
                plan: Arc::clone(plan),
                state: Arc::clone(&state),
            });
            Ok(state)
        }
        CommitVerdict::Conflict => {
            // A new run that exists already: an earlier start of ours may have been committed.
            live.is_unsettled |= before.is_none();
            Err(Attempt::Again)
        }
        CommitVerdict::Outdated => Err(Attempt::Answer(Performed::Outdated)),
        CommitVerdict::RequestTaken(row) => Err(Attempt::Answer(Performed::Taken(row))),
        CommitVerdict::Unknown(error) => {
            warn!(run = %live.with.run, %error, "the fate of a commit is unknown");
            live.is_unsettled = true;
            Err(Attempt::Again)
        }
        CommitVerdict::Unavailable(error) => {
            warn!(run = %live.with.run, %error, "a commit was not made");
            Err(Attempt::Answer(Performed::Unavailable))
        }
    }
}
