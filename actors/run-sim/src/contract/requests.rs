//! Every write happens at most once.

use base::{AgentId, Digest, RequestId};
use run_core::{Actor, Map};
use run_ports::{Commit, CommitVerdict, NewRequest, RequestKey, RequestRow, RequestTarget};

use super::runs::{commit_all, count, events};
use super::{Scene, Subject};

async fn recorded(scene: &Scene<'_>, id: &RequestId) -> Option<RequestRow> {
    let look = scene.subject.runs.look(scene.organization, Some(id), None).await;
    look.expect("the store works").request
}

fn start_with(scene: &Scene<'_>, id: &str) -> Commit {
    let (commit, _) = scene.start(Map::new());
    let request = Some(scene.request(id, &commit));
    Commit { request, ..commit }
}

/// Twenty equal starts at once: one run, and one row that all the others are shown.
pub async fn equal_requests_at_once_are_recorded_once(subject: &Subject) {
    let scene = Scene::new(subject, 20).await;
    let commits: Vec<_> = (0..20).map(|_| start_with(&scene, "once")).collect();
    let verdicts = commit_all(subject, commits.clone()).await;
    assert_eq!(
        count(&verdicts, |it| matches!(it, CommitVerdict::Committed)),
        1,
        "{verdicts:?}"
    );
    let row = recorded(&scene, &"once".parse().expect("an id"))
        .await
        .expect("it is recorded");
    for (commit, verdict) in commits.iter().zip(&verdicts) {
        let is_there = events(&scene, commit.run, 0).await.is_some();
        match verdict {
            CommitVerdict::Committed => {
                let last_seq = commit.events.len() as u64;
                let target = RequestTarget::Run {
                    run: commit.run,
                    first_seq: 1,
                    last_seq,
                };
                assert_eq!((&row.target, row.at, is_there), (&target, scene.now, true));
            }
            CommitVerdict::RequestTaken(taken) => assert_eq!((taken, is_there), (&row, false)),
            other => panic!("{other:?}"),
        }
    }
}

/// The row tells who had the id first; whether that makes it a replay or a conflict is not the store's matter.
pub async fn a_request_id_is_taken_whoever_asks(subject: &Subject) {
    let scene = Scene::new(subject, 21).await;
    let first = start_with(&scene, "mine");
    scene.commit(first.clone()).await;
    let first = first.request.expect("it has one");
    let key = |change: fn(&mut RequestKey)| {
        let mut key = first.key.clone();
        change(&mut key);
        key
    };
    let others = [
        key(|_| {}),
        key(|key| key.caller = Actor::Agent(AgentId::new(base::Ulid::from_parts(1, 1)))),
        key(|key| key.arguments = Digest::new([8; 32])),
        key(|key| key.tool = String::from("cancel")),
    ];
    for key in others {
        let commit = start_with(&scene, "mine");
        let request = Some(NewRequest { key, ..first.clone() });
        let verdict = subject.runs.commit(Commit { request, ..commit }).await;
        let CommitVerdict::RequestTaken(row) = verdict else {
            panic!("{verdict:?}");
        };
        assert_eq!(row.key, first.key);
    }
}

/// Ids are unique in an organization and nowhere else.
pub async fn an_organization_has_request_ids_of_its_own(subject: &Subject) {
    let (scene, other) = (Scene::new(subject, 22).await, Scene::new(subject, 23).await);
    let commits = vec![start_with(&scene, "same"), start_with(&other, "same")];
    let verdicts = commit_all(subject, commits).await;
    assert_eq!(
        count(&verdicts, |it| matches!(it, CommitVerdict::Committed)),
        2,
        "{verdicts:?}"
    );
}

/// The request of a write that came second in its run is free for the next try.
pub async fn a_loser_records_nothing(subject: &Subject) {
    let scene = Scene::new(subject, 24).await;
    let state = scene.started().await;
    let (claim, claimed) = scene.decide(&state, &scene.claim("fetch"));
    let (late, _) = scene.decide(&state, &scene.claim("carry"));
    scene.commit(claim).await;
    let request = scene.request("late", &late);
    let id = request.key.id.clone();
    let verdict = subject
        .runs
        .commit(Commit {
            request: Some(request),
            ..late
        })
        .await;
    assert!(matches!(verdict, CommitVerdict::Conflict), "{verdict:?}");
    assert_eq!(recorded(&scene, &id).await, None);

    let (again, _) = scene.decide(&claimed, &scene.claim("carry"));
    let request = Some(scene.request("late", &again));
    scene.commit(Commit { request, ..again }).await;
    assert!(recorded(&scene, &id).await.is_some());
}

/// A command that changes nothing is answered again in the same way, too.
pub async fn a_request_without_events_is_recorded(subject: &Subject) {
    let scene = Scene::new(subject, 25).await;
    let state = scene.started().await;
    let (nothing, state) = scene.decide(&state, &run_core::Command::Settle);
    assert_eq!(nothing.events, []);
    let request = scene.request("nothing", &nothing);
    let id = request.key.id.clone();
    scene
        .commit(Commit {
            request: Some(request),
            ..nothing
        })
        .await;
    let target = RequestTarget::Run {
        run: state.run,
        first_seq: state.seq + 1,
        last_seq: state.seq,
    };
    assert_eq!(recorded(&scene, &id).await.map(|row| row.target), Some(target));
}
