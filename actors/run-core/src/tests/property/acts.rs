//! What people, agents and time do to a run, at random.

use base::Caller;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::command::{Adjustment, Command, Verdict};
use crate::state::{Claim, Phase, StepState, Submission};
use crate::tests::world::{
    LEASE_SECONDS, World, agent, approved, bad, failed, good, lease, lena, mira, olga, person_id, rejected,
    returned,
};
use crate::{Actor, ClaimId};

#[derive(Debug, Clone)]
pub(super) enum Act {
    /// Does what an open step waits for, mostly well.
    GoOn { step: Index, how: u8 },
    /// Claims a step that may or may not be there for it.
    Claim { step: Index, by: u128 },
    /// Uses a token that may or may not be current.
    Use { token: Index, how: u8 },
    /// Decides an item that may or may not be open, as somebody who may or may not.
    Decide { item: u32, by: u8, how: u8 },
    /// Sends an event.
    Send(u8),
    /// Changes who is in a group, so that its items move.
    Reassign(u8),
    /// Stops the run.
    Cancel,
    /// Lets seconds pass.
    Wait(u64),
}

pub(super) fn act() -> impl Strategy<Value = Act> {
    let place = any::<Index>;
    prop_oneof![
        30 => (place(), any::<u8>()).prop_map(|(step, how)| Act::GoOn { step, how }),
        4 => (place(), 0..2_u128).prop_map(|(step, by)| Act::Claim { step, by }),
        6 => (place(), any::<u8>()).prop_map(|(token, how)| Act::Use { token, how }),
        6 => (0..4_u32, any::<u8>(), any::<u8>()).prop_map(|(item, by, how)| Act::Decide { item, by, how }),
        4 => any::<u8>().prop_map(Act::Send),
        2 => any::<u8>().prop_map(Act::Reassign),
        6 => prop_oneof![4 => 0..240_u64, 1 => Just(LEASE_SECONDS)].prop_map(Act::Wait),
        1 => prop_oneof![1 => Just(Act::Cancel), 3 => Just(Act::Wait(1))],
    ]
}

/// What an act comes to in the present state: nothing when there is nothing that it could be about.
pub(super) fn command(act: &Act, world: &World<'_>, tokens: &[ClaimId]) -> Option<Command> {
    match act {
        Act::GoOn { step, how } => go_on(world, *step, *how),
        Act::Claim { step, by } => {
            let steps = world.plan.steps();
            let step = step.get(steps).id.to_string();
            Some(Command::Claim {
                step,
                by: agent(*by),
                lease: lease(),
            })
        }
        Act::Use { token, how } => {
            let recent = &tokens[tokens.len().saturating_sub(3)..];
            (!recent.is_empty()).then(|| with_token(*token.get(recent), *how))
        }
        Act::Decide { item, by, how } => {
            let number = world.state.items_opened.saturating_sub(*item);
            let snapshot = if how % 8 == 7 {
                "sha256:00".to_owned()
            } else {
                snapshot(world)
            };
            let item = world.state.item_id(number).to_string();
            Some(Command::Decide {
                item,
                by: person(*by),
                snapshot,
                verdict: verdict(*how),
            })
        }
        Act::Send(name) => Some(send(["paid", "sent", "nonsense"][usize::from(name % 3)])),
        Act::Reassign(_) => Some(Command::Adjust {
            by: Actor::Server,
            adjustment: Adjustment::Reassign,
        }),
        Act::Cancel => Some(Command::Cancel {
            by: olga(),
            reason: "enough".to_owned(),
        }),
        Act::Wait(_) => Some(Command::Settle),
    }
}

fn go_on(world: &World<'_>, step: Index, how: u8) -> Option<Command> {
    let open: Vec<_> = world
        .state
        .steps
        .iter()
        .filter(|(_, step)| step.is_open())
        .collect();
    let (id, step) = (!open.is_empty()).then(|| step.get(&open))?;
    match &step.phase {
        Phase::Claimed(claim) if claim.is_live(world.now) => Some(with_token(token(world, claim), how)),
        Phase::Ready { .. } | Phase::Claimed(_) => {
            let by = agent(u128::from(how % 2));
            Some(Command::Claim {
                step: id.to_string(),
                by,
                lease: lease(),
            })
        }
        Phase::Assigned(_) | Phase::Escalated { .. } => decide(world, step, how),
        Phase::Listening { event, .. } => Some(send(event)),
        _ => None,
    }
}

fn decide(world: &World<'_>, step: &StepState, how: u8) -> Option<Command> {
    let item = step.item()?;
    let by = match &step.phase {
        Phase::Escalated { .. } => olga(),
        _ if item.assigned.includes(person_id("lena")) => lena(),
        _ => mira(),
    };
    let verdict = match (&step.phase, how % 16) {
        (_, 0) => failed(),
        (_, 1..=2) => Verdict::Completed(bad()),
        (Phase::Escalated { .. }, 3..=9) => returned(),
        (_, 3..=6) => approved(),
        (_, 7..=10) => rejected(),
        (_, _) => Verdict::Completed(good()),
    };
    let item = world.state.item_id(item.number).to_string();
    Some(Command::Decide {
        item,
        by,
        snapshot: snapshot(world),
        verdict,
    })
}

fn with_token(claim: ClaimId, how: u8) -> Command {
    let by = agent(claim.agent.ulid().0);
    match how % 8 {
        0 => Command::Renew {
            claim,
            by,
            progress: Some("half".to_owned()),
            lease: lease(),
        },
        1 => Command::Escalate {
            claim,
            by,
            note: "no".to_owned(),
        },
        2 => Command::Submit {
            claim,
            by,
            submission: bad(),
        },
        3 => Command::Submit {
            claim,
            by,
            submission: Submission::default(),
        },
        _ => Command::Submit {
            claim,
            by,
            submission: good(),
        },
    }
}

fn token(world: &World<'_>, claim: &Claim) -> ClaimId {
    ClaimId {
        run: world.state.run,
        number: claim.number,
        agent: claim.agent,
        key: claim.key,
    }
}

fn send(name: &str) -> Command {
    Command::SendEvent {
        by: agent(0),
        name: name.to_owned(),
        data: None,
    }
}

fn snapshot(world: &World<'_>) -> String {
    world.state.snapshot().to_string()
}

fn person(by: u8) -> Caller {
    match by % 4 {
        0 => lena(),
        1 => mira(),
        2 => olga(),
        _ => agent(0),
    }
}

fn verdict(how: u8) -> Verdict {
    match how % 6 {
        0 => approved(),
        1 => rejected(),
        2 => returned(),
        3 => Verdict::Completed(bad()),
        4 => failed(),
        _ => Verdict::Completed(good()),
    }
}
