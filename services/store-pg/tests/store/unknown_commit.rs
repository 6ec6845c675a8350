//! Connections that are lost between COMMIT and its answer, and a database that is not there.

use std::io;
use std::sync::Arc;

use base::Secret;
use run_core::Map;
use run_ports::{Commit, CommitVerdict, PortError, RunStore};
use run_sim::contract::Scene;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store_pg::{Store, StoreOptions};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use crate::support::{Database, connect, subject_of};

/// Stands between the store and the database.
struct Proxy {
    port: u16,
    cuts: watch::Sender<u32>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    async fn start(database: &Database) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let to = database.owner();
        let (cuts, cut) = watch::channel(0);
        let accepting = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let (to, mut cut) = (to.clone(), cut.clone());
                cut.mark_unchanged();
                tokio::spawn(async move {
                    tokio::select! {
                        _ = pass(near, to) => {}
                        _ = cut.changed() => {}
                    }
                });
            }
        });
        Self {
            port,
            cuts,
            accepting,
        }
    }

    /// Ends every connection through it.
    fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }

    async fn store(&self, database: &Database) -> Store {
        let app = database.app();
        let (login, port) = (app.get_username(), self.port);
        let name = app.get_database().expect("it has a name");
        let options = StoreOptions {
            app_url: Secret::new(format!("postgres://{login}@127.0.0.1:{port}/{name}")),
            ..database.options()
        };
        Store::connect(&options).await.expect("the database is there")
    }
}

/// What both sides say, to each other. The database listens on a socket or on a port.
async fn pass(mut near: TcpStream, to: PgConnectOptions) -> io::Result<()> {
    let port = to.get_port();
    if let Some(folder) = to.get_socket() {
        let mut far = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?;
        copy_bidirectional(&mut near, &mut far).await?;
    } else {
        let mut far = TcpStream::connect((to.get_host(), port)).await?;
        copy_bidirectional(&mut near, &mut far).await?;
    }
    Ok(())
}

/// How many backends of the database wait for a lock of this kind.
pub(crate) async fn waiting(owner: &mut PgConnection, locktype: &str) -> i64 {
    let sql = "select count(*) from pg_locks where not granted and locktype = $1 and database in (
                   select oid from pg_database where datname = current_database()) or not granted and locktype = $1
                   and locktype = 'transactionid'";
    let (count,) = sqlx::query_as(sql)
        .bind(locktype)
        .fetch_one(owner)
        .await
        .expect("it may be read");
    count
}

/// A commit that waits in the database, because somebody else uses its request id in a transaction that is not over.
pub(crate) async fn block(
    scene: &Scene<'_>,
    (owner, rival): (&mut PgConnection, &mut PgConnection),
    commit: Commit,
) -> (Commit, JoinHandle<CommitVerdict>) {
    let sql = format!(
        "begin; insert into requests (organization, request, caller, tool, arguments, answer, at)
         values ('{}', 'blocked', 'server', 'upload', sha256(''), '', 0)",
        scene.organization
    );
    let begun = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *rival).await;
    begun.expect("the owner may");
    let request = scene.request("blocked", &commit);
    let commit = Commit {
        request: Some(request),
        ..commit
    };
    let (runs, copy) = (Arc::clone(&scene.subject.runs), commit.clone());
    let committing = tokio::spawn(async move { runs.commit(copy).await });
    while waiting(owner, "transactionid").await == 0 {}
    (commit, committing)
}

/// The connection is cut while the commit is under way: nobody knows, and whoever asks waits until it is known.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_an_unknown_commit_the_settled_journal_tells_the_truth() {
    let database = Database::migrated().await;
    let proxy = Proxy::start(&database).await;
    let store = proxy.store(&database).await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 1).await;
    let (mut owner, mut rival) = (connect(&database.owner()).await, connect(&database.owner()).await);
    let (commit, committing) = block(&scene, (&mut owner, &mut rival), scene.start(Map::new()).0).await;
    proxy.cut();
    let verdict = committing.await.expect("no panic");
    assert!(matches!(verdict, CommitVerdict::Unknown(_)), "{verdict:?}");

    let (asked, organization) = (store.clone(), scene.organization);
    let settling = tokio::spawn(async move { asked.journal_settled(organization, commit.run, 0).await });
    while waiting(&mut owner, "advisory").await == 0 {}
    let plain = store
        .journal(organization, commit.run, 0)
        .await
        .expect("the store works");
    assert!(plain.is_none() && !settling.is_finished());
    sqlx::raw_sql("rollback")
        .execute(&mut rival)
        .await
        .expect("it was begun");
    let settled = settling.await.expect("no panic").expect("the store works");
    assert_eq!(settled.map(|journal| journal.events), Some(commit.events.clone()));

    // Whoever tries again finds that it happened.
    let again = store.commit(commit).await;
    assert!(matches!(again, CommitVerdict::Conflict), "{again:?}");
    scene.started().await;
}

