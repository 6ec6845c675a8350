//! Journals and the one way to write them.

use std::sync::Arc;
use std::time::Duration;

use base::RunId;
use run_core::{Event, Map};
use run_ports::{Commit, CommitVerdict};

use super::{Scene, Subject};

/// Numbers that a double cannot hold, or would spell in another way.
const INPUTS: &str = r#"{"amount":12345678901234567890.123456789,"price":1.10,"huge":1e+400,"zero":-0,"text":"é\u0001 \"' 😀"}"#;

/// Commits all at once and returns the verdicts.
pub(super) async fn commit_all(subject: &Subject, commits: Vec<Commit>) -> Vec<CommitVerdict> {
    let commits = commits.into_iter().map(|commit| {
        let runs = Arc::clone(&subject.runs);
        tokio::spawn(async move { runs.commit(commit).await })
    });
    let mut verdicts = Vec::new();
    for commit in commits.collect::<Vec<_>>() {
        verdicts.push(commit.await.expect("a commit does not panic"));
    }
    verdicts
}

pub(super) fn count(verdicts: &[CommitVerdict], wanted: impl Fn(&CommitVerdict) -> bool) -> usize {
    verdicts.iter().filter(|verdict| wanted(verdict)).count()
}

pub(super) async fn events(scene: &Scene<'_>, run: RunId, after: u64) -> Option<Vec<Event>> {
    let runs = &scene.subject.runs;
    let journal = runs
        .journal(scene.organization, run, after)
        .await
        .expect("the store works");
    journal.map(|journal| journal.events)
}

async fn head(scene: &Scene<'_>, run: RunId) -> Option<u64> {
    let runs = &scene.subject.runs;
    let look = runs
        .look(scene.organization, None, Some(run))
        .await
        .expect("the store works");
    look.head.map(|head| head.seq)
}

/// Every event comes back as it was written, from any place in the journal.
pub async fn commits_read_back_digit_by_digit(subject: &Subject) {
    let scene = Scene::new(subject, 1).await;
    let inputs: Map = serde_json::from_str(INPUTS).expect("a fixed text");
    let (start, state) = scene.start(inputs);
    assert_eq!(events(&scene, state.run, 0).await, None);
    assert_eq!(head(&scene, state.run).await, None);
    scene.commit(start.clone()).await;
    let (claim, state) = scene.decide(&state, &scene.claim("fetch"));
    scene.commit(claim.clone()).await;

    let written: Vec<_> = start.events.iter().chain(&claim.events).cloned().collect();
    for after in 0..=written.len() {
        let tail = written.get(after..).map(<[_]>::to_vec);
        assert_eq!(
            events(&scene, state.run, after as u64).await,
            tail,
            "after {after}"
        );
    }
    assert_eq!(head(&scene, state.run).await, Some(state.seq));
    let journal = subject
        .runs
        .journal(scene.organization, state.run, 0)
        .await
        .expect("the store works");
    let journal = journal.expect("it exists");
    assert_eq!((journal.process.as_str(), journal.version), ("errand", 1));
}

/// Whoever decided on another state than the present one has written nothing.
pub async fn another_seq_is_a_conflict(subject: &Subject) {
    let scene = Scene::new(subject, 2).await;
    let start = scene.started().await;
    let (first, state) = scene.decide(&start, &scene.claim("fetch"));
    let (second, _) = scene.decide(&start, &scene.claim("carry"));
    scene.commit(first).await;
    let (again, _) = scene.start(Map::new());
    let refused = [
        second.clone(),
        Commit {
            run: scene.run_id(),
            ..second
        },
        Commit {
            run: state.run,
            ..again
        },
    ];
    for commit in refused {
        let verdict = subject.runs.commit(commit).await;
        assert!(matches!(verdict, CommitVerdict::Conflict), "{verdict:?}");
        assert_eq!(head(&scene, state.run).await, Some(state.seq));
    }
}

/// Two beginnings of the same run: one is its beginning, the other never was.
pub async fn of_two_starters_one_wins(subject: &Subject) {
    let scene = Scene::new(subject, 3).await;
    for round in 0..8 {
        let run = scene.run_id();
        let starters = (0..4).map(|n| {
            let (commit, _) = scene.start(Map::new());
            let request = Some(scene.request(&format!("{round} {n}"), &commit));
            Commit {
                run,
                request,
                ..commit
            }
        });
        let verdicts = commit_all(subject, starters.collect()).await;
        assert_eq!(
            count(&verdicts, |it| matches!(it, CommitVerdict::Committed)),
            1,
            "{verdicts:?}"
        );
        assert_eq!(
            count(&verdicts, |it| matches!(it, CommitVerdict::Conflict)),
            3,
            "{verdicts:?}"
        );
    }
}

