//! Open items move when a role's group, a group's members or the operators change (process.md §5): the change notes the runs, and no
//! command that was decided on what it changed is committed.

use std::sync::Arc;

use base::{Digest, GroupId, OrganizationId, PersonId, PersonRole, RunId, Ulid};
use run_core::{Map, RunState};
use run_ports::{Commit, CommitVerdict, NotedRun, VersionRow};

use super::runs::events;
use super::{Scene, Subject};

/// A run whose check is open for the reviewers.
async fn checked(scene: &Scene<'_>) -> RunId {
    let mut state = scene.started().await;
    for step in ["fetch", "carry"] {
        state = scene.done(&state, &scene.claim(step)).await;
        state = scene.done(&state, &scene.submit(&state)).await;
    }
    state.run
}

/// A run with an escalation, and without any other item.
async fn escalated(scene: &Scene<'_>) -> RunId {
    let state = scene.started().await;
    let state = scene.done(&state, &scene.claim("fetch")).await;
    scene.done(&state, &scene.escalate(&state)).await.run
}

async fn noted(scene: &Scene<'_>) -> Vec<NotedRun> {
    let noted = scene.subject.reassignments.noted(scene.organization, None, 100);
    noted.await.expect("the store works")
}

async fn runs_noted(scene: &Scene<'_>) -> Vec<RunId> {
    noted(scene).await.iter().map(|noted| noted.run).collect()
}

async fn forget(scene: &Scene<'_>, seen: &[NotedRun]) {
    let forgotten = scene.subject.reassignments.forget(scene.organization, seen);
    forgotten.await.expect("the store works");
}

async fn revision(scene: &Scene<'_>) -> u64 {
    let revision = scene.subject.directory.revision(scene.organization);
    revision.await.expect("the store works")
}

/// A new member of the group.
async fn join(scene: &Scene<'_>, group: GroupId, n: u128) {
    let (accounts, organization) = (&scene.subject.accounts, scene.organization);
    let person = PersonId::new(Ulid::from_parts(3, n));
    accounts
        .add_person(
            organization,
            person,
            &format!("p{n}@example.com"),
            PersonRole::Member,
        )
        .await;
    accounts.put_into_group(organization, group, person).await;
}

async fn map_reviewers(scene: &Scene<'_>, process: &str, group: GroupId) {
    let new = VersionRow {
        process: process.to_owned(),
        version: 0,
        format: "process".to_owned(),
        source: b"same".to_vec(),
        content_hash: Digest::new([1; 32]),
        description: String::new(),
        published_at: scene.now,
        published_by: None,
    };
    let roles = vec![("reviewers".to_owned(), group)];
    let published = scene
        .subject
        .versions
        .publish(scene.organization, new, roles)
        .await;
    published.expect("the store works");
}

/// Runs of that process, and only those with an open item; a role that means what it meant before is no change.
pub async fn changing_a_roles_group_notes_runs_with_open_items(subject: &Subject) {
    let scene = Scene::new(subject, 80).await;
    let others = GroupId::new(Ulid::from_parts(2, 1));
    subject.accounts.add_group(scene.organization, others, &[]).await;
    map_reviewers(&scene, "errand", scene.reviewers).await;
    scene.started().await;
    let run = checked(&scene).await;
    map_reviewers(&scene, "other", scene.reviewers).await;
    let before = revision(&scene).await;
    map_reviewers(&scene, "errand", scene.reviewers).await;
    assert_eq!(
        (runs_noted(&scene).await, revision(&scene).await),
        (vec![], before)
    );
    map_reviewers(&scene, "errand", others).await;
    assert_eq!(revision(&scene).await, before + 1);
    let revision = before + 1;
    assert_eq!(noted(&scene).await, [NotedRun { run, revision }]);
}

/// Runs with an open item for that group.
pub async fn changing_a_groups_members_notes_runs_with_items_for_it(subject: &Subject) {
    let scene = Scene::new(subject, 81).await;
    let others = GroupId::new(Ulid::from_parts(2, 2));
    subject.accounts.add_group(scene.organization, others, &[]).await;
    scene.started().await;
    escalated(&scene).await;
    let run = checked(&scene).await;
    join(&scene, others, 1).await;
    assert_eq!(runs_noted(&scene).await, []);
    join(&scene, scene.reviewers, 2).await;
    assert_eq!(runs_noted(&scene).await, [run]);
}

