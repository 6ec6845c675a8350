//! Connections to the database that end between a commit and its answer, before the commit or at any moment, or that fall silent;
//! and two servers on one database that do not agree about the time.

use serde_json::Value;

use crate::dice::Dice;
use crate::load::Load;
use crate::proxy::Proxy;
use crate::site::{CALLERS, Site, advance, rounds};
use crate::support::{Server, text};

/// Writes between two faults.
const WRITES: usize = 60;
/// How often all connections are cut.
const CUTS: usize = 8;
/// Calls without an answer until a silence ends: it lasts longer than the server waits for a commit.
const UNKNOWN_IN_SILENCE: usize = 2 * CALLERS;
/// How far the clocks are apart.
const APART_MICROS: i64 = 5_000_000;
/// Writes of two servers that do not agree.
const WRITES_APART: usize = 240;

/// A server behind a proxy and one beside it.
struct Scene {
    site: Site,
    proxy: Proxy,
    direct: Server,
    behind: Server,
}

impl Scene {
    fn new(shift_micros: i64) -> Self {
        let site = Site::new();
        let direct = site.open();
        let proxy = site
            .runtime
            .block_on(Proxy::start(direct.socket_folder().join(".s.PGSQL.5432")));
        proxy.shift_clock(shift_micros);
        let address = text(&direct.ready()["databaseUrl"]);
        let login = address.split_once('@').expect("a login").0;
        let url = format!("{login}@127.0.0.1:{}/baton?sslmode=disable", proxy.port());
        let behind = site.spawn_on(Some(&url));
        behind.ready();
        Self {
            site,
            proxy,
            direct,
            behind,
        }
    }

    /// A load on both servers while something goes on, and everything that must be true afterwards.
    fn play(self, what: &str, seed: u64, script: impl AsyncFnOnce(&Proxy, &Load, &Value)) {
        let (direct, behind) = (self.direct.ready(), self.behind.ready());
        // Two of three calls go by the proxy.
        let load = Load::start(&self.site.runtime, &[&behind, &direct, &behind], (CALLERS, seed));
        self.site.runtime.block_on(script(&self.proxy, &load, &direct));
        self.site.finish(&direct, &load, what);
        assert!(self.behind.terminate().success());
        assert!(self.direct.terminate().success());
    }
}

#[test]
fn commits_whose_answers_are_lost_happen_once() {
    for round in 0..rounds() {
        Scene::new(0).play("lost answers", round, async |proxy, load, _| {
            load.more(WRITES).await;
            proxy.lose_answers(5);
            load.more(3 * WRITES).await;
            proxy.lose_answers(0);
            proxy.lose_requests(7);
            load.more(3 * WRITES).await;
            proxy.lose_requests(0);
            assert!(proxy.cuts() > 5, "{} connections were cut", proxy.cuts());
        });
    }
}

#[test]
fn connections_that_end_at_any_moment_lose_and_double_nothing() {
    for round in 0..rounds() {
        let mut dice = Dice::new(round);
        Scene::new(0).play("cuts", round, async |proxy, load, ready| {
            for _ in 0..CUTS {
                load.more(1 + dice.below(WRITES)).await;
                proxy.cut_all();
                advance(ready).await;
            }
            assert!(proxy.cuts() > CUTS, "{} connections were cut", proxy.cuts());
        });
    }
}

#[test]
fn a_database_that_falls_silent_loses_and_doubles_nothing() {
    for round in 0..rounds() {
        Scene::new(0).play("silence", round, async |proxy, load, _| {
            load.more(WRITES).await;
            proxy.fall_silent();
            load.more_unknown(UNKNOWN_IN_SILENCE).await;
            proxy.speak_again();
            load.more(WRITES).await;
        });
    }
}

/// One server's idea of the time is five seconds ahead of the other's, then five behind. A run's events are in order all the same.
#[test]
fn two_servers_whose_clocks_are_apart_keep_one_order() {
    for round in 0..rounds() {
        for shift in [APART_MICROS, -APART_MICROS] {
            let what = format!("clocks {} s apart", shift / 1_000_000);
            Scene::new(shift).play(&what, round, async |proxy, load, ready| {
                load.more(WRITES_APART / 2).await;
                advance(ready).await;
                load.more(WRITES_APART / 2).await;
                assert!(proxy.shifts() > 0, "the server behind it was told another time");
            });
        }
    }
}
