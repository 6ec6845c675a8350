//! `kill -9` of the server at random moments.

use crate::call::Caller;
use crate::dice::Dice;
use crate::doors;
use crate::load::{Load, Write};
use crate::site::{CALLERS, Site, advance, rounds};

/// Kills on one database.
const KILLS: u32 = 20;
/// Of these so manyth one hits a server that is only starting.
const EARLY: u32 = 5;
/// After so many kills everything is looked at.
const CHECKED: u32 = 10;
/// Acknowledged writes until the next kill, at most.
const WRITES_MAX: usize = 60;
/// Calls that find nobody until the kill of a server that starts, at most.
const UNKNOWN_MAX: usize = 300;
/// Writes that are sent again after each kill.
const REPLAYED: usize = 20;

#[test]
fn a_server_killed_at_random_moments_loses_and_doubles_nothing() {
    for round in 0..rounds() {
        let site = Site::new();
        let mut dice = Dice::new(round);
        let mut server = site.open();
        let mut ready = server.ready();
        let load = Load::start(&site.runtime, &[&ready], (CALLERS, round));
        for kill in 1..=KILLS {
            site.runtime.block_on(load.more(1 + dice.below(WRITES_MAX)));
            server.kill();
            if kill % EARLY == 0 {
                let early = site.spawn();
                site.runtime.block_on(load.more_unknown(dice.below(UNKNOWN_MAX)));
                early.kill();
            }
            server = site.start();
            ready = server.ready();
            load.move_to(&[&ready]);
            let writes = load.writes();
            let sample: Vec<&Write> = (0..REPLAYED)
                .filter_map(|_| writes.values().nth(dice.below(writes.len())))
                .collect();
            let replayed = async {
                doors::replay(&Caller::new(&ready), &ready, sample.into_iter()).await;
                advance(&ready).await;
            };
            site.runtime.block_on(replayed);
            if kill % CHECKED == 0 {
                site.check(&ready, &load, &format!("round {round}, {kill} kills"));
            }
        }
        site.finish(&ready, &load, &format!("round {round}, {KILLS} kills"));
        assert!(server.terminate().success());
    }
}