/// Of many who decided on the same state one goes on.
pub async fn of_many_writers_of_one_seq_one_wins(subject: &Subject) {
    let scene = Scene::new(subject, 4).await;
    let state = scene.started().await;
    let claims = (0..20).map(|n| {
        let (commit, _) = scene.decide(&state, &scene.claim("fetch"));
        let request = Some(scene.request(&n.to_string(), &commit));
        Commit { request, ..commit }
    });
    let verdicts = commit_all(subject, claims.collect()).await;
    assert_eq!(
        count(&verdicts, |it| matches!(it, CommitVerdict::Committed)),
        1,
        "{verdicts:?}"
    );
    assert_eq!(
        count(&verdicts, |it| matches!(it, CommitVerdict::Conflict)),
        19,
        "{verdicts:?}"
    );
    assert_eq!(
        events(&scene, state.run, state.seq).await.map(|tail| tail.len()),
        Some(1)
    );
}

/// A command that no store can keep does not take its neighbours with it.
pub async fn a_write_that_cannot_be_written_fails_alone(subject: &Subject) {
    let scene = Scene::new(subject, 5).await;
    let commits: Vec<_> = (0..80)
        .map(|n| {
            let (commit, _) = scene.start(Map::new());
            let id = if n == 33 {
                "nul \0".to_owned()
            } else {
                n.to_string()
            };
            let request = Some(scene.request(&id, &commit));
            Commit { request, ..commit }
        })
        .collect();
    let verdicts = commit_all(subject, commits.clone()).await;
    for (n, (commit, verdict)) in commits.into_iter().zip(&verdicts).enumerate() {
        let is_there = events(&scene, commit.run, 0).await.is_some();
        if n == 33 {
            assert!(matches!(verdict, CommitVerdict::Unavailable(_)), "{verdict:?}");
        } else {
            assert!(matches!(verdict, CommitVerdict::Committed), "{n}: {verdict:?}");
        }
        assert_eq!(is_there, n != 33, "{n}");
    }
}

/// Runs, requests and writes of one organization do not exist for another.
pub async fn another_organization_sees_nothing(subject: &Subject) {
    let (scene, other) = (Scene::new(subject, 6).await, Scene::new(subject, 7).await);
    let (start, state) = scene.start(Map::new());
    let request = scene.request("same", &start);
    let id = request.key.id.clone();
    scene
        .commit(Commit {
            request: Some(request),
            ..start
        })
        .await;

    assert_eq!(events(&other, state.run, 0).await, None);
    let look = subject
        .runs
        .look(other.organization, Some(&id), Some(state.run))
        .await;
    let look = look.expect("the store works");
    assert_eq!((look.request, look.head), (None, None));
    let (claim, _) = scene.decide(&state, &scene.claim("fetch"));
    let foreign = Commit {
        organization: other.organization,
        ..claim.clone()
    };
    let verdict = subject.runs.commit(foreign).await;
    assert!(matches!(verdict, CommitVerdict::Conflict), "{verdict:?}");
    scene.commit(claim).await;
}

/// The sweeper gets runs of all organizations, and only those that are due.
pub async fn due_runs_come_most_overdue_first(subject: &Subject) {
    let (mut scene, mut other) = (Scene::new(subject, 8).await, Scene::new(subject, 9).await);
    let mut runs = Vec::new();
    for minute in [2, 0, 1] {
        let later = scene.now.after(Duration::from_mins(minute));
        let before = std::mem::replace(&mut scene.now, later);
        runs.push((minute, scene.organization, scene.started().await.run));
        scene.now = before;
    }
    other.now = other.now.after(Duration::from_mins(3));
    runs.push((3, other.organization, other.started().await.run));
    runs.sort();

    let due = scene.now.after(Duration::from_hours(1)).as_millis();
    for (minute, limit, wanted) in [(-1, 9, 0), (0, 9, 1), (2, 9, 3), (9, 9, 4), (9, 2, 2)] {
        let until = due + minute * 60_000;
        let found = subject
            .runs
            .due_runs(until, limit)
            .await
            .expect("the store works");
        let wanted: Vec<_> = runs[..wanted].iter().map(|(_, of, run)| (*of, *run)).collect();
        assert_eq!(found, wanted, "{minute} minutes later");
    }
}

/// The way out of an unknown commit reads what `journal` reads, of runs that exist and of others.
pub async fn settled_journals_are_journals(subject: &Subject) {
    let scene = Scene::new(subject, 10).await;
    let state = scene.started().await;
    for (run, after) in [(state.run, 0), (state.run, state.seq), (scene.run_id(), 0)] {
        let settled = subject.runs.journal_settled(scene.organization, run, after).await;
        let plain = subject.runs.journal(scene.organization, run, after).await;
        assert_eq!(settled.expect("the store works"), plain.expect("the store works"));
    }
}
