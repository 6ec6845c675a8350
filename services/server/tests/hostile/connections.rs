//! Many connections that say nothing more.

use std::io::Write;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::target::{MCP, Target};
use crate::wire::connect;

/// Below the 8192 that may be open: beyond those everybody waits for a seat.
const OPEN: usize = 8000;
/// Files of this program beside the connections.
const OTHER_FILES: u64 = 200;
/// What one connection may take that says next to nothing.
const CONNECTION_BYTES_MAX: u64 = 32 * 1024;

#[test]
fn thousands_of_connections_that_stall_keep_nobody_else_waiting() {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("the system tells it");
    setrlimit(Resource::RLIMIT_NOFILE, most, most).expect("as far as may be");
    // The server asks for as many as this program has.
    let count = OPEN.min(usize::try_from(most.saturating_sub(OTHER_FILES)).expect("a number"));
    let target = Target::start();
    let before = target.memory_peak();
    let head = target.head(MCP);
    let open: Vec<_> = (0..count)
        .map(|number| {
            let mut stream = connect(&target);
            // Some say nothing, some a part of a head, some wait before their body.
            let part = [0, 40, head.len()][number % 3];
            stream.write_all(&head.as_bytes()[..part]).expect("it accepts");
            stream
        })
        .collect();
    target.serves();
    let each = (target.memory_peak() - before) / u64::try_from(open.len()).expect("a number");
    assert!(each < CONNECTION_BYTES_MAX, "{each} bytes a connection");
    drop(open);
    target.is_unharmed();
}
