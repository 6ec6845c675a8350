//! Random processes, commands and jumps of time. What must always be so after a write is checked by `World`.

use std::collections::BTreeMap;

use base::Caller;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::Index;

use super::plans::flow::{self, Flow};
use super::world::{
    World, agent, approved, bad, failed, good, group, lease, lena, mira, olga, rejected, returned,
};
use crate::command::{Adjustment, Command, Verdict};
use crate::event::EventKind;
use crate::settle::next_deadline;
use crate::state::{Handoff, Phase, RunState};
use crate::view::run_view;
use crate::{Actor, ClaimId, Conflict, Decision, Refusal, Rendered, decide};

/// A step before it has a place: what it points to are places among those that are allowed.
#[derive(Debug, Clone)]
struct Sketch {
    kind: u8,
    seconds: u64,
    next: Index,
    other: Index,
    on_reject: Option<Index>,
    due: Option<u64>,
}

/// What somebody tries.
#[derive(Debug, Clone)]
enum Act {
    Claim { agent: u128, step: Index },
    Renew(Index),
    Submit(Index, Quality),
    Escalate(Index),
    Decide { item: Index, by: u8, verdict: u8 },
    DecideUnseen(Index),
    Send(u8),
    Reassign(Index),
    Cancel,
    Wait(u64),
}

#[derive(Debug, Clone, Copy)]
enum Quality {
    Good,
    Bad,
}

fn sketch() -> impl Strategy<Value = Sketch> {
    let places = (any::<Index>(), any::<Index>(), of(any::<Index>()));
    (0..10_u8, 0..180_u64, places, of(0..180_u64)).prop_map(
        |(kind, seconds, (next, other, on_reject), due)| Sketch {
            kind,
            seconds,
            next,
            other,
            on_reject,
            due,
        },
    )
}

fn act() -> impl Strategy<Value = Act> {
    let place = any::<Index>;
    let quality = prop_oneof![3 => Just(Quality::Good), 1 => Just(Quality::Bad)];
    prop_oneof![
        6 => (0..2_u128, place()).prop_map(|(agent, step)| Act::Claim { agent, step }),
        2 => place().prop_map(Act::Renew),
        6 => (place(), quality).prop_map(|(claim, quality)| Act::Submit(claim, quality)),
        1 => place().prop_map(Act::Escalate),
        8 => (place(), 0..4_u8, 0..6_u8).prop_map(|(item, by, verdict)| Act::Decide { item, by, verdict }),
        1 => place().prop_map(Act::DecideUnseen),
        3 => (0..3_u8).prop_map(Act::Send),
        1 => place().prop_map(Act::Reassign),
        4 => (0..240_u64).prop_map(Act::Wait),
        1 => Just(Act::Wait(super::world::LEASE_SECONDS)),
        1 => prop::bool::weighted(0.3).prop_map(|ends| if ends { Act::Cancel } else { Act::Wait(0) }),
    ]
}

/// Steps lead forward only; a rejection leads anywhere. The last two are finishes.
fn process(sketches: &[Sketch]) -> Flow {
    let (count, name) = (sketches.len(), |place: usize| format!("s{place}"));
    let steps = sketches.iter().enumerate().map(|(place, sketch)| {
        let id = name(place);
        let later = |index: &Index| name(place + 1 + index.index(count + 1 - place));
        let event = ["paid", "sent"][usize::from(sketch.kind % 2)];
        let step = match sketch.kind {
            0..=2 => flow::agent(&id),
            3 => flow::task(&id, "finance"),
            4 | 5 => flow::approve(&id, "legal"),
            6 => flow::wait(&id, sketch.seconds),
            7 => flow::listen(&id, event, None),
            8 => flow::listen(&id, event, Some(sketch.seconds)),
            _ => flow::fork(&id, &[&later(&sketch.next), &later(&sketch.other)]),
        };
        let step = sketch
            .due
            .map_or(step.clone(), |due| step.due(due))
            .next(&later(&sketch.next));
        match &sketch.on_reject {
            Some(target) => step.on_reject(&name(target.index(count + 2))),
            None => step,
        }
    });
    let finishes = [flow::finish(&name(count)), flow::finish(&name(count + 1))];
    Flow::new(steps.chain(finishes))
}

