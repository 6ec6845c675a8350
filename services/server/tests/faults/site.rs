//! A data folder of its own, its servers, and the load on them.

use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Runtime;

use crate::door::publish;
use crate::doors;
use crate::journal::execute;
use crate::load::Load;
use crate::support::{Folder, Server, temporary_folder};
use crate::tables::{Tables, text};
use crate::verifier::{Known, report, verify};

/// Callers of a load.
pub(crate) const CALLERS: usize = 12;
/// Longer than the clock is ever moved: no claim of the load lapses.
const LEASE: &str = "86400";
const ERRAND: (&str, &[&str]) = ("errand", &["finance=finance"]);
const RELAY: (&str, &[&str]) = ("../faults/relay", &["finance=finance", "operations=operations"]);

/// How often each fault is brought about.
pub(crate) fn rounds() -> u64 {
    let rounds = std::env::var("BATON_FAULTS_ROUNDS").ok();
    rounds.map_or(1, |rounds| {
        rounds.parse().expect("BATON_FAULTS_ROUNDS is a number")
    })
}

/// A data folder and whoever waits for its servers.
pub(crate) struct Site {
    folder: Folder,
    pub(crate) runtime: Runtime,
}

impl Site {
    pub(crate) fn new() -> Self {
        Self {
            folder: temporary_folder(),
            runtime: Runtime::new().expect("a runtime"),
        }
    }

    /// A server that is not waited for.
    pub(crate) fn spawn(&self) -> Server {
        self.spawn_on(None)
    }

    /// The same on a given way to the database.
    pub(crate) fn spawn_on(&self, database: Option<&str>) -> Server {
        Server::spawn_on(
            database,
            &["--data-dir", &self.folder.text(), "--lease-seconds", LEASE],
        )
    }

    /// A server that is ready.
    pub(crate) fn start(&self) -> Server {
        let server = self.spawn();
        server.ready();
        server
    }

    /// The first server, with the processes of the load.
    pub(crate) fn open(&self) -> Server {
        let server = self.start();
        publish(&server, ERRAND);
        publish(&server, RELAY);
        server
    }

    /// Everything that must be true while nothing is on the way; then the load goes on.
    pub(crate) fn check(&self, ready: &Value, load: &Load, what: &str) {
        self.runtime.block_on(load.rest());
        let known = Known::of(load);
        verify(ready, &known, what);
        self.runtime
            .block_on(doors::check(ready, &known, &Tables::read(ready)));
        load.go_on();
    }

    /// Everything that must be true at the end, when every run has been driven there.
    pub(crate) fn finish(&self, ready: &Value, load: &Load, what: &str) {
        self.check(ready, load, what);
        self.runtime.block_on(drive_to_the_end(ready, load));
        let known = Known::of(load);
        verify(ready, &known, &format!("{what}, at the end"));
        let tables = Tables::read(ready);
        self.runtime.block_on(doors::check(ready, &known, &tables));
        let open = tables
            .of("runs")
            .iter()
            .filter(|run| !["ended", "cancelled"].contains(&text(run, "state")));
        assert_eq!(open.count(), 0, "every run comes to its end");
        report(&format!("{what}: {:?}", load.counts()));
    }
}

/// Waits end because the clock is moved again and again.
async fn drive_to_the_end(ready: &Value, load: &Load) {
    let mut moves = tokio::time::interval(Duration::from_millis(200));
    let end = load.end();
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => return,
            _ = moves.tick() => advance(ready).await,
        }
    }
}

/// Moves the clock of the database by more than a minute, as time travel does; servers hear of it.
pub(crate) async fn advance(ready: &Value) {
    let ready = ready.clone();
    let moving = tokio::task::spawn_blocking(move || {
        execute(
            &ready,
            "update instance set clock_offset_millis = clock_offset_millis + 61000; notify baton_clock_moved",
        )
    });
    moving.await.expect("psql ends");
}
