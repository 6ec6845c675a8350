//! Agents, people and senders of events, who do what the run waits for, and now and then something else.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use base::Caller;
use run_actors::{RunError, StartRequest};
use run_core::command::{Lease, Verdict};
use run_core::event::Assigned;
use run_core::state::{Phase, RunLimits, RunState, StepState, Submission};
use run_core::view::state_word;
use run_core::{ClaimId, Command, EvidenceKind, KeyId, Mode, Rendered, RunWord, StepId};
use run_ports::RequestKey;
use run_sim::Dice;
use run_sim::handing::handed;
use run_sim::model::Handed;
use run_sim::processes::{EVENTS, Kind, Process};
use std::time::Duration;

use crate::link::{lock, pause};
use crate::refusals::check_refusal;
use crate::world::{Asked, PROCESS, Told, World, actor, agent, inputs, member, millis, person};

/// Runs that each organization has in the end.
const RUNS: usize = 4;

/// Who somebody is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Role {
    Agent(u128),
    People,
    Sender,
}

/// Whether somebody means well at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Sensible,
    Careless,
}

/// One participant: goes on until everything is over.
pub(crate) async fn participate(world: Arc<World>, organization: usize, role: Role, seed: u64) {
    let dice = Dice::new(seed);
    while !world.is_over.load(Ordering::SeqCst) {
        pause(millis(&dice, 1, 5_000)).await;
        act(&world, organization, role, &dice).await;
    }
}

async fn act(world: &World, organization: usize, role: Role, dice: &Dice) {
    let home = &world.organizations[organization];
    let runs = home.runs();
    if runs.len() < RUNS && dice.chance(40) {
        return start(world, organization, dice).await;
    }
    if !world.fates.is_calm() && dice.chance(4) {
        return repeat(world, organization, dice).await;
    }
    let Some((run, place)) = dice.pick(&runs).copied() else {
        return;
    };
    let Some((_, server)) = world.server() else {
        return;
    };
    let Some(seen) = server.see(home.id, run).await else {
        return;
    };
    let mood = if world.fates.is_calm() || dice.chance(80) {
        Mood::Sensible
    } else {
        Mood::Careless
    };
    let found = command(&seen, &home.processes[place], role, mood, dice);
    if let Some((by, command)) = found {
        let request = world.request(&by, tool(&command));
        let asked = Asked::Do(run, command);
        let _ = insist(world, organization, (asked, request, seen.seq), dice).await;
    }
}

/// Asks an old request again: what was done is told again, by whichever server.
async fn repeat(world: &World, organization: usize, dice: &Dice) {
    let old = {
        let told = lock(&world.told);
        let done: Vec<_> = told
            .iter()
            .filter(|told| told.organization == organization && told.answer.is_ok())
            .collect();
        dice.pick(&done)
            .map(|told| (told.asked.clone(), told.request.clone(), told.answer.clone()))
    };
    let Some((asked, request, answer)) = old else {
        return;
    };
    world.fates.count("an old request came again");
    match ask(world, organization, &asked, &request).await {
        None | Some(Err(RunError::Unavailable | RunError::Busy | RunError::Internal)) => {}
        again => assert_eq!(again, Some(answer), "{}", request.id.as_str()),
    }
}

async fn start(world: &World, organization: usize, dice: &Dice) {
    let home = &world.organizations[organization];
    let versions = home.versions();
    // Whoever means the latest version may be late.
    let (place, version) = if dice.chance(50) {
        (versions[versions.len() - 1], None)
    } else {
        let at = dice.below(versions.len());
        (versions[at], u32::try_from(at + 1).ok())
    };
    let process = &home.processes[place];
    let by = if process.has_initiator_step() || dice.chance(50) {
        person(dice.below(3))
    } else {
        agent(1)
    };
    let request = world.request(&by, "start_run");
    let asked = Asked::Start(StartRequest {
        process: PROCESS.to_owned(),
        version,
        mode: Mode::Live,
        inputs: inputs(process, dice),
        by,
        limits: RunLimits {
            run_data_bytes: 262_144,
        },
    });
    if let Ok(Rendered::Run(view)) = insist(world, organization, (asked, request, 0), dice).await {
        home.add_run(view.run.run, view.run.version);
    }
}

