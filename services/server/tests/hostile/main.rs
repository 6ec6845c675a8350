//! What a hostile caller can send to a running server, byte by byte. Whatever it is, the answer is the one that its table says; the
//! memory that the server has ever held stays under a bound, nothing panics, and a well-behaved call is answered meanwhile.

mod bodies;
mod connections;
mod framing;
mod heads;
mod json;
#[path = "../dev/support.rs"]
#[expect(
    dead_code,
    reason = "this crate uses a part of what the tests of `baton dev` use"
)]
mod support;
mod target;
mod wire;