/// While a lost commit hangs, those who wait for it use up no connection that others need.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_for_an_unknown_commit_stops_no_other_read() {
    let database = Database::migrated().await;
    let proxy = Proxy::start(&database).await;
    let store = proxy.store(&database).await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 6).await;
    let (mut owner, mut rival) = (connect(&database.owner()).await, connect(&database.owner()).await);
    let (commit, committing) = block(&scene, (&mut owner, &mut rival), scene.start(Map::new()).0).await;
    proxy.cut();
    committing.await.expect("no panic");

    let organization = scene.organization;
    let mut settling = JoinSet::new();
    for _ in 0..40 {
        let (store, run) = (store.clone(), commit.run);
        settling.spawn(async move { store.journal_settled(organization, run, 0).await });
    }
    while waiting(&mut owner, "advisory").await < 2 {}
    let other = store.look(organization, None, Some(commit.run)).await;
    assert_eq!(other.expect("the store works").head, None);
    while settling.len() > 2 {
        let turned_away = settling.join_next().await.expect("there are more");
        let turned_away = turned_away.expect("no panic");
        assert!(
            matches!(turned_away, Err(PortError::Unavailable(_))),
            "{turned_away:?}"
        );
    }
    sqlx::raw_sql("rollback")
        .execute(&mut rival)
        .await
        .expect("it was begun");
    for settled in settling.join_all().await {
        assert!(settled.expect("the store works").is_some());
    }
}

/// The server ends the session: the commit never happens, which is not known before it is asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_is_ended_leaves_nothing() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 2).await;
    let (mut owner, mut rival) = (connect(&database.owner()).await, connect(&database.owner()).await);
    let (commit, committing) = block(&scene, (&mut owner, &mut rival), scene.start(Map::new()).0).await;
    sqlx::raw_sql(
        "select pg_terminate_backend(pid) from pg_locks where not granted and locktype = 'transactionid'
                   and pid in (select pid from pg_stat_activity where datname = current_database())",
    )
    .execute(&mut owner)
    .await
    .expect("the owner may");
    let verdict = committing.await.expect("no panic");
    assert!(matches!(verdict, CommitVerdict::Unknown(_)), "{verdict:?}");
    let settled = store.journal_settled(scene.organization, commit.run, 0).await;
    assert_eq!(settled.expect("the store works"), None);
    rival.close().await.expect("it closes");
    let again = store.commit(commit).await;
    assert!(matches!(again, CommitVerdict::Committed), "{again:?}");
}

/// Whoever looks while a commit is under way is told so, whichever server it came from.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_head_tells_whether_somebody_writes() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 5).await;
    let (mut owner, mut rival) = (connect(&database.owner()).await, connect(&database.owner()).await);
    let state = scene.started().await;
    let beside = database.store().await;
    let is_being_written = async || {
        let look = beside.look(scene.organization, None, Some(state.run)).await;
        look.expect("the store works")
            .head
            .expect("it exists")
            .is_being_written
    };
    assert!(!is_being_written().await);
    let (claim, claimed) = scene.decide(&state, &scene.claim("fetch"));
    let (_, committing) = block(&scene, (&mut owner, &mut rival), claim).await;
    assert!(is_being_written().await);
    rival.close().await.expect("it closes");
    let verdict = committing.await.expect("no panic");
    assert!(matches!(verdict, CommitVerdict::Committed), "{verdict:?}");
    assert!(!is_being_written().await);

    // A holder that gave up, and one that only settled a doubt, write no more.
    let held = format!("begin; select from runs where run = '{}' for update", state.run);
    let mut holder = connect(&database.owner()).await;
    sqlx::raw_sql(AssertSqlSafe(held))
        .execute(&mut holder)
        .await
        .expect("the owner may");
    assert!(is_being_written().await);
    sqlx::raw_sql("rollback")
        .execute(&mut holder)
        .await
        .expect("it was begun");
    assert!(!is_being_written().await);
    let settled = store
        .journal_settled(scene.organization, state.run, claimed.seq)
        .await;
    assert_eq!(settled.expect("the store works").expect("it exists").events, []);
    assert!(!is_being_written().await);
}

/// What was never sent is known not to have happened.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_not_there_is_unavailable() {
    let database = Database::migrated().await;
    let proxy = Proxy::start(&database).await;
    let store = proxy.store(&database).await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 3).await;
    proxy.accepting.abort();
    proxy.cut();
    let (start, _) = scene.start(Map::new());
    let verdict = store.commit(start.clone()).await;
    assert!(matches!(verdict, CommitVerdict::Unavailable(_)), "{verdict:?}");
    let read = store.journal(scene.organization, start.run, 0).await;
    assert!(matches!(read, Err(PortError::Unavailable(_))), "{read:?}");
}

/// Everybody gets an answer when the store closes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_store_answers_every_write() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 4).await;
    let commits: Vec<_> = (0..200)
        .map(|_| {
            let (store, commit) = (store.clone(), scene.start(Map::new()).0);
            tokio::spawn(async move { (commit.run, store.commit(commit).await) })
        })
        .collect();
    store.close().await;
    let late = store.commit(scene.start(Map::new()).0).await;
    assert!(matches!(late, CommitVerdict::Unavailable(_)), "{late:?}");
    let reader = database.store().await;
    for commit in commits {
        let (run, verdict) = commit.await.expect("no panic");
        let is_there = reader
            .journal(scene.organization, run, 0)
            .await
            .expect("the store works")
            .is_some();
        match verdict {
            CommitVerdict::Committed => assert!(is_there),
            CommitVerdict::Unavailable(_) => assert!(!is_there),
            other => panic!("{other:?}"),
        }
    }
}
