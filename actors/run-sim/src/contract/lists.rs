//! Lists show what the states of runs say.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use base::{AgentId, Digest, PersonId, RunId, Scope, Timestamp, Ulid};
use run_core::command::Verdict;
use run_core::project::{ItemRow, Offer, rows};
use run_core::{Map, RunState, StepId};
use run_ports::{ItemEntry, ItemReader, OfferEntry, PageOf, VersionRow};

use super::{Errand, Scene, Subject};

const ALL: usize = 1000;

/// Makes a command for a state.
type Make<'a> = &'a dyn Fn(&RunState) -> run_core::Command;

fn page<K>(after: Option<K>, limit: usize) -> PageOf<K> {
    PageOf {
        after,
        limit,
        process: None,
    }
}

async fn offers_for(scene: &Scene<'_>, agent: AgentId, now: Timestamp) -> Vec<OfferEntry> {
    let work = &scene.subject.work;
    let found = work
        .offers(scene.organization, (agent, &Scope::All), &page(None, ALL), now)
        .await;
    let found = found.expect("the store works");
    assert!(!found.has_more);
    found.entries
}

async fn items_for(scene: &Scene<'_>, reader: ItemReader) -> Vec<ItemEntry> {
    let found = scene
        .subject
        .work
        .items(scene.organization, reader, &page(None, ALL))
        .await;
    let found = found.expect("the store works");
    assert!(!found.has_more);
    found.entries
}

fn in_an_hour(scene: &Scene<'_>) -> Timestamp {
    scene.now.after(Duration::from_hours(1))
}

/// The rows in the store, however they came to be, are the rows of the state as a whole.
async fn assert_rows(scene: &Scene<'_>, state: &Arc<RunState>) {
    let whole = rows(&scene.plan, state);
    let mut wanted: Vec<Offer> = whole.offers_put;
    wanted.sort_by(|left, right| (left.ready_since, &left.step).cmp(&(right.ready_since, &right.step)));
    let offers = offers_for(scene, scene.agent, in_an_hour(scene)).await;
    let offers: Vec<_> = offers.into_iter().map(|entry| entry.offer).collect();
    assert_eq!(offers, wanted, "after event {}", state.seq);

    let mut found = items_for(scene, ItemReader::Operator(scene.operator)).await;
    found.extend(items_for(scene, ItemReader::Member(scene.reviewer)).await);
    let snapshots: BTreeSet<Digest> = found.iter().map(|entry| entry.snapshot).collect();
    let items: Vec<ItemRow> = found.into_iter().map(|entry| entry.row).collect();
    assert_eq!(items, whole.items_put, "after event {}", state.seq);
    assert!(
        snapshots
            .into_iter()
            .all(|snapshot| snapshot == whole.run.snapshot)
    );
}

