//! Bodies that are too long, never end, come in single bytes, or come many at once.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::target::{DRAFTS, MCP, PUBLISH, Target, message, target};
use crate::wire::{answers, connect, exchange, rest_of};

const MIB: usize = 1024 * 1024;

#[test]
fn a_body_of_100_mb_is_too_large_however_its_length_is_told() {
    let target = target();
    for path in [MCP, DRAFTS] {
        let head = format!("{}connection: close\r\n", target.head(path));
        let declared = [
            format!("{head}content-length: {}\r\n\r\n", 100 * MIB).into_bytes(),
            vec![b' '; 2 * MIB],
        ]
        .concat();
        let chunk = [
            format!("{MIB:x}\r\n").into_bytes(),
            vec![b' '; MIB],
            b"\r\n".to_vec(),
        ]
        .concat();
        let chunked = [
            format!("{head}transfer-encoding: chunked\r\n\r\n").into_bytes(),
            chunk.repeat(100),
        ]
        .concat();
        for (case, request) in [("declared", declared), ("in chunks", chunked)] {
            let found = exchange(&target, &request);
            assert_eq!(found.len(), 1, "{path} {case}");
            assert_eq!(
                (found[0].status, found[0].code().as_str()),
                (413, "invalid"),
                "{path} {case}"
            );
        }
    }
    target.is_unharmed();
}

#[test]
fn a_body_in_single_bytes_is_read() {
    let target = target();
    let body = message("describe", &json!({}));
    let mut stream = connect(&target);
    let head = format!(
        "{}connection: close\r\ncontent-length: {}\r\n\r\n",
        target.head(MCP),
        body.len()
    );
    stream.set_nodelay(true).expect("ours");
    for byte in head.as_bytes().iter().chain(&body) {
        stream.write_all(&[*byte]).expect("it reads");
    }
    assert_eq!(answers(&rest_of(&stream))[0].status, 200);
    target.is_unharmed();
}

#[test]
fn a_body_that_ends_early_is_told_so() {
    let target = target();
    for path in [MCP, DRAFTS] {
        let mut stream = connect(&target);
        let head = format!(
            "{}connection: close\r\ncontent-length: 100\r\n\r\n{{",
            target.head(path)
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        stream.shutdown(std::net::Shutdown::Write).expect("ours");
        let found = answers(&rest_of(&stream));
        // Nobody may be there any more who would read it.
        assert!(found.iter().all(|answer| answer.status == 400), "{found:?}");
    }
    target.is_unharmed();
}

#[test]
fn a_compressed_body_is_not_unpacked() {
    let target = target();
    // 20 bytes of gzip of an empty file.
    let packed = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for path in [MCP, DRAFTS] {
        let head = format!(
            "{}connection: close\r\ncontent-encoding: gzip\r\ncontent-length: 20\r\n\r\n",
            target.head(path)
        );
        let found = exchange(&target, &[head.as_bytes(), &packed].concat());
        assert_eq!(found[0].status, 400, "{path}: {found:?}");
        assert!(!found[0].code().is_empty(), "{path}: {found:?}");
    }
    target.is_unharmed();
}

/// A body whose end does not come: its head and so many blanks.
fn open_body(target: &Target, path: &str, length: usize) -> TcpStream {
    let mut stream = connect(target);
    let head = format!(
        "{}connection: close\r\ncontent-length: {}\r\n\r\n",
        target.head(path),
        length + 1
    );
    let begun = stream.write_all(head.as_bytes());
    // It may be refused before its end.
    let _ = begun.and_then(|()| stream.write_all(&vec![b' '; length]));
    stream
}

/// 64 callers with all that one may send, and none of them ends: together they are held to less than they have sent.
#[test]
fn bodies_that_come_together_share_the_room_that_there_is_for_them() {
    let target = Target::start();
    let before = target.memory_peak();
    for (path, length) in [(MCP, 4 * MIB - 1), (PUBLISH, 3 * MIB)] {
        let mut open: Vec<_> = (0..64).map(|_| open_body(&target, path, length)).collect();
        target.serves();
        let mut statuses = Vec::new();
        for stream in &mut open {
            let _ = stream.write_all(b"]");
            let found = answers(&rest_of(stream));
            statuses.extend(found.iter().map(|answer| (answer.status, answer.code())));
        }
        let refused = |status: u16| statuses.iter().filter(|(found, _)| *found == status).count();
        assert_eq!(refused(400) + refused(503), 64, "{statuses:?}");
        assert!(refused(400) >= 4 && refused(503) >= 32, "{path}: {statuses:?}");
        assert!(
            statuses
                .iter()
                .all(|(status, code)| *status != 503 || code == "retry"),
            "{statuses:?}"
        );
    }
    let held = target.memory_peak() - before;
    assert!(held < 100 << 20, "{held} bytes");
    target.is_unharmed();
}

/// Two bytes of JSON are a value of many bytes in memory.
#[test]
fn values_that_are_larger_in_memory_than_on_the_wire_share_the_room_too() {
    let target = Target::start();
    let inputs = vec![1; 3 * MIB / 2 / 2];
    let body = message(
        "start_run",
        &json!({"process": "expense-report", "requestId": "1", "inputs": {"a": inputs}}),
    );
    let request = target.request(MCP, &body);
    std::thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| {
                let answer = exchange(&target, &request).remove(0);
                assert!([200, 503].contains(&answer.status), "{answer:?}");
            });
        }
        target.serves();
    });
    target.is_unharmed();
}

/// A body that never ends has its answer in time all the same, and so has whoever sends only a part of the head.
#[test]
fn whoever_never_ends_is_answered_in_time() {
    let target = target();
    let open: Vec<_> = [(MCP, 408), (DRAFTS, 503)]
        .map(|(path, status)| (open_body(&target, path, 10), status))
        .into();
    target.serves();
    for (mut stream, status) in open {
        let mut line = [0; 12];
        stream.read_exact(&mut line).expect("it answers");
        assert_eq!(line, format!("HTTP/1.1 {status}").as_bytes());
    }
    target.is_unharmed();
}