/// Runs with an escalation.
pub async fn changing_the_operators_notes_runs_with_escalations(subject: &Subject) {
    let scene = Scene::new(subject, 82).await;
    checked(&scene).await;
    let run = escalated(&scene).await;
    let (accounts, organization) = (&subject.accounts, scene.organization);
    let person = |n| PersonId::new(Ulid::from_parts(4, n));
    accounts
        .add_person(organization, person(1), "member@example.com", PersonRole::Member)
        .await;
    assert_eq!(runs_noted(&scene).await, []);
    accounts
        .add_person(organization, person(2), "admin@example.com", PersonRole::Admin)
        .await;
    assert_eq!(runs_noted(&scene).await, [run]);
}

/// An item that was decided is not open.
pub async fn runs_whose_items_are_closed_are_not_noted(subject: &Subject) {
    let scene = Scene::new(subject, 83).await;
    let state = scene.started().await;
    let state = scene.done(&state, &scene.claim("fetch")).await;
    let state = scene.done(&state, &scene.escalate(&state)).await;
    let returned = run_core::command::Verdict::Returned {
        note: "It is open now.".to_owned(),
    };
    scene
        .done(&state, &scene.verdict(&state, scene.operator, returned))
        .await;
    let person = PersonId::new(Ulid::from_parts(4, 3));
    subject
        .accounts
        .add_person(scene.organization, person, "admin@example.com", PersonRole::Admin)
        .await;
    assert_eq!(runs_noted(&scene).await, []);
}

/// What was noted again while it was looked at stays.
pub async fn a_run_that_is_noted_again_is_not_forgotten(subject: &Subject) {
    let scene = Scene::new(subject, 84).await;
    let run = checked(&scene).await;
    join(&scene, scene.reviewers, 1).await;
    let seen = noted(&scene).await;
    join(&scene, scene.reviewers, 2).await;
    forget(&scene, &seen).await;
    assert_eq!(runs_noted(&scene).await, [run]);
    forget(&scene, &noted(&scene).await).await;
    assert_eq!(runs_noted(&scene).await, []);
    forget(&scene, &seen).await;
}

/// Pages by id, of one organization or of the organizations.
pub async fn noted_runs_are_paged_by_id(subject: &Subject) {
    let scenes = [Scene::new(subject, 85).await, Scene::new(subject, 86).await];
    let mut organizations: Vec<OrganizationId> = Vec::new();
    for scene in &scenes {
        let mut runs = Vec::new();
        for _ in 0..5 {
            runs.push(checked(scene).await);
        }
        runs.sort();
        join(scene, scene.reviewers, 1).await;
        let (mut paged, mut after) = (Vec::new(), None);
        loop {
            let page = subject.reassignments.noted(scene.organization, after, 2).await;
            let page = page.expect("the store works");
            assert!(page.len() <= 2);
            let Some(last) = page.last() else { break };
            after = Some(last.run);
            paged.extend(page.iter().map(|noted| noted.run));
        }
        assert_eq!(paged, runs);
        organizations.push(scene.organization);
    }
    organizations.sort();
    let (mut paged, mut after) = (Vec::new(), None);
    while let Some(organization) = {
        let page = subject.reassignments.organizations(after, 1).await;
        page.expect("the store works").first().copied()
    } {
        after = Some(organization);
        paged.push(organization);
    }
    assert_eq!(paged, organizations);
}

/// Facts that were fetched before a change do not open an item after it. Nothing is written, and the request is free.
pub async fn a_command_decided_on_facts_of_before_a_change_is_outdated(subject: &Subject) {
    let scene = Scene::new(subject, 87).await;
    let before = revision(&scene).await;
    let decided_on = |revision: Option<u64>, id: &str| -> (Commit, Arc<RunState>) {
        let (commit, state) = scene.start(Map::new());
        let request = Some(scene.request(id, &commit));
        let commit = Commit {
            request,
            directory_revision: revision,
            ..commit
        };
        (commit, state)
    };
    let (commit, _) = decided_on(Some(before), "as it is");
    scene.commit(commit).await;
    join(&scene, scene.reviewers, 1).await;
    let (commit, state) = decided_on(Some(before), "as it was");
    let verdict = subject.runs.commit(commit).await;
    assert!(matches!(verdict, CommitVerdict::Outdated), "{verdict:?}");
    assert_eq!(events(&scene, state.run, 0).await, None);
    let (commit, _) = decided_on(Some(revision(&scene).await), "as it was");
    scene.commit(commit).await;
    let (commit, _) = decided_on(None, "without facts");
    scene.commit(commit).await;
}

/// A change of one organization is none of another.
pub async fn another_organizations_directory_is_another_one(subject: &Subject) {
    let (scene, other) = (Scene::new(subject, 88).await, Scene::new(subject, 89).await);
    let before = revision(&other).await;
    checked(&other).await;
    join(&scene, scene.reviewers, 1).await;
    assert_eq!(
        (runs_noted(&other).await, revision(&other).await),
        (vec![], before)
    );
}
