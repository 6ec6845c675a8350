//! Where one request ends and the next begins: what two readers could see differently is refused, or read in one way and then the
//! connection ends.

use crate::target::{DRAFTS, MCP, message, target};
use crate::wire::exchange;

use serde_json::json;

/// A request that would be smuggled: its answer alone has a status of 200.
const HIDDEN: &str = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

#[test]
#[expect(clippy::too_many_lines, reason = "one table of cases")]
fn a_body_of_doubtful_length_is_refused_and_nothing_hides_behind_it() {
    let target = target();
    let cases = [
        (
            "two lengths",
            "content-length: 2\r\ncontent-length: 3\r\n\r\n{}",
            400,
        ),
        ("a list of lengths", "content-length: 2, 3\r\n\r\n{}", 400),
        ("a signed length", "content-length: +2\r\n\r\n{}", 400),
        ("a negative length", "content-length: -2\r\n\r\n{}", 400),
        ("a hexadecimal length", "content-length: 0x2\r\n\r\n{}", 400),
        ("a length with a blank", "content-length: 2 2\r\n\r\n{}", 400),
        ("no length at all", "content-length: \r\n\r\n{}", 400),
        (
            "a huge length",
            "content-length: 99999999999999999999\r\n\r\n{}",
            400,
        ),
        (
            "a coding that is not ours",
            "transfer-encoding: gzip\r\n\r\n{}",
            400,
        ),
        (
            "a coding behind chunks",
            "transfer-encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            400,
        ),
        (
            "a misspelt coding",
            "transfer-encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            400,
        ),
        ("a blank before the colon", "content-length : 2\r\n\r\n{}", 400),
        ("a folded line", "content-length: 2\r\n 3\r\n\r\n{}", 400),
        (
            "a size that is no number",
            "transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            400,
        ),
        (
            "a size beyond all",
            "transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n",
            400,
        ),
        (
            "a negative size",
            "transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
            400,
        ),
        (
            "a chunk longer than its size",
            "transfer-encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n",
            400,
        ),
        (
            "an endless extension",
            "transfer-encoding: chunked\r\n\r\n2;EXTENSION\r\n{}\r\n0\r\n\r\n",
            400,
        ),
        (
            "an endless trailer",
            "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx: EXTENSION\r\n\r\n",
            400,
        ),
    ];
    for (case, rest, status) in cases {
        let rest = rest.replace("EXTENSION", &"y".repeat(200_000));
        let request = format!("{}{rest}{HIDDEN}", target.head(DRAFTS));
        let answers = exchange(&target, request.as_bytes());
        assert_eq!(answers.len(), 1, "{case}: {answers:?}");
        assert_eq!(answers[0].status, status, "{case}: {answers:?}");
    }
    target.is_unharmed();
}

/// RFC 9112 §6.3: the chunks count, and the connection must end after the answer.
#[test]
fn a_body_with_both_lengths_is_read_by_its_chunks_and_ends_the_connection() {
    let target = target();
    let body = "content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    let answers = exchange(
        &target,
        format!("{}{body}{HIDDEN}", target.head(DRAFTS)).as_bytes(),
    );
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(
        (answers[0].status, answers[0].code().as_str()),
        (400, "invalid"),
        "{answers:?}"
    );
    target.is_unharmed();
}

#[test]
fn requests_that_come_all_at_once_are_answered_in_their_order() {
    let target = target();
    let body = String::from_utf8(message("describe", &json!({}))).expect("text");
    let request = |id: u32| {
        let body = body.replacen("\"id\":1", &format!("\"id\":{id}"), 1);
        format!("{}content-length: {}\r\n\r\n{body}", target.head(MCP), body.len())
    };
    let requests: String = (1..=200).map(request).collect();
    let answers = exchange(&target, format!("{requests}{HIDDEN}").as_bytes());
    let ids: Vec<_> = answers[..200]
        .iter()
        .map(|answer| answer.json()["id"].as_u64())
        .collect();
    assert_eq!(ids, (1..=200).map(Some).collect::<Vec<_>>());
    assert_eq!(answers.len(), 201);
    target.is_unharmed();
}