fn person(by: u8) -> Caller {
    match by {
        0 => lena(),
        1 => mira(),
        2 => olga(),
        _ => agent(0),
    }
}

fn verdict(number: u8) -> Verdict {
    match number {
        0 => approved(),
        1 => rejected(),
        2 => returned(),
        3 => Verdict::Completed(bad()),
        4 => failed(),
        _ => Verdict::Completed(good()),
    }
}

/// What an act comes to in the present state: nothing when there is nothing that it could be about.
fn command(act: &Act, world: &World<'_>, claims: &[ClaimId]) -> Option<Command> {
    let recent = |index: &Index| {
        let recent = &claims[claims.len().saturating_sub(3)..];
        (!recent.is_empty()).then(|| *index.get(recent))
    };
    let by = |claim: ClaimId| agent(claim.agent.ulid().0);
    let item = |index: &Index| {
        let opened = world.state.items_opened;
        let number = u32::try_from(index.index(3)).unwrap_or(0);
        (opened > 0).then(|| world.state.item_id(opened.saturating_sub(1 + number)).to_string())
    };
    Some(match act {
        Act::Wait(_) => Command::Settle,
        Act::Claim { agent: n, step } => {
            let ready = world.offers();
            let step = (!ready.is_empty()).then(|| step.get(&ready).step.to_string());
            Command::Claim {
                step: step.unwrap_or_else(|| "s0".to_owned()),
                by: agent(*n),
                lease: lease(),
            }
        }
        Act::Renew(claim) => {
            let (claim, progress) = (recent(claim)?, Some("half".to_owned()));
            Command::Renew {
                claim,
                by: by(claim),
                progress,
                lease: lease(),
            }
        }
        Act::Submit(claim, quality) => {
            let claim = recent(claim)?;
            let submission = match quality {
                Quality::Good => good(),
                Quality::Bad => bad(),
            };
            Command::Submit {
                claim,
                by: by(claim),
                submission,
            }
        }
        Act::Escalate(claim) => {
            let claim = recent(claim)?;
            Command::Escalate {
                claim,
                by: by(claim),
                note: "no".to_owned(),
            }
        }
        Act::Decide {
            item: index,
            by,
            verdict: number,
        } => Command::Decide {
            item: item(index)?,
            by: person(*by),
            snapshot: world.state.snapshot().to_string(),
            verdict: verdict(*number),
        },
        Act::DecideUnseen(index) => Command::Decide {
            item: item(index)?,
            by: lena(),
            snapshot: "sha256:00".to_owned(),
            verdict: approved(),
        },
        Act::Send(name) => {
            let name = ["paid", "sent", "nonsense"][usize::from(*name)].to_owned();
            Command::SendEvent {
                by: agent(0),
                name,
                data: None,
            }
        }
        Act::Reassign(index) => {
            let rows = world.item_rows();
            let step = (!rows.is_empty()).then(|| index.get(&rows).item.step.to_string())?;
            let adjustment = Adjustment::Reassign {
                step,
                assigned: group("finance", &["mira"]),
            };
            Command::Adjust {
                by: Actor::Server,
                adjustment,
            }
        }
        Act::Cancel => Command::Cancel {
            by: olga(),
            reason: "enough".to_owned(),
        },
    })
}

/// The state without what a refused submission may change.
fn without_handoff(state: &RunState) -> RunState {
    let mut state = state.clone();
    state.seq = 0;
    for step in state.steps.values_mut() {
        step.handoff = Handoff::default();
    }
    state
}

/// A refused command changes nothing but handoff; what is due has been applied before.
fn check_refusal(before: &RunState, world: &World<'_>, refusal: &Refusal) {
    let written = &world.journal[usize::try_from(before.seq).expect("few events")..];
    let is_remembered = |kind: &EventKind| matches!(kind, EventKind::SubmissionRefused { .. });
    assert!(
        written.iter().all(|event| is_remembered(&event.kind)),
        "{refusal:?} wrote {written:?}"
    );
    let mut before = without_handoff(before);
    before.last_at = world.state.last_at;
    assert_eq!(before, without_handoff(&world.state));
    if !before.is_running() {
        assert_eq!(*refusal, Conflict::RunEnded.into());
        assert!(written.is_empty());
    }
}

