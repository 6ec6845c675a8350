//! What must be so when everything is over, whatever went wrong on the way.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use base::{RunId, Timestamp};
use formats::{Format, compile};
use run_actors::RunError;
use run_core::event::{Assigned, DeliveredFrom};
use run_core::project::rows;
use run_core::state::Phase;
use run_core::{Command, Conflict, Event, EventKind, Plan, Refusal, RunState, StepId};
use run_ports::{Directory, PageOf, RequestTarget, RunFilter, WorkQueries};
use run_sim::processes::ROLES;

use crate::link::lock;
use crate::world::{Asked, PROCESS, Told, World};

/// Holds the end of a simulation to everything that was promised on the way.
pub(crate) async fn verify(world: &World) {
    let told = std::mem::take(&mut *lock(&world.told));
    for (number, organization) in world.organizations.iter().enumerate() {
        for (run, place) in organization.runs() {
            let plan = compile(Format::Process, organization.processes[place].text().as_bytes());
            let plan = plan.expect("a drawn process is valid");
            let journal = world.journal(number, run).await;
            check_journal(&journal, run);
            check_rows(world, number, (&*plan, run), &journal);
            let of_run = |told: &&Told| told.organization == number && run_of(told) == Some(run);
            check_requests(world, &journal, told.iter().filter(of_run)).await;
            check_servers(world, number, run, &journal).await;
        }
    }
    check_starts(world, &told).await;
    check_answers(world, &told).await;
}

/// What the keepers are for: nothing stays due, and no item is for those of yesterday.
pub(crate) async fn check_keepers(world: &World) {
    let store = &world.database.store;
    let late = world.now_millis() - LATE_MAX_MILLIS;
    for organization in &world.organizations {
        let operators = store
            .operators(organization.id)
            .await
            .expect("the store in memory answers");
        for (run, _) in organization.runs() {
            let kept = store
                .kept(organization.id, run)
                .expect("an acknowledged run is kept");
            let due = kept.row.next_deadline.map(Timestamp::as_millis);
            assert!(
                due.is_none_or(|due| due > late),
                "{run} was due at {due:?} and is not settled"
            );
            for row in kept.items {
                let mut present = vec![operators.clone()];
                for role in ROLES {
                    let role = store.role(organization.id, PROCESS, role).await;
                    present.extend(role.expect("the store in memory answers"));
                }
                let is_for_a_group = matches!(row.item.assigned, Assigned::Group { .. });
                assert!(
                    !is_for_a_group || present.contains(&row.item.assigned),
                    "{run}: {row:?}"
                );
            }
        }
    }
}

/// How late a deadline may be applied: a tick of the sweeper, and what clocks and delays add.
const LATE_MAX_MILLIS: i64 = 10_000;

fn run_of(told: &Told) -> Option<RunId> {
    match (&told.asked, &told.answer) {
        (Asked::Do(run, _), _) => Some(*run),
        (Asked::Start(_), Ok(run_core::Rendered::Run(view))) => Some(view.run.run),
        (Asked::Start(_), _) => None,
    }
}

/// Numbered without a gap, never back in time, and no step held by two at once.
fn check_journal(journal: &[Event], run: RunId) {
    let mut state = RunState::begin(&journal[0]).expect("a journal begins with a start");
    assert_eq!(state.run, run);
    for event in &journal[1..] {
        assert_eq!(
            event.seq,
            state.seq + 1,
            "{run}: events are numbered without a gap"
        );
        assert!(
            event.at >= state.last_at,
            "{run}: event {} goes back in time",
            event.seq
        );
        if let EventKind::StepClaimed { step, .. } = &event.kind {
            let holder = holder_at(&state, step, event);
            assert!(holder.is_none(), "{run}: {step} was claimed while it was held");
        }
        state.evolve(event);
    }
    assert!(!state.is_running(), "{run} came to no end");
}

fn holder_at(state: &RunState, step: &StepId, event: &Event) -> Option<u32> {
    match &state.steps.get(step)?.phase {
        Phase::Claimed(claim) if claim.is_live(event.at) => Some(claim.number.0),
        _ => None,
    }
}

/// The rows of lists and timers are those of the journal.
fn check_rows(world: &World, organization: usize, (plan, run): (&dyn Plan, RunId), journal: &[Event]) {
    let state = RunState::fold(journal).expect("a journal begins with a start");
    let whole = rows(plan, &state);
    let kept = world
        .database
        .store
        .kept(world.organizations[organization].id, run);
    let kept = kept.expect("an acknowledged run is kept");
    assert_eq!(kept.row, whole.run, "{run}");
    assert_eq!(
        (kept.offers, kept.items),
        (whole.offers_put, whole.items_put),
        "{run}"
    );
}