/// Asks until somebody knows, with one request id, here and there, and now and then at two places at once.
async fn insist(
    world: &World,
    organization: usize,
    (asked, request, seq_before): (Asked, RequestKey, u64),
    dice: &Dice,
) -> Result<Rendered, RunError> {
    let answer = loop {
        let answer = if dice.chance(10) {
            world.fates.count("a call was made twice");
            let (one, other) = tokio::join!(
                ask(world, organization, &asked, &request),
                ask(world, organization, &asked, &request)
            );
            if let (Some(Ok(one)), Some(Ok(other))) = (&one, &other) {
                assert_eq!(one, other, "{}: two answers", request.id.as_str());
            }
            one.or(other)
        } else {
            ask(world, organization, &asked, &request).await
        };
        match answer {
            None | Some(Err(RunError::Unavailable | RunError::Busy | RunError::Internal)) => {
                pause(millis(dice, 50, 3_000)).await;
            }
            Some(answer) => break answer,
        }
    };
    let said = match &answer {
        Ok(_) => "done".to_owned(),
        Err(error) => error.to_string(),
    };
    world.say(format!("{} {}: {said}", request.id.as_str(), request.tool));
    lock(&world.told).push(Told {
        organization,
        request,
        asked,
        answer: answer.clone(),
        seq_before,
    });
    answer
}

async fn ask(
    world: &World,
    organization: usize,
    asked: &Asked,
    request: &RequestKey,
) -> Option<Result<Rendered, RunError>> {
    let (number, server) = world.server()?;
    let is_well = world.fates.are_well();
    let since = match asked {
        Asked::Do(run, _) => Some(world.since(organization, *run).await),
        Asked::Start(_) => None,
    };
    let answer = server
        .ask(world.organizations[organization].id, asked, request)
        .await;
    let said = match &answer {
        None => "no answer".to_owned(),
        Some(Ok(_)) => "an answer".to_owned(),
        Some(Err(error)) => error.to_string(),
    };
    world.say(format!(
        "{} {} at server {number}: {said}",
        request.id.as_str(),
        request.tool
    ));
    let is_told = matches!(
        &answer,
        Some(Ok(_) | Err(RunError::Refused(_) | RunError::RequestReused))
    );
    assert!(
        is_told || !is_well,
        "{}: nothing goes wrong any more, and it was to ask again",
        request.id.as_str()
    );
    if let (Asked::Do(run, command), Some(since), Some(Err(RunError::Refused(refusal)))) =
        (asked, since, &answer)
    {
        check_refusal(world, organization, (*run, command, refusal), since).await;
    }
    answer
}

fn tool(command: &Command) -> &'static str {
    match command {
        Command::Claim { .. } => "claim",
        Command::Renew { .. } => "renew",
        Command::Submit { .. } => "submit",
        Command::Escalate { .. } => "escalate",
        Command::Decide { .. } => "decide",
        Command::Cancel { .. } => "cancel",
        Command::SendEvent { .. } => "send_event",
        Command::Settle | Command::Adjust { .. } => "none",
    }
}

/// What somebody does in this state of the run.
fn command(
    state: &RunState,
    process: &Process,
    role: Role,
    mood: Mood,
    dice: &Dice,
) -> Option<(Caller, Command)> {
    if state_word(state) == RunWord::Ended && mood == Mood::Sensible {
        return None;
    }
    if mood == Mood::Careless && dice.chance(3) {
        let reason = "enough".to_owned();
        return Some((
            person(3),
            Command::Cancel {
                by: person(3),
                reason,
            },
        ));
    }
    let all: Vec<(&StepId, &StepState)> = state.steps.iter().collect();
    let fitting = |step: &StepState| match role {
        Role::Agent(_) => matches!(step.phase, Phase::Ready { .. } | Phase::Claimed(_)),
        Role::People => step.item().is_some(),
        Role::Sender => matches!(step.phase, Phase::Listening { .. }),
    };
    let open: Vec<(&StepId, &StepState)> = all.iter().filter(|(_, step)| fitting(step)).copied().collect();
    let from = if mood == Mood::Sensible || dice.chance(70) {
        &open
    } else {
        &all
    };
    let picked = dice.pick(from).copied();
    match role {
        Role::Agent(number) => of_agent(state, process, (agent(number), picked?), (mood, dice)),
        Role::People => of_people(state, process, picked?, (mood, dice)),
        Role::Sender => {
            let name = match picked.map(|(_, step)| &step.phase) {
                Some(Phase::Listening { event, .. }) => event.clone(),
                _ if mood == Mood::Sensible => return None,
                _ => dice.pick(&EVENTS).copied().unwrap_or_default().to_owned(),
            };
            let by = agent(9);
            Some((by.clone(), Command::SendEvent { by, name, data: None }))
        }
    }
}

