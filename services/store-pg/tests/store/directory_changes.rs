//! Commands and changes of the directory at the same time: whoever comes second sees the first, and nobody waits who need not.

use std::sync::Arc;

use run_core::RunState;
use run_ports::{Commit, CommitVerdict, Directory, Groups as _, Reassignments, RunStore};
use run_sim::contract::Scene;
use sqlx::{AssertSqlSafe, PgConnection};
use store_pg::Store;
use tokio::task::JoinHandle;

use crate::support::{Database, connect, subject_of};
use crate::unknown_commit::{block, waiting};

/// The command that opens a check for the reviewers, decided on facts of now.
async fn opening(store: &Store, scene: &Scene<'_>) -> (Commit, Arc<RunState>) {
    let mut state = scene.started().await;
    state = scene.done(&state, &scene.claim("fetch")).await;
    state = scene.done(&state, &scene.submit(&state)).await;
    state = scene.done(&state, &scene.claim("carry")).await;
    let revision = store.revision(scene.organization).await;
    let (commit, state) = scene.decide(&state, &scene.submit(&state));
    let directory_revision = Some(revision.expect("the store works"));
    let commit = Commit {
        directory_revision,
        ..commit
    };
    (commit, state)
}

/// Takes everybody out of the reviewers, up to the end of the transaction.
async fn change(connection: &mut PgConnection, scene: &Scene<'_>) {
    let (organization, group) = (scene.organization, scene.reviewers);
    let sql = format!(
        "begin;
         set local baton.organizations = '{organization}';
         select begin_directory_change('{organization}');
         delete from group_members where organization = '{organization}' and group_id = '{group}';
         select note_group_change('{organization}', '{group}')"
    );
    run(connection, &sql).await;
}

async fn run(connection: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(connection)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
}

fn commit(store: &Store, commit: Commit) -> JoinHandle<CommitVerdict> {
    let store = store.clone();
    tokio::spawn(async move { store.commit(commit).await })
}

/// The command comes back until the change is made or given up. It waits for nothing in the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_decided_on_facts_of_before_a_change_waits_for_its_end() {
    for (end, is_committed) in [("commit", false), ("rollback", true)] {
        let database = Database::migrated().await;
        let store = database.store().await;
        let subject = subject_of(&store);
        let scene = Scene::new(&subject, 1).await;
        let (open, _) = opening(&store, &scene).await;
        let mut admin = connect(&database.app()).await;
        change(&mut admin, &scene).await;
        let committing = commit(&store, open);
        // Neither commands of the organization that open nothing for a group, nor those of others, wait for the change.
        scene.started().await;
        let other = Scene::new(&subject, 2).await;
        let (open, _) = opening(&store, &other).await;
        other.commit(open).await;
        assert!(!committing.is_finished());
        let mut owner = connect(&database.owner()).await;
        assert_eq!(waiting(&mut owner, "advisory").await, 0);
        run(&mut admin, end).await;
        let verdict = committing.await.expect("no panic");
        let is_right = match verdict {
            CommitVerdict::Committed => is_committed,
            CommitVerdict::Outdated => !is_committed,
            _ => false,
        };
        assert!(is_right, "{end}: {verdict:?}");
    }
}

/// The change waits for a commit that is under way, and then finds its item.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_notes_the_item_of_a_commit_that_is_under_way() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 1).await;
    let (open, state) = opening(&store, &scene).await;
    let (mut owner, mut rival) = (connect(&database.owner()).await, connect(&database.owner()).await);
    let (_, committing) = block(&scene, (&mut owner, &mut rival), open).await;
    let (admin, organization) = (store.clone(), scene.organization);
    let (group, person) = (scene.reviewers, scene.operator);
    let changing = tokio::spawn(async move { admin.put_into_group(organization, group, person).await });
    while waiting(&mut owner, "advisory").await == 0 {}
    // Whoever comes behind the change waits for it without a place in the database.
    let (later, _) = opening(&store, &scene).await;
    let later = commit(&store, later);
    assert!(!changing.is_finished() && !committing.is_finished());
    run(&mut rival, "rollback").await;
    let verdict = committing.await.expect("no panic");
    assert!(matches!(verdict, CommitVerdict::Committed), "{verdict:?}");
    let changed = changing.await.expect("no panic");
    changed.expect("the store works");
    let verdict = later.await.expect("no panic");
    assert!(matches!(verdict, CommitVerdict::Outdated), "{verdict:?}");
    let noted = store
        .noted(organization, None, 10)
        .await
        .expect("the store works");
    assert_eq!(
        noted.iter().map(|noted| noted.run).collect::<Vec<_>>(),
        [state.run]
    );
}

/// A note that is being made again is not waited for, and stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgetting_a_note_waits_for_no_change() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 1).await;
    let (open, _) = opening(&store, &scene).await;
    scene.commit(open).await;
    let added = store.put_into_group(scene.organization, scene.reviewers, scene.operator);
    added.await.expect("the store works");
    let noted = async || {
        let noted = store.noted(scene.organization, None, 10).await;
        noted.expect("the store works")
    };
    let seen = noted().await;
    let mut admin = connect(&database.app()).await;
    change(&mut admin, &scene).await;
    let forgotten = store.forget(scene.organization, &seen).await;
    forgotten.expect("the store works");
    run(&mut admin, "commit").await;
    let again = noted().await;
    assert!(
        again.len() == 1 && again[0].revision == seen[0].revision + 1,
        "{again:?}"
    );
}

/// Administrators and commands in any number, of which nobody is chosen to give way.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn changes_and_commands_at_once_do_not_block_each_other() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 1).await;
    let (mut commits, mut changes) = (Vec::new(), Vec::new());
    for n in 0..40 {
        let (open, _) = opening(&store, &scene).await;
        commits.push(commit(&store, open));
        if n % 4 == 0 {
            let (admin, organization) = (store.clone(), scene.organization);
            let (group, person) = (scene.reviewers, scene.operator);
            changes.push(tokio::spawn(async move {
                match n % 8 {
                    0 => admin.put_into_group(organization, group, person).await,
                    _ => admin.take_from_group(organization, group, person).await,
                }
            }));
        }
    }
    for changing in changes {
        let made = changing.await.expect("no panic");
        made.expect("a change waits for others and is made");
    }
    for commit in commits {
        let verdict = commit.await.expect("no panic");
        assert!(
            matches!(verdict, CommitVerdict::Committed | CommitVerdict::Outdated),
            "{verdict:?}"
        );
    }
}
