//! Journals that releases wrote, with their requests: every later release must give every request its answer again. A sample is never
//! changed; what a new release can do more gets a sample of its own.

use std::path::{Path, PathBuf};

use formats::Format;
use run_core::project::changes;
use run_core::{Actor, Event, RunState, stored};
use run_ports::{Commit, CommitVerdict, NewRequest, RequestKey, RunStore as _, Versions as _};
use serde_json::Value;

use crate::world::{World, compile, organization, principal};

/// A request that was recorded, with the answer that it was given.
struct Recorded {
    by: Actor,
    key: RequestKey,
    first_seq: u64,
    last_seq: u64,
    at_millis: i64,
    arguments: Value,
    answer: Value,
}

#[tokio::test]
async fn every_recorded_request_renders_the_same_answer_across_releases() {
    for sample in ["journal", "events", "cancelled"] {
        let sample = samples().join(sample);
        let requests = requests(&sample);
        assert!(!requests.is_empty());
        let world = world_of(&sample, &requests).await;
        for request in &requests {
            let principal = principal(&request.by);
            let arguments = request.arguments.clone();
            let answer = world.call(&principal, &request.key.tool, arguments).await;
            assert_eq!(answer, request.answer, "{} {}", request.key.tool, request.key.id);
        }
    }
}

/// A server whose store holds the sample.
async fn world_of(sample: &Path, requests: &[Recorded]) -> World {
    let world = World::new().await;
    let source = std::fs::read_to_string(sample.join("PROCESS.md")).expect("the sample");
    let process = formats::check(Format::Process, source.as_bytes(), None).name;
    let process = process.expect("the sample has a name");
    world.publish(&process, &source).await;
    let row = world.store.version(organization(), &process, None).await;
    let row = row.expect("the store in memory works").expect("it was published");
    let plan = compile(&row).unwrap_or_else(|error| panic!("{error}"));
    let events = events(sample);
    for request in requests {
        let written = |seq: u64| events.iter().take_while(move |event| event.seq <= seq);
        let before_seq = world_seq(&world, &events).await;
        let before = RunState::fold(written(before_seq));
        let after = RunState::fold(written(request.last_seq)).expect("a journal begins with a start");
        let commit = Commit {
            organization: organization(),
            run: after.run,
            expected_seq: before_seq,
            events: written(request.last_seq)
                .filter(|event| event.seq > before_seq)
                .cloned()
                .collect(),
            changes: changes(&*plan, before.as_ref(), &after),
            effects: Vec::new(),
            request: Some(NewRequest {
                key: request.key.clone(),
                first_seq: request.first_seq,
                at: base::Timestamp::from_millis(request.at_millis),
            }),
            directory_revision: None,
        };
        let verdict = world.store.commit(commit).await;
        assert!(matches!(verdict, CommitVerdict::Committed), "{verdict:?}");
    }
    world
}

/// The number of the last event that the store has of the sample's run.
async fn world_seq(world: &World, events: &[Event]) -> u64 {
    let run = RunState::fold(&events[..1])
        .expect("a journal begins with a start")
        .run;
    let look = world.store.look(organization(), None, Some(run)).await;
    let head = look.expect("the store in memory works").head;
    head.map_or(0, |head| head.seq)
}

/// `seq`, `at`, kind, version and JSON, as the columns of the database hold them.
fn events(sample: &Path) -> Vec<Event> {
    let text = std::fs::read_to_string(sample.join("events.tsv")).expect("the sample");
    let event = |line: &str| {
        let mut columns = line.splitn(5, '\t');
        let mut column = || columns.next().expect("five columns");
        let (seq, at, kind, version, json) = (column(), column(), column(), column(), column());
        let version = version.parse().expect("a version");
        let (seq, at) = (seq.parse().expect("a number"), at.parse().expect("an instant"));
        stored::decode(kind, version, seq, at, json).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    text.lines().map(event).collect()
}

fn requests(sample: &Path) -> Vec<Recorded> {
    let entries = std::fs::read_dir(sample.join("requests")).expect("the sample");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files.iter().map(|file| recorded(file)).collect()
}

fn recorded(file: &Path) -> Recorded {
    let text = std::fs::read_to_string(file).expect("a file of the sample");
    let request: Value = serde_json::from_str(&text).expect("a request is JSON");
    let text = |key: &str| request[key].as_str().expect("a text").to_owned();
    let number = |key: &str| request[key].as_u64().expect("a whole number");
    let by = text("by");
    let agent = by.parse().map(Actor::Agent);
    let by = agent.unwrap_or_else(|_| Actor::Person(by.parse().expect("an agent or a person")));
    let id = request["arguments"]["requestId"].as_str().expect("a text");
    Recorded {
        by,
        key: RequestKey {
            id: id.parse().expect("a request id"),
            caller: by,
            tool: text("tool"),
            arguments: text("argumentsDigest").parse().expect("a digest"),
        },
        first_seq: number("firstSeq"),
        last_seq: number("lastSeq"),
        at_millis: request["atMillis"].as_i64().expect("an instant"),
        arguments: request["arguments"].clone(),
        answer: request["answer"].clone(),
    }
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}