/// Claim, hand in, give up, give back, approve, reject: after each the lists are those of the state.
pub async fn rows_follow_every_change(subject: &Subject) {
    let scene = Scene::new(subject, 40).await;
    let mut state = scene.started().await;
    assert_rows(&scene, &state).await;
    let returned = |state: &RunState| {
        let note = "It is open now.".to_owned();
        scene.verdict(state, scene.operator, Verdict::Returned { note })
    };
    let rejected = |state: &RunState| {
        let note = "Once more.".to_owned();
        scene.verdict(state, scene.reviewer, Verdict::Rejected { note })
    };
    let approved = |state: &RunState| scene.verdict(state, scene.reviewer, Verdict::Approved { note: None });
    let round: [Make<'_>; 7] = [
        &|_| scene.claim("fetch"),
        &|state| scene.escalate(state),
        &returned,
        &|_| scene.claim("fetch"),
        &|state| scene.submit(state),
        &|_| scene.claim("carry"),
        &|state| scene.submit(state),
    ];
    let second: [Make<'_>; 4] = [round[3], round[4], round[5], round[6]];
    let all = round
        .into_iter()
        .chain([&rejected as Make<'_>])
        .chain(second)
        .chain([&approved as Make<'_>]);
    for command in all {
        state = scene.done(&state, &command(&state)).await;
        assert_rows(&scene, &state).await;
    }
    assert!(!state.is_running());
    assert_eq!(offers_for(&scene, scene.agent, in_an_hour(&scene)).await, []);
}

/// What was acknowledged is seen whatever clock the reader has: only the end of a lease is compared with it.
pub async fn an_offer_is_there_for_a_clock_that_is_behind(subject: &Subject) {
    let scene = Scene::new(subject, 50).await;
    scene.started().await;
    let behind = Timestamp::from_millis(scene.now.as_millis() - 5);
    let offers = offers_for(&scene, scene.agent, behind).await;
    let steps: Vec<_> = offers.iter().map(|entry| entry.offer.step.as_str()).collect();
    assert_eq!(steps, ["carry", "fetch"]);
    assert!(offers.iter().all(|entry| entry.offer.ready_since == scene.now));
}

/// A claimed step is nobody's offer until the instant its lease ends; then it is as old as it ever was.
pub async fn a_lapsed_lease_is_offered_again(subject: &Subject) {
    let scene = Scene::new(subject, 41).await;
    let state = scene.started().await;
    scene.done(&state, &scene.claim("fetch")).await;
    let lapse = scene.now.after(Duration::from_mins(10));
    for (now, wanted) in [
        (scene.now, vec!["carry"]),
        (Timestamp::from_millis(lapse.as_millis() - 1), vec!["carry"]),
        (lapse, vec!["carry", "fetch"]),
    ] {
        let offers = offers_for(&scene, scene.agent, now).await;
        let steps: Vec<_> = offers.iter().map(|entry| entry.offer.step.as_str()).collect();
        assert_eq!(steps, wanted, "{now}");
        assert!(offers.iter().all(|entry| entry.offer.ready_since == scene.now));
    }
}

/// A reservation ends at its instant.
pub async fn a_reserved_step_is_for_its_agent_until_then(subject: &Subject) {
    let scene = Scene::new(subject, 42).await;
    let other = AgentId::new(Ulid::from_parts(1, 1));
    let inputs = Map::from_iter([("for".to_owned(), scene.agent.to_string().into())]);
    scene.commit(scene.start(inputs).0).await;
    let end = scene.now.after(Duration::from_mins(5));
    let before = Timestamp::from_millis(end.as_millis() - 1);
    for (agent, now, wanted) in [(scene.agent, scene.now, 2), (other, before, 0), (other, end, 2)] {
        assert_eq!(
            offers_for(&scene, agent, now).await.len(),
            wanted,
            "{agent} at {now}"
        );
    }
}

/// Pages of every size put together are the whole list, also where many offers are equally old.
pub async fn offers_are_paged_without_repeat_or_gap(subject: &Subject) {
    let mut scene = Scene::new(subject, 43).await;
    for n in 0..13 {
        if n % 5 == 4 {
            scene.now = scene.now.after(Duration::from_millis(1));
        }
        scene.started().await;
    }
    let whole = offers_for(&scene, scene.agent, scene.now).await;
    let key = |entry: &OfferEntry| (entry.offer.ready_since, entry.run, entry.offer.step.clone());
    assert_eq!(whole.len(), 26);
    assert!(whole.is_sorted_by_key(key));
    for limit in [1, 4, 13, 25, 26, 27] {
        let mut found: Vec<OfferEntry> = Vec::new();
        loop {
            let after: Option<(Timestamp, RunId, StepId)> = found.last().map(key);
            let (reader, page) = ((scene.agent, &Scope::All), page(after, limit));
            let next = subject.work.offers(scene.organization, reader, &page, scene.now);
            let next = next.await.expect("the store works");
            assert_eq!(next.has_more, found.len() + next.entries.len() < 26, "{limit}");
            assert!(next.entries.len() == limit || !next.has_more);
            found.extend(next.entries);
            if !next.has_more {
                break;
            }
        }
        assert_eq!(found, whole, "{limit}");
    }
}

/// An agent sees what it may work, of the process that it asks for.
pub async fn offers_are_of_the_wanted_processes(subject: &Subject) {
    let mut scene = Scene::new(subject, 44).await;
    for process in ["a", "b", "c", "a"] {
        scene.plan = Errand::new(process);
        scene.started().await;
    }
    let only = |names: &[&str]| Scope::Processes(names.iter().map(|name| (*name).to_owned()).collect());
    for (scope, process, wanted) in [
        (Scope::All, None, "aabbccaa"),
        (Scope::All, Some("b"), "bb"),
        (only(&["a", "c"]), None, "aaccaa"),
        (only(&["a", "c"]), Some("a"), "aaaa"),
        (only(&["a", "c"]), Some("b"), ""),
        (only(&[]), None, ""),
        (Scope::All, Some("d"), ""),
    ] {
        let page = PageOf {
            after: None,
            limit: ALL,
            process: process.map(str::to_owned),
        };
        let found = subject
            .work
            .offers(scene.organization, (scene.agent, &scope), &page, scene.now)
            .await;
        let found = found.expect("the store works").entries;
        let mut processes: Vec<_> = found.iter().map(|entry| entry.process.as_str()).collect();
        let mut wanted: Vec<_> = wanted.split("").filter(|name| !name.is_empty()).collect();
        processes.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(processes, wanted, "{scope:?} {process:?}");
    }
}

/// Members see their items, operators every escalation too, and nobody sees an item twice or one that it may not decide.
pub async fn items_are_for_their_members(subject: &Subject) {
    let scene = Scene::new(subject, 45).await;
    let escalated = scene.started().await;
    let escalated = scene.done(&escalated, &scene.claim("fetch")).await;
    let escalated = scene.done(&escalated, &scene.escalate(&escalated)).await;
    let mut approval = scene.started().await;
    for step in ["fetch", "carry"] {
        approval = scene.done(&approval, &scene.claim(step)).await;
        approval = scene.done(&approval, &scene.submit(&approval)).await;
    }
    let stranger = PersonId::new(Ulid::from_parts(1, 2));
    for (reader, wanted) in [
        (ItemReader::Member(scene.reviewer), vec![approval.run]),
        (ItemReader::Operator(scene.operator), vec![escalated.run]),
        // An operator no longer.
        (ItemReader::Member(scene.operator), vec![]),
        (
            ItemReader::Operator(scene.reviewer),
            vec![escalated.run, approval.run],
        ),
        (ItemReader::Operator(stranger), vec![escalated.run]),
        (ItemReader::Member(stranger), vec![]),
    ] {
        let runs: Vec<_> = items_for(&scene, reader)
            .await
            .iter()
            .map(|entry| entry.run)
            .collect();
        assert_eq!(runs.len(), wanted.len(), "{reader:?}");
        assert!(
            wanted.iter().all(|run| runs.contains(run)),
            "{reader:?}: {runs:?}"
        );
    }
}

/// As for offers, for a member with 6 items and for an operator who sees 8 escalations beside them.
pub async fn items_are_paged_without_repeat_or_gap(subject: &Subject) {
    let mut scene = Scene::new(subject, 46).await;
    for n in 0..10 {
        if n % 3 == 2 {
            scene.now = scene.now.after(Duration::from_millis(1));
        }
        let mut state = scene.started().await;
        for step in ["fetch", "carry"] {
            state = scene.done(&state, &scene.claim(step)).await;
            let ending = if n % 5 < 2 {
                scene.escalate(&state)
            } else {
                scene.submit(&state)
            };
            state = scene.done(&state, &ending).await;
        }
    }
    let key = |entry: &ItemEntry| (entry.row.opened_at, entry.run, entry.row.item.id.number);
    for (reader, count) in [
        (ItemReader::Member(scene.reviewer), 6),
        (ItemReader::Operator(scene.reviewer), 14),
    ] {
        let whole = items_for(&scene, reader).await;
        assert_eq!(whole.len(), count);
        assert!(whole.is_sorted_by_key(key));
        for limit in [1, 5, count - 1, count, count + 1] {
            let mut found: Vec<ItemEntry> = Vec::new();
            loop {
                let page = page(found.last().map(key), limit);
                let next = subject.work.items(scene.organization, reader, &page).await;
                let next = next.expect("the store works");
                found.extend(next.entries);
                assert_eq!(next.has_more, found.len() < count, "{limit}");
                if !next.has_more {
                    break;
                }
            }
            assert_eq!(found, whole, "{limit}");
        }
    }
}

/// The catalog shows the latest version of every process.
pub async fn processes_are_paged_by_name(subject: &Subject) {
    let scene = Scene::new(subject, 47).await;
    let version = |process: &str, text: &str| VersionRow {
        process: process.to_owned(),
        version: 0,
        format: "process".to_owned(),
        source: text.into(),
        content_hash: Digest::new([1; 32]),
        description: format!("{process} {text}"),
        published_at: scene.now,
        published_by: None,
    };
    for (process, text) in [
        ("b", "1"),
        ("a", "1"),
        ("b", "2"),
        ("c", "1"),
        ("b", "3"),
        ("a.b", "1"),
    ] {
        let new = version(process, text);
        let published = subject.versions.publish(scene.organization, new, vec![]).await;
        published.expect("the store works");
    }
    let wanted = ["a 1", "a.b 1", "b 3", "c 1"];
    for limit in [1, 2, 3, 4, 5] {
        let mut found: Vec<VersionRow> = Vec::new();
        loop {
            let page = page(found.last().map(|row| row.process.clone()), limit);
            let next = subject
                .work
                .processes(scene.organization, &page)
                .await
                .expect("the store works");
            found.extend(next.entries);
            assert_eq!(next.has_more, found.len() < wanted.len(), "{limit}");
            if !next.has_more {
                break;
            }
        }
        let found: Vec<_> = found.iter().map(|row| row.description.as_str()).collect();
        assert_eq!(found, wanted, "{limit}");
    }
}
