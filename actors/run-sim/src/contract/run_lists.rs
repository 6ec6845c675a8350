//! Runs are found by their process, by where they stand and by what they were started with, newest first.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use base::{Caller, PersonRole, RunId, Timestamp};
use run_core::command::Verdict;
use run_core::search::InputWanted;
use run_core::{Command, Map, RunState, RunWord};
use run_ports::{PageOf, RunEntry, RunFilter, RunPage};

use super::{Errand, Scene, Subject};

const ALL: usize = 1000;

fn object(json: &str) -> Map {
    serde_json::from_str(json).expect("the tests write JSON objects")
}

fn filter(state: Option<RunWord>, inputs: &str) -> RunFilter {
    let inputs = object(inputs);
    RunFilter {
        state,
        inputs: inputs
            .iter()
            .map(|(field, value)| InputWanted::new(field, value))
            .collect(),
    }
}

async fn page(
    scene: &Scene<'_>,
    filter: &RunFilter,
    (process, after, limit): (Option<&str>, Option<(Timestamp, RunId)>, usize),
) -> RunPage {
    let page = PageOf {
        after,
        limit,
        process: process.map(str::to_owned),
    };
    let found = scene.subject.work.runs(scene.organization, filter, &page).await;
    found.expect("the store works")
}

async fn whole(scene: &Scene<'_>, filter: &RunFilter, process: Option<&str>) -> Vec<RunEntry> {
    let found = page(scene, filter, (process, None, ALL)).await;
    assert_eq!(found.next, None);
    found.entries
}

async fn started(scene: &Scene<'_>, inputs: &str) -> Arc<RunState> {
    let (commit, state) = scene.start(object(inputs));
    scene.commit(commit).await;
    state
}

async fn cancelled(scene: &Scene<'_>, state: &Arc<RunState>) -> Arc<RunState> {
    let command = Command::Cancel {
        by: Caller::Person {
            id: scene.operator,
            email: String::new(),
            role: PersonRole::Operator,
        },
        reason: "It is not wanted any more.".to_owned(),
    };
    scene.done(state, &command).await
}

/// Both agents' steps are done: `check` waits for people.
async fn waiting(scene: &Scene<'_>, state: &Arc<RunState>) -> Arc<RunState> {
    let mut state = Arc::clone(state);
    for step in ["fetch", "carry"] {
        state = scene.done(&state, &scene.claim(step)).await;
        state = scene.done(&state, &scene.submit(&state)).await;
    }
    state
}

async fn ended(scene: &Scene<'_>, state: &Arc<RunState>) -> Arc<RunState> {
    let state = waiting(scene, state).await;
    let approved = scene.verdict(&state, scene.reviewer, Verdict::Approved { note: None });
    scene.done(&state, &approved).await
}

