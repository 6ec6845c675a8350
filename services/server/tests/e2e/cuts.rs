//! Connections to the database that end between a commit and its answer, or just before it.

use futures::future::join_all;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::door::{Door, ERRAND, Failure, publish, refusal};
use crate::errands::{Doors, Errand, assert_written_once};
use crate::journal;
use crate::proxy::Proxy;
use crate::support::{Folder, Server, temporary_folder, text};

/// Each has one errand of four writes.
const CALLERS: usize = 50;
/// How often all connections are ended.
const ROUNDS: usize = 8;

/// Two servers on one database: one as usual, and one behind the proxy.
struct Scene {
    _folder: Folder,
    direct: Server,
    behind: Server,
    proxy: Proxy,
    runtime: Runtime,
}

impl Scene {
    fn new() -> Self {
        let folder = temporary_folder();
        let runtime = Runtime::new().expect("a runtime");
        let direct = Server::start(&["--data-dir", &folder.text()]);
        let proxy = runtime.block_on(Proxy::start(direct.socket_folder().join(".s.PGSQL.5432")));
        let address = text(&direct.ready()["databaseUrl"]);
        let login = address.split_once('@').expect("a login").0;
        let url = format!("{login}@127.0.0.1:{}/baton?sslmode=disable", proxy.port());
        let behind = Server::spawn_on(Some(&url), &["--data-dir", &folder.text()]);
        behind.ready();
        publish(&direct, ERRAND);
        Self {
            _folder: folder,
            direct,
            behind,
            proxy,
            runtime,
        }
    }

    fn end(self) {
        assert!(self.behind.terminate().success());
        assert!(self.direct.terminate().success());
    }
}

#[test]
fn a_commit_whose_answer_is_lost_is_found_again() {
    let scene = Scene::new();
    let (behind, direct) = (scene.behind.ready(), scene.direct.ready());
    scene.runtime.block_on(async {
        let (alpha, elsewhere) = (Door::of(&behind, "alpha"), Door::of(&direct, "alpha"));
        let start = json!({"process": "errand", "inputs": {"what": "x"}, "requestId": "start"});
        scene.proxy.lose_answers(1);
        let started = alpha.call("start_run", &start).await;
        scene.proxy.lose_answers(0);
        assert_eq!(scene.proxy.cuts(), 1);
        let run = alpha.insist("start_run", &start).await;
        // Whatever the first answer was, it was none that says something else.
        assert!(started == run || started == Err(Failure::Unknown), "{started:?}");
        assert_eq!(elsewhere.call("start_run", &start).await, run);

        let id = &run.expect("it is started")["run"]["id"];
        let claim = json!({"runId": id, "stepId": "do", "requestId": "claim"});
        scene.proxy.lose_answers(1);
        let claimed = alpha.call("claim", &claim).await;
        scene.proxy.lose_answers(0);
        assert_eq!(scene.proxy.cuts(), 2);
        let held = alpha.insist("claim", &claim).await;
        assert!(claimed == held || claimed == Err(Failure::Unknown), "{claimed:?}");
        assert_eq!(elsewhere.call("claim", &claim).await, held);
        let another = json!({"runId": id, "stepId": "do", "requestId": "another"});
        assert_eq!(
            alpha.call("claim", &another).await,
            Err(refusal("conflict", "claimed_by_you"))
        );
    });
    scene.end();
}

#[test]
fn many_commits_whose_answers_are_lost_are_each_there_once() {
    check(Proxy::lose_answers);
}

#[test]
fn many_commits_that_never_arrived_are_each_there_once() {
    check(Proxy::lose_requests);
}

fn check(lose: fn(&Proxy, usize)) {
    let scene = Scene::new();
    let ready = scene.behind.ready();
    let doors = Doors::of(&ready);
    let mut errands: Vec<Errand> = (0..CALLERS).map(|n| Errand::new(format!("caller-{n}"))).collect();
    scene.runtime.block_on(async {
        lose(&scene.proxy, 3);
        join_all(errands.iter_mut().map(|errand| errand.finish(&doors))).await;
        lose(&scene.proxy, 0);
        join_all(errands.iter().map(|errand| errand.replay(&doors))).await;
    });
    assert!(
        scene.proxy.cuts() >= 3,
        "{} connections were cut",
        scene.proxy.cuts()
    );
    assert_written_once(&scene.direct.ready(), &errands);
    scene.end();
}

/// Readers and committers, again and again, while everybody writes.
#[test]
fn connections_that_the_database_ends_lose_nothing() {
    let scene = Scene::new();
    let direct = scene.direct.ready();
    let doors = Doors::of(&scene.behind.ready());
    let mut errands: Vec<Errand> = (0..CALLERS).map(|n| Errand::new(format!("caller-{n}"))).collect();
    let ended = scene.runtime.block_on(async {
        let ending = tokio::task::spawn_blocking(move || end_connections(&direct));
        join_all(errands.iter_mut().map(|errand| errand.finish(&doors))).await;
        join_all(errands.iter().map(|errand| errand.replay(&doors))).await;
        ending.await.expect("no panic")
    });
    assert!(ended > ROUNDS, "{ended} connections were ended");
    assert_written_once(&scene.direct.ready(), &errands);
    scene.end();
}

/// How many it were.
fn end_connections(ready: &Value) -> usize {
    let query = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'baton'";
    (0..ROUNDS).map(|_| journal::rows(ready, query).len()).sum()
}