/// The next deadline is the instant of the next change, and it is in the future of a settled run.
fn check_deadline(world: &World<'_>) {
    let settle = |at| match decide(world.plan, &world.state, &Command::Settle, at, &world.known) {
        Decision::Accepted(written) => written,
        other => panic!("a read comes to {other:?}"),
    };
    assert!(settle(world.now).events.is_empty(), "what is settled is settled");
    let far = world.now.after(std::time::Duration::from_secs(86_400));
    let Some(next) = next_deadline(&world.state) else {
        assert!(
            settle(far).events.is_empty(),
            "without a deadline nothing happens by itself"
        );
        return;
    };
    assert!(next > world.now);
    let just_before = base::Timestamp::from_millis(next.as_millis() - 1);
    assert!(settle(just_before).events.is_empty());
    assert_eq!(settle(next).events.first().map(|event| event.at), Some(next));
    // However often somebody looks in between, it comes to the same.
    let halfway = base::Timestamp::from_millis(i64::midpoint(world.now.as_millis(), far.as_millis()));
    let (at_once, mut stepwise) = (settle(far), settle(halfway).state);
    if let Decision::Accepted(rest) = decide(world.plan, &stepwise, &Command::Settle, far, &world.known) {
        rest.events.iter().for_each(|event| stepwise.evolve(event));
    }
    assert_eq!(at_once.state, stepwise);
}

/// The lists say what the run itself says.
fn check_lists(world: &World<'_>) {
    for (step, open) in &world.state.steps {
        let command = Command::Claim {
            step: step.to_string(),
            by: agent(7),
            lease: lease(),
        };
        let is_claimable = matches!(world.decide(&command), Decision::Accepted(_));
        let offers = world.offers();
        let offer = offers.iter().find(|offer| offer.step == *step);
        assert_eq!(
            is_claimable,
            offer.is_some_and(|offer| offer.available_at <= world.now),
            "{step}"
        );
        assert_eq!(
            offer.is_some(),
            matches!(open.phase, Phase::Ready { .. } | Phase::Claimed(_))
        );
    }
    let shown = run_view(world.plan, &world.state, world.now).items;
    let listed: Vec<_> = world.item_rows().into_iter().map(|row| row.item).collect();
    assert_eq!(shown, listed);
    if !world.state.is_running() {
        assert!(listed.is_empty() && world.offers().is_empty() && next_deadline(&world.state).is_none());
    }
}

/// A decision is stale exactly when run data changed.
fn check_snapshots(world: &World<'_>) {
    let (mut by_data, mut by_snapshot) = (BTreeMap::new(), BTreeMap::new());
    let mut state = RunState::begin(&world.journal[0]).expect("a journal begins with a start");
    for event in &world.journal {
        state.evolve(event);
        let (data, snapshot) = (state.data().to_string(), state.snapshot());
        assert_eq!(*by_data.entry(data.clone()).or_insert(snapshot), snapshot);
        assert_eq!(*by_snapshot.entry(snapshot).or_insert(data.clone()), data);
    }
}

fn live(sketches: &[Sketch], acts: &[Act]) {
    let flow = process(sketches);
    let mut world = World::new(&flow);
    let mut claims = Vec::new();
    for act in acts {
        if let Act::Wait(seconds) = act {
            world.pass(*seconds);
        }
        world.read();
        let Some(command) = command(act, &world, &claims) else {
            continue;
        };
        let before = world.state.clone();
        match world.act(&command) {
            Ok(Rendered::Claim(view)) => claims.push(view.claim),
            Ok(Rendered::Renewal { claim, .. }) => claims.push(claim),
            Ok(Rendered::Run(_) | Rendered::Sent { .. }) => {}
            Err(refusal) => check_refusal(&before, &world, &refusal),
        }
        check_deadline(&world);
        check_lists(&world);
    }
    world.check_replays();
    check_snapshots(&world);
}

proptest! {
    #[test]
    fn a_run_keeps_its_promises(sketches in vec(sketch(), 1..7), acts in vec(act(), 1..40)) {
        live(&sketches, &acts);
    }
}