/// A run is shown as it stands.
pub async fn runs_are_listed_as_they_stand(subject: &Subject) {
    let mut scene = Scene::new(subject, 70).await;
    let first = started(&scene, r#"{"amount": 12345678901234567890.10}"#).await;
    scene.now = scene.now.after(Duration::from_secs(1));
    let second = started(&scene, "{}").await;
    let begun = scene.now;
    scene.now = scene.now.after(Duration::from_secs(1));
    ended(&scene, &second).await;
    let listed = whole(&scene, &RunFilter::default(), None).await;
    let wanted = [
        RunEntry {
            run: second.run,
            process: "errand".to_owned(),
            version: 1,
            state: RunWord::Ended,
            outcome: Some("delivered".to_owned()),
            started_at: begun,
            updated_at: scene.now,
            inputs: Map::new(),
        },
        RunEntry {
            run: first.run,
            process: "errand".to_owned(),
            version: 1,
            state: RunWord::Active,
            outcome: None,
            started_at: first.started_at,
            updated_at: first.started_at,
            inputs: object(r#"{"amount": 12345678901234567890.10}"#),
        },
    ];
    assert_eq!(listed, wanted);
}

/// All conditions hold for what is found, values compare as JSON, and persons without case.
pub async fn runs_are_found_by_all_conditions(subject: &Subject) {
    let mut scene = Scene::new(subject, 71).await;
    let mut runs = Vec::new();
    for (process, inputs) in [
        ("a", r#"{"customer": "Acme", "amount": 2.50}"#),
        ("b", r#"{"customer": "Acme", "amount": 3}"#),
        ("a", r#"{"customer": "acme", "amount": 25e-1}"#),
        ("a", r#"{"customer": "Acme", "approver": "Mira@example.com"}"#),
        ("a", r#"{"customer": "Mira@example.com"}"#),
        (
            "b",
            r#"{"order": {"lines": [{"count": 1.0, "what": "nut"}], "number": 7}}"#,
        ),
    ] {
        scene.plan = Errand::new(process);
        let run = started(&scene, inputs).await;
        scene.now = scene.now.after(Duration::from_millis(1));
        runs.push(run);
    }
    scene.plan = Errand::new("b");
    runs[1] = cancelled(&scene, &runs[1]).await;
    scene.plan = Errand::new("a");
    runs[3] = waiting(&scene, &runs[3]).await;
    for (process, state, inputs, wanted) in [
        (None, None, "{}", vec![5, 4, 3, 2, 1, 0]),
        (Some("a"), None, "{}", vec![4, 3, 2, 0]),
        (Some("c"), None, "{}", vec![]),
        (None, Some(RunWord::Waiting), "{}", vec![3]),
        (None, Some(RunWord::Ended), "{}", vec![]),
        (Some("b"), Some(RunWord::Active), "{}", vec![5]),
        (Some("a"), Some(RunWord::Cancelled), "{}", vec![]),
        (None, None, r#"{"customer": "Acme"}"#, vec![3, 1, 0]),
        (None, None, r#"{"amount": 2.5}"#, vec![2, 0]),
        (None, None, r#"{"amount": "2.5"}"#, vec![]),
        (None, None, r#"{"amount": 2.5, "customer": "Acme"}"#, vec![0]),
        (None, None, r#"{"amount": 3.0, "customer": "acme"}"#, vec![]),
        (None, None, r#"{"approver": "MIRA@EXAMPLE.COM"}"#, vec![3]),
        (None, None, r#"{"customer": "MIRA@EXAMPLE.COM"}"#, vec![]),
        (None, None, r#"{"customer": "Mira@example.com"}"#, vec![4]),
        (
            None,
            None,
            r#"{"order": {"number": 7.0, "lines": [{"what": "nut", "count": 1}]}}"#,
            vec![5],
        ),
        (None, None, r#"{"customer": null}"#, vec![]),
        (Some("a"), None, r#"{"customer": "Acme"}"#, vec![3, 0]),
        (
            Some("b"),
            Some(RunWord::Cancelled),
            r#"{"customer": "Acme"}"#,
            vec![1],
        ),
        (None, Some(RunWord::Active), r#"{"customer": "Acme"}"#, vec![0]),
    ] {
        let found = whole(&scene, &filter(state, inputs), process).await;
        let found: Vec<_> = found
            .iter()
            .map(|entry| runs.iter().position(|run| run.run == entry.run))
            .collect();
        let wanted: Vec<_> = wanted.into_iter().map(Some).collect();
        assert_eq!(found, wanted, "{process:?} {state:?} {inputs}");
    }
}

/// Inputs do not lead to the runs of another organization.
pub async fn runs_of_another_organization_are_not_found(subject: &Subject) {
    let scene = Scene::new(subject, 72).await;
    started(&scene, r#"{"customer": "Acme"}"#).await;
    let other = Scene::new(subject, 73).await;
    for inputs in ["{}", r#"{"customer": "Acme"}"#] {
        assert_eq!(whole(&other, &filter(None, inputs), None).await, []);
    }
}

/// Pages of every size put together are the whole list, whatever is asked for, also where many runs started at the same instant.
pub async fn runs_are_paged_without_repeat_or_gap(subject: &Subject) {
    let mut scene = Scene::new(subject, 74).await;
    for n in 0..17 {
        if n % 5 == 4 {
            scene.now = scene.now.after(Duration::from_millis(1));
        }
        let run = started(
            &scene,
            &format!(r#"{{"even": {}, "third": {}}}"#, n % 2 == 0, n % 3),
        )
        .await;
        if n % 4 == 0 {
            cancelled(&scene, &run).await;
        }
    }
    let active = Some(RunWord::Active);
    for (state, inputs, count) in [
        (None, "{}", 17),
        (active, "{}", 12),
        (None, r#"{"even": true}"#, 9),
        (None, r#"{"even": true, "third": 1}"#, 3),
        (active, r#"{"third": 0}"#, 4),
    ] {
        let filter = filter(state, inputs);
        let whole = whole(&scene, &filter, None).await;
        assert_eq!(whole.len(), count, "{inputs}");
        assert!(
            whole.is_sorted_by(|left, right| (left.started_at, left.run) > (right.started_at, right.run))
        );
        for limit in [1, 3, count - 1, count, count + 1] {
            let mut found: Vec<RunEntry> = Vec::new();
            let mut after = None;
            loop {
                let next = page(&scene, &filter, (None, after, limit)).await;
                found.extend(next.entries);
                assert_eq!(next.next.is_some(), found.len() < count, "{inputs} {limit}");
                after = next.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(found, whole, "{inputs} {limit}");
        }
    }
}

/// Between pages runs are started, ended, cancelled and worked on: no run is shown twice, and one that the filter wants all the time is
/// shown. (What starts meanwhile is newer than every page that is still to come.)
pub async fn pages_of_runs_neither_repeat_nor_skip_while_runs_change(subject: &Subject) {
    for state in [None, Some(RunWord::Active), Some(RunWord::Waiting)] {
        let seed = 75 + state.map_or(0, |state| state.as_str().len() as u64);
        let mut scene = Scene::new(subject, seed).await;
        let mut runs = Vec::new();
        for n in 0..24 {
            if n % 3 == 0 {
                scene.now = scene.now.after(Duration::from_millis(1));
            }
            let run = started(&scene, r#"{"customer": "Acme"}"#).await;
            runs.push(if n % 2 == 0 {
                waiting(&scene, &run).await
            } else {
                run
            });
        }
        let is_wanted = |run: &RunState| {
            let word = run_core::view::state_word(run);
            state.is_none_or(|state| state == word)
        };
        // A third of the runs is left alone.
        let alone = runs.iter().skip(2).step_by(3).filter(|run| is_wanted(run));
        let alone: BTreeSet<RunId> = alone.map(|run| run.run).collect();
        let filter = filter(state, r#"{"customer": "Acme"}"#);
        let mut shown = Vec::new();
        let mut after = None;
        for round in 0.. {
            let next = page(&scene, &filter, (None, after, 3)).await;
            shown.extend(next.entries.iter().map(|entry| entry.run));
            after = next.next;
            if after.is_none() {
                break;
            }
            scene.now = scene.now.after(Duration::from_millis(1));
            started(&scene, r#"{"customer": "Acme"}"#).await;
            change(&scene, &mut runs, round).await;
        }
        let once: BTreeSet<RunId> = shown.iter().copied().collect();
        assert_eq!(once.len(), shown.len(), "{state:?}: {shown:?}");
        assert!(once.is_superset(&alone), "{state:?}");
    }
}

/// Moves some runs on, in several parts of the list.
async fn change(scene: &Scene<'_>, runs: &mut [Arc<RunState>], round: usize) {
    for n in [round * 3, round * 3 + 1, (round * 3 + 12) % runs.len()] {
        let Some(run) = runs.get(n).filter(|run| n % 3 != 2 && run.is_running()) else {
            continue;
        };
        let is_waiting = run_core::view::state_word(run) == RunWord::Waiting;
        let moved = match (is_waiting, round % 2) {
            (false, 0) => waiting(scene, run).await,
            (false, _) => cancelled(scene, run).await,
            (true, _) => {
                let note = "Once more.".to_owned();
                let rejected = scene.verdict(run, scene.reviewer, Verdict::Rejected { note });
                scene.done(run, &rejected).await
            }
        };
        runs[n] = moved;
    }
}
