//! Faults for real, under a load of many callers: servers and databases that are killed, connections that end at the worst moment,
//! locks, clocks that differ, clients that vanish. A verifier reads the journal afterwards.
//!
//! `BATON_FAULTS_ROUNDS` says how often each fault is brought about on a fresh database (1; `infra/test --long` has 10).

mod call;
mod clients;
mod connections;
mod databases;
mod dice;
#[path = "../e2e/door.rs"]
#[expect(
    dead_code,
    reason = "these tests publish as others do, and call by themselves"
)]
mod door;
mod doors;
mod drive;
#[path = "../e2e/journal.rs"]
mod journal;
mod kills;
mod load;
mod postgres;
mod projections;
#[path = "../e2e/proxy.rs"]
mod proxy;
mod races;
mod site;
mod steps;
#[path = "../dev/support.rs"]
#[expect(
    dead_code,
    reason = "this crate uses a part of what the tests of `baton dev` use"
)]
mod support;
mod tables;
mod tampering;
mod verifier;