/// Every acknowledged write is there once, every refused one is not, and what is there was asked for or due.
async fn check_requests(world: &World, journal: &[Event], told: impl Iterator<Item = &Told>) {
    let mut owned = BTreeSet::new();
    let last = RunState::fold(journal).expect("a journal begins with a start");
    for told in told {
        let row = world.recorded(told.organization, &told.request).await;
        match &told.answer {
            Ok(_) => {
                let Some(RequestTarget::Run {
                    first_seq, last_seq, ..
                }) = row.map(|row| row.target)
                else {
                    panic!("{}: acknowledged and not recorded", told.request.id.as_str());
                };
                assert!(last_seq <= last.seq);
                for seq in first_seq..=last_seq {
                    assert!(owned.insert(seq), "event {seq} belongs to two requests");
                }
            }
            Err(error) => {
                assert_eq!(row, None, "{}: refused and recorded", told.request.id.as_str());
                check_refusal(error, told, &last, journal);
            }
        }
    }
    for event in journal.iter().filter(|event| !owned.contains(&event.seq)) {
        assert!(happens_by_itself(&event.kind), "nobody asked for {event:?}");
    }
}

fn happens_by_itself(kind: &EventKind) -> bool {
    match kind {
        EventKind::WaitElapsed { .. }
        | EventKind::WaitTimedOut { .. }
        | EventKind::StepOverdue { .. }
        | EventKind::SubmissionRefused { .. }
        | EventKind::ItemReassigned { .. } => true,
        EventKind::EventDelivered { from, .. } => *from == DeliveredFrom::Held,
        _ => false,
    }
}

/// What a refusal said was so: an end and a decision stay, and a claim of another is in the journal.
fn check_refusal(error: &RunError, told: &Told, last: &RunState, journal: &[Event]) {
    let (RunError::Refused(Refusal::Conflict(conflict)), Asked::Do(_, command)) = (error, &told.asked) else {
        return;
    };
    match (conflict, command) {
        (Conflict::RunEnded, _) => assert!(!last.is_running()),
        (Conflict::AlreadyDecided, Command::Decide { item, .. }) => {
            let is_open = (0..last.items_opened).any(|number| {
                last.item_id(number).to_string() == *item && last.step_of_item(number).is_some()
            });
            assert!(!is_open, "{item} is not decided");
        }
        (Conflict::ClaimedByOther { until }, Command::Claim { step, .. }) => {
            let is_held = journal.iter().any(|event| match &event.kind {
                EventKind::StepClaimed {
                    step: claimed,
                    expires_at,
                    ..
                }
                | EventKind::ClaimRenewed {
                    step: claimed,
                    expires_at,
                    ..
                } => claimed.as_str() == step && expires_at == until,
                _ => false,
            });
            assert!(is_held, "nobody held {step} until {until}");
        }
        _ => {}
    }
    assert!(told.seq_before <= last.seq);
}

/// What runs was acknowledged, and a start that was refused did not happen.
async fn check_starts(world: &World, told: &[Told]) {
    for organization in &world.organizations {
        let page = PageOf {
            after: None,
            limit: usize::MAX,
            process: None,
        };
        let store = &world.database.store;
        let kept = store.runs(organization.id, &RunFilter::default(), &page).await;
        let kept = kept.expect("the store in memory answers").entries;
        let kept: BTreeSet<RunId> = kept.iter().map(|entry| entry.run).collect();
        let known: BTreeSet<RunId> = organization.runs().iter().map(|(run, _)| *run).collect();
        assert_eq!(kept, known);
    }
    for told in told {
        if let (Asked::Start(_), Err(error)) = (&told.asked, &told.answer) {
            let row = world.recorded(told.organization, &told.request).await;
            assert_eq!(row, None, "{}: {error}, and recorded", told.request.id.as_str());
        }
    }
}

/// Every server shows the run as the journal has it.
async fn check_servers(world: &World, organization: usize, run: RunId, journal: &[Event]) {
    let id = world.organizations[organization].id;
    let state = RunState::fold(journal);
    for _ in 0..world.servers_running() {
        let Some((number, server)) = world.server() else {
            continue;
        };
        let seen = server.see(id, run).await;
        assert_eq!(seen.map(Arc::unwrap_or_clone), state, "{run} at server {number}");
    }
}

/// Whoever asks again is told what was said at first.
async fn check_answers(world: &World, told: &[Told]) {
    for (number, told) in told.iter().filter(|told| told.answer.is_ok()).enumerate() {
        let (_, server) = world.server().expect("servers run at the end");
        let id = world.organizations[told.organization].id;
        let again = server.ask(id, &told.asked, &told.request).await;
        assert_eq!(again.as_ref(), Some(&told.answer), "{}", told.request.id.as_str());
        if number % 8 > 0 {
            continue;
        }
        let mut other = told.request.clone();
        other.tool.push_str(" by another name");
        let reused = server.ask(id, &told.asked, &other).await;
        assert!(matches!(reused, Some(Err(RunError::RequestReused))), "{reused:?}");
    }
    assert!(world.is_over.load(Ordering::SeqCst));
}
