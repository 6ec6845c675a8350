//! Whatever the order in which the commands of two servers meet, and whatever goes wrong with their commits: what was acknowledged is in
//! the journal once, and each is what one server alone would have written there.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use base::{RunId, Timestamp};
use proptest::prelude::*;
use run_actors::{Limits, RunError};
use run_core::command::Verdict;
use run_core::state::RunState;
use run_core::{Command, Decision, Event, EventKind, Known, Query, Refusal, Rendered};
use run_ports::{Directory, RequestKey, RequestTarget};
use run_sim::Fault;
use tokio::task::JoinSet;

use crate::errand::{ERRAND, Errand};
use crate::watched::Watched;
use crate::world::{
    Server, World, agent, approved, caller, cancel, claim, decide, escalate, member, operator, rejected,
    renew, send_event, submit,
};

/// What one caller does.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Claim(&'static str),
    Renew,
    Submit,
    SubmitWrong,
    Escalate,
    Approve,
    Reject,
    Return,
    Send,
    Cancel,
    Read,
}

/// A deed by one of three, at one of two servers or at both.
#[derive(Debug, Clone, Copy)]
struct Asked {
    deed: Deed,
    who: u128,
    servers: &'static [usize],
}

/// What happens at once, after so many minutes.
#[derive(Debug, Clone)]
struct Moment {
    minutes: u64,
    faults: Vec<Fault>,
    asked: Vec<Asked>,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        5 => prop::sample::select(vec!["draft", "send", "check"]).prop_map(Deed::Claim),
        2 => Just(Deed::Renew),
        5 => Just(Deed::Submit),
        1 => Just(Deed::SubmitWrong),
        1 => Just(Deed::Escalate),
        4 => Just(Deed::Approve),
        1 => Just(Deed::Reject),
        2 => Just(Deed::Return),
        1 => Just(Deed::Send),
        1 => Just(Deed::Cancel),
        2 => Just(Deed::Read),
    ]
}

fn asked() -> impl Strategy<Value = Asked> {
    let servers: Vec<&'static [usize]> = vec![&[0], &[1], &[0, 1], &[0, 0, 1]];
    (deed(), 1..=3_u128, prop::sample::select(servers)).prop_map(|(deed, who, servers)| Asked {
        deed,
        who,
        servers,
    })
}

fn moment() -> impl Strategy<Value = Moment> {
    let fault = prop::sample::select(vec![Fault::AnswerLost, Fault::WriteLost, Fault::Unavailable]);
    let faults = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(fault, 1..4)];
    let minutes = prop::sample::select(vec![0, 0, 1, 11, 60]);
    (minutes, faults, prop::collection::vec(asked(), 1..6)).prop_map(|(minutes, faults, asked)| Moment {
        minutes,
        faults,
        asked,
    })
}

fn command(state: &RunState, asked: Asked) -> Option<Command> {
    let agent = agent(asked.who);
    Some(match asked.deed {
        Deed::Claim(step) => claim(step, &agent),
        Deed::Renew => renew(state, &agent),
        Deed::Submit => submit(state, &agent, None),
        Deed::SubmitWrong => submit(state, &agent, Some(("wrong", "field"))),
        Deed::Escalate => escalate(state, &agent),
        Deed::Approve => decide(state, &member(asked.who), approved()),
        Deed::Reject => decide(state, &member(asked.who), rejected()),
        Deed::Return => {
            let note = "again".to_owned();
            decide(state, &operator(), Verdict::Returned { note })
        }
        Deed::Send => send_event(&agent, "news"),
        Deed::Cancel => cancel(&operator()),
        Deed::Read => return None,
    })
}

/// A command, and what its callers were told in the end.
struct Told {
    request: RequestKey,
    command: Command,
    answers: Vec<Result<Rendered, RunError>>,
    /// The instant, and the numbers of the run's last events before and after.
    at: Timestamp,
    between: RangeInclusive<u64>,
}

/// Asks until somebody knows.
async fn ask(
    server: Arc<Server>,
    run: RunId,
    (command, request): (Command, RequestKey),
) -> Result<Rendered, RunError> {
    loop {
        match server.execute(run, command.clone(), request.clone()).await {
            Err(RunError::Unavailable) => {}
            answer => return answer,
        }
    }
}

async fn happen(world: &World, servers: &[Arc<Server>; 2], run: RunId, moment: &Moment) -> Vec<Told> {
    let at = world.clock.advance(Duration::from_mins(moment.minutes));
    for fault in &moment.faults {
        world.store.inject(*fault);
    }
    let state = world.stored(run).await;
    let (mut told, mut under_way) = (Vec::new(), JoinSet::new());
    for asked in &moment.asked {
        let Some(command) = command(&state, *asked) else {
            let server = Arc::clone(&servers[asked.servers[0]]);
            under_way.spawn(async move {
                let _ = server.see(run).await;
                None
            });
            continue;
        };
        let request = world.request(caller(&command));
        for at in asked.servers {
            let (server, place) = (Arc::clone(&servers[*at]), told.len());
            let ask = ask(server, run, (command.clone(), request.clone()));
            under_way.spawn(async move { Some((place, ask.await)) });
        }
        told.push(Told {
            request,
            command,
            answers: Vec::new(),
            at,
            between: state.seq..=state.seq,
        });
    }
    for (place, answer) in under_way.join_all().await.into_iter().flatten() {
        told[place].answers.push(answer);
    }
    let last = world.stored(run).await.seq;
    for told in &mut told {
        told.between = state.seq..=last;
    }
    told
}