fn of_agent(
    state: &RunState,
    process: &Process,
    (by, (id, step)): (Caller, (&StepId, &StepState)),
    (mood, dice): (Mood, &Dice),
) -> Option<(Caller, Command)> {
    let lease = Lease {
        duration: Duration::from_mins(2),
        key: KeyId(1),
    };
    let Phase::Claimed(held) = &step.phase else {
        let step = id.to_string();
        return Some((by.clone(), Command::Claim { step, by, lease }));
    };
    if actor(&by) != run_core::Actor::Agent(held.agent) {
        let step = id.to_string();
        // Perhaps the lease of the other one has ended.
        return Some((by.clone(), Command::Claim { step, by, lease }));
    }
    let claim = ClaimId {
        run: state.run,
        number: held.number,
        agent: held.agent,
        key: held.key,
    };
    let command = match dice.below(20) {
        0 | 1 => Command::Renew {
            claim,
            by: by.clone(),
            progress: Some("half of it".to_owned()),
            lease,
        },
        2 => Command::Escalate {
            claim,
            by: by.clone(),
            note: "I cannot.".to_owned(),
        },
        // Forgets it.
        3 | 4 => return None,
        _ => Command::Submit {
            claim,
            by: by.clone(),
            submission: result(process, id, mood, dice),
        },
    };
    Some((by, command))
}

fn of_people(
    state: &RunState,
    process: &Process,
    (id, step): (&StepId, &StepState),
    (mood, dice): (Mood, &Dice),
) -> Option<(Caller, Command)> {
    let item = step.item()?;
    let is_escalated = matches!(step.phase, Phase::Escalated { .. });
    let by = match &item.assigned {
        _ if mood == Mood::Careless => person(dice.below(4)),
        _ if is_escalated => person(3),
        Assigned::Group { members, .. } => member(*dice.pick(members)?)?,
        Assigned::Person { person, .. } => member(*person)?,
    };
    let note = || "because".to_owned();
    let is_approval = matches!(
        process.step(id.as_str()).map(|step| &step.kind),
        Some(Kind::Approve(..))
    );
    let verdict = match dice.below(20) {
        0 if mood == Mood::Careless => Verdict::Failed { note: note() },
        1 if is_approval && !is_escalated => Verdict::Rejected { note: note() },
        2..=4 if is_approval && !is_escalated && mood == Mood::Careless => Verdict::Rejected { note: note() },
        _ if is_approval && !is_escalated => Verdict::Approved { note: None },
        0..=9 if is_escalated => Verdict::Returned { note: note() },
        _ => Verdict::Completed(result(process, id, mood, dice)),
    };
    let command = Command::Decide {
        item: state.item_id(item.number).to_string(),
        by: by.clone(),
        snapshot: state.snapshot().to_string(),
        verdict,
    };
    Some((by, command))
}

fn result(process: &Process, id: &StepId, mood: Mood, dice: &Dice) -> Submission {
    let percent_wrong = if mood == Mood::Sensible { 0 } else { 20 };
    let handed = match process.step(id.as_str()) {
        Some(step) => match &step.kind {
            Kind::Agent(work) | Kind::Task(_, work) => handed(step, work, percent_wrong, dice),
            _ => Handed::default(),
        },
        None => Handed::default(),
    };
    Submission {
        output: Arc::new(handed.output),
        evidence: handed
            .links
            .into_iter()
            .map(|link| (EvidenceKind::Link, link))
            .collect(),
        summary: handed.summary,
        next: handed.next,
        reason: handed.reason,
    }
}
