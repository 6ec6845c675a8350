//! A server that is killed in the middle of many writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::join_all;
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use crate::door::{ERRAND, publish};
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

fn check(kill: fn(Server)) {
    let folder = temporary_folder();
    let arguments = ["--data-dir", &folder.text()];
    let runtime = Runtime::new().expect("a runtime");
    let first = Server::start(&arguments);
    publish(&first, ERRAND);
    let doors = Doors::of(&first.ready());
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
    kill(first);
    let errands = runtime.block_on(join_all(callers));
    let mut errands: Vec<Errand> = errands
        .into_iter()
        .map(|errand| errand.expect("no panic"))
        .collect();
    let unfinished = errands.iter().filter(|errand| errand.next().is_some()).count();
    assert!(
        unfinished > CALLERS / 2,
        "it was killed in the middle: {unfinished}"
    );

    let second = Server::start(&arguments);
    let ready = second.ready();
    let doors = Doors::of(&ready);
    runtime.block_on(async {
        // What was acknowledged before is there before anybody goes on.
        join_all(errands.iter().map(|errand| errand.replay(&doors))).await;
        join_all(errands.iter_mut().map(|errand| errand.finish(&doors))).await;
        join_all(errands.iter().map(|errand| errand.replay(&doors))).await;
    });
    assert_written_once(&ready, &errands);
    assert!(second.terminate().success());
}

/// Writes until a call has no answer, and says so when enough have one.
async fn write_until_the_end(
    mut errand: Errand,
    doors: Doors,
    (acknowledged, enough): (Arc<AtomicUsize>, Arc<Notify>),
) -> Errand {
    while errand.next().is_some() {
        if errand.go_on(&doors).await.is_err() {
            break;
        }
        if acknowledged.fetch_add(1, Ordering::Relaxed) + 1 == ACKNOWLEDGED_BEFORE_THE_END {
            enough.notify_one();
        }
    }
    errand
}