/// What one server alone would write or say, with all the facts it asks for.
async fn decide_alone(
    world: &World,
    state: &RunState,
    (command, at): (&Command, Timestamp),
) -> Result<Vec<Event>, Refusal> {
    let (plan, mut known) = (Errand::new(), Known::default());
    loop {
        match run_core::decide(&plan, state, command, at, &known) {
            Decision::Accepted(written) => return Ok(written.events),
            Decision::Refused { refusal, .. } => return Err(refusal),
            Decision::Needs(queries) => {
                for query in queries {
                    note(world, &mut known, query).await;
                }
            }
        }
    }
}

async fn note(world: &World, known: &mut Known, query: Query) {
    let (store, organization) = (&world.store, world.organization);
    match query {
        Query::Role { role } => {
            let assigned = store.role(organization, ERRAND, &role).await;
            known.note_role(role, assigned.expect("the directory answers"));
        }
        Query::Operators => {
            let operators = store.operators(organization).await;
            known.note_operators(operators.expect("the directory answers"));
        }
        Query::Member { .. } | Query::File { .. } => panic!("the errand needs no {query:?}"),
    }
}

/// The run as it was after its first events.
fn after(journal: &[Event], seq: u64) -> RunState {
    let before = journal.iter().take_while(|event| event.seq <= seq);
    RunState::fold(before).expect("a run begins with its start")
}

/// The numbers of the events that a recorded request wrote, each of which is what one server alone would have written.
async fn own_events(world: &World, journal: &[Event], told: &Told) -> RangeInclusive<u64> {
    let row = world
        .recorded(&told.request)
        .await
        .expect("an acknowledged request is recorded");
    let RequestTarget::Run {
        first_seq, last_seq, ..
    } = row.target
    else {
        panic!("the request was to a run");
    };
    let before = after(journal, first_seq - 1);
    let alone = decide_alone(world, &before, (&told.command, row.at)).await;
    let own = journal
        .iter()
        .filter(|event| (first_seq..=last_seq).contains(&event.seq));
    assert_eq!(Ok(own.cloned().collect()), alone, "{:?}", told.command);
    first_seq..=last_seq
}

/// Whether the refusal is what one server alone would have said at one point of that moment.
async fn is_refused_alone(world: &World, journal: &[Event], told: &Told, refusal: &Refusal) -> bool {
    for seq in told.between.clone() {
        let alone = decide_alone(world, &after(journal, seq), (&told.command, told.at)).await;
        if alone.as_ref() == Err(refusal) {
            return true;
        }
    }
    false
}

/// Whether an event needs nobody's request: it was due, or it remembers a refusal.
fn needs_no_request(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::RunStarted(_) | EventKind::WaitElapsed { .. } | EventKind::SubmissionRefused { .. }
    )
}

async fn check(moments: Vec<Moment>, seed: u64) {
    let world = World::new().await;
    let store = |seed| Watched::delayed(Arc::clone(&world.store), seed);
    let server = async |seed| {
        Arc::new(
            world
                .server_on(store(seed), Errand::new(), Limits::default())
                .await,
        )
    };
    let servers = [server(seed).await, server(seed ^ 1).await];
    let run = servers[0].started(&world).await;
    let mut told = Vec::new();
    for moment in &moments {
        told.extend(happen(&world, &servers, run, moment).await);
    }

    let journal = world.journal(run).await;
    let mut owned = BTreeSet::new();
    for told in &told {
        let mut accepted = None;
        for answer in &told.answers {
            match answer {
                Ok(rendered) => assert_eq!(accepted.get_or_insert(rendered), &rendered),
                Err(RunError::Refused(refusal)) => {
                    let is_right = is_refused_alone(&world, &journal, told, refusal).await;
                    assert!(is_right, "{:?}: {refusal}", told.command);
                }
                Err(error) => panic!("{:?}: {error}", told.command),
            }
        }
        let Some(accepted) = accepted else {
            assert_eq!(world.recorded(&told.request).await, None, "{:?}", told.command);
            continue;
        };
        for seq in own_events(&world, &journal, told).await {
            assert!(owned.insert(seq), "event {seq} belongs to two requests");
        }
        let replay = ask(server(2).await, run, (told.command.clone(), told.request.clone())).await;
        assert_eq!(replay.as_ref(), Ok(accepted));
    }
    for event in journal.iter().filter(|event| !owned.contains(&event.seq)) {
        assert!(needs_no_request(&event.kind), "nobody asked for {event:?}");
    }
    for server in &servers {
        let read = loop {
            // A fault that no command has met yet may meet the read.
            if let Ok(read) = server.see(run).await {
                break read;
            }
        };
        assert_eq!(*read.state, world.stored(run).await);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn two_servers_write_what_one_would_have(moments in prop::collection::vec(moment(), 1..16), seed: u64) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime starts").block_on(check(moments, seed));
    }
}
