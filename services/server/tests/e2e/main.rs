//! Runs on the real binary and real databases: rmcp's client, killed servers, cut connections, two servers at once.

mod crashes;
mod cuts;
mod door;
mod errands;
mod journal;
mod moves;
#[expect(dead_code, reason = "this crate cuts at certain moments only")]
mod proxy;
mod races;
#[path = "../dev/support.rs"]
#[expect(
    dead_code,
    reason = "this crate uses a part of what the tests of `baton dev` use"
)]
mod support;
mod tokens;
mod travels;
mod walks;
mod wrong_types;
