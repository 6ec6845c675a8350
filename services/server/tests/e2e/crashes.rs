//! A server that ends in the middle of many writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::join_all;
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use crate::door::{ERRAND, Failure, publish};
use crate::errands::{Doors, Errand, assert_written_once};
use crate::support::{Server, temporary_folder};

/// Callers that write at the same time.
const CALLERS: usize = 200;
/// Each errand has four writes: after so many answers every caller is in the middle of one.
const ACKNOWLEDGED_BEFORE_THE_END: usize = 300;

#[test]
fn a_killed_server_loses_nothing_that_it_acknowledged() {
    check(Server::kill);
}

#[test]
fn a_server_killed_with_its_database_loses_nothing_that_it_acknowledged() {
    check(Server::kill_with_postgres);
}

#[test]
fn a_server_that_is_told_to_end_does_so_in_order() {
    check(|server| assert!(server.terminate().success()));
}

#[test]
fn another_server_goes_on_where_one_was_killed() {
    let folder = temporary_folder();
    let arguments = ["--data-dir", &folder.text()];
    let (first, second) = (Server::start(&arguments), Server::start(&arguments));
    let runtime = Runtime::new().expect("a runtime");
    let errands = interrupted(&runtime, first, Server::kill);
    go_on(&runtime, errands, second);
}

fn check(end: fn(Server)) {
    let folder = temporary_folder();
    let arguments = ["--data-dir", &folder.text()];
    let runtime = Runtime::new().expect("a runtime");
    let errands = interrupted(&runtime, Server::start(&arguments), end);
    go_on(&runtime, errands, Server::start(&arguments));
}

/// Errands as far as they came before the end of their server.
fn interrupted(runtime: &Runtime, server: Server, end: fn(Server)) -> Vec<Errand> {
    publish(&server, ERRAND);
    let doors = Doors::of(&server.ready());
    let (acknowledged, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let callers: Vec<_> = (0..CALLERS)
        .map(|n| {
            let caller = write_until_the_end(
                Errand::new(format!("caller-{n}")),
                doors.clone(),
                (Arc::clone(&acknowledged), Arc::clone(&enough)),
            );
            runtime.spawn(caller)
        })
        .collect();
    runtime.block_on(enough.notified());
    end(server);
    let errands: Vec<Errand> = runtime
        .block_on(join_all(callers))
        .into_iter()
        .map(|errand| errand.expect("no panic"))
        .collect();
    let unfinished = errands.iter().filter(|errand| errand.next().is_some()).count();
    assert!(unfinished > CALLERS / 2, "it ended in the middle: {unfinished}");
    errands
}

/// What was acknowledged is there; the rest is written now.
fn go_on(runtime: &Runtime, mut errands: Vec<Errand>, heir: Server) {
    let ready = heir.ready();
    let doors = Doors::of(&ready);
    runtime.block_on(async {
        join_all(errands.iter().map(|errand| errand.replay(&doors))).await;
        join_all(errands.iter_mut().map(|errand| errand.finish(&doors))).await;
        join_all(errands.iter().map(|errand| errand.replay(&doors))).await;
    });
    assert_written_once(&ready, &errands);
    assert!(heir.terminate().success());
}

/// Writes until a call has no answer, and says so when enough have one.
async fn write_until_the_end(
    mut errand: Errand,
    doors: Doors,
    (acknowledged, enough): (Arc<AtomicUsize>, Arc<Notify>),
) -> Errand {
    while errand.next().is_some() {
        match errand.go_on(&doors).await {
            Ok(()) => {}
            Err(Failure::Unknown) => break,
            Err(refused) => panic!("a server that ends refuses nothing: {refused:?}"),
        }
        if acknowledged.fetch_add(1, Ordering::Relaxed) + 1 == ACKNOWLEDGED_BEFORE_THE_END {
            enough.notify_one();
        }
    }
    errand
}
