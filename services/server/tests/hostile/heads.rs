//! Request lines and headers.

use crate::target::{DRAFTS, MCP, target};
use crate::wire::exchange;

/// What is answered in JSON.
const JSON: bool = true;
/// What is no HTTP of ours is answered by its status alone.
const BARE: bool = false;

#[test]
#[expect(clippy::too_many_lines, reason = "one table of cases")]
fn every_strange_head_has_its_status_and_what_is_http_is_told_why() {
    let target = target();
    let host = format!("host: {}\r\n", target.address());
    let long = "a".repeat(20_000);
    let headers = |count: usize| format!("GET /healthz HTTP/1.1\r\n{host}{}\r\n", "x: 1\r\n".repeat(count));
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\n{host}connection: close\r\n\r\n");
    let post = |line: &str| {
        format!(
            "{}connection: close\r\n{line}content-length: 0\r\n\r\n",
            target.head(MCP)
        )
    };
    let admin = |method: &str, path: &str| {
        let head = target
            .head(DRAFTS)
            .replacen(&format!("POST {DRAFTS}"), &format!("{method} {path}"), 1);
        format!("{head}connection: close\r\ncontent-length: 0\r\n\r\n")
    };
    let nobody = |token: &str| {
        format!(
            "POST {MCP} HTTP/1.1\r\n{host}connection: close\r\nauthorization: Bearer {token}\r\ncontent-length: 0\r\n\r\n"
        )
    };
    let ours = target.address();
    let cases = [
        ("10,000 headers", headers(10_000), 431, BARE),
        (
            "a header of 1 MB",
            format!(
                "GET /healthz HTTP/1.1\r\n{host}x: {}\r\n\r\n",
                "y".repeat(1 << 20)
            ),
            431,
            BARE,
        ),
        (
            "a name of 1 MB",
            format!(
                "GET /healthz HTTP/1.1\r\n{host}{}: y\r\n\r\n",
                "y".repeat(1 << 20)
            ),
            431,
            BARE,
        ),
        (
            "a path of 1 MB",
            get(&format!("/{}", "a".repeat(1 << 20))),
            431,
            BARE,
        ),
        ("a long path", get(&format!("/{long}")), 404, JSON),
        (
            "a long organization",
            admin("GET", &format!("/api/o/{long}/drafts")),
            401,
            JSON,
        ),
        ("a long id", admin("GET", &format!("{DRAFTS}/{long}")), 404, JSON),
        (
            "a long query",
            admin("GET", &format!("{DRAFTS}?cursor={long}")),
            400,
            JSON,
        ),
        (
            "a thousand parameters",
            admin("GET", &format!("{DRAFTS}?{}", "a=1&".repeat(1000))),
            400,
            JSON,
        ),
        (
            "a parameter twice",
            admin("GET", &format!("{DRAFTS}?limit=1&limit=1")),
            400,
            JSON,
        ),
        (
            "a percent sign alone",
            admin("GET", &format!("{DRAFTS}/%")),
            404,
            JSON,
        ),
        (
            "a wrong escape",
            admin("GET", &format!("{DRAFTS}/%zz")),
            404,
            JSON,
        ),
        (
            "an escape that is not UTF-8",
            admin("GET", &format!("{DRAFTS}/%ff")),
            404,
            JSON,
        ),
        (
            "an escaped slash",
            admin("GET", &format!("{DRAFTS}%2f..%2fgroups")),
            404,
            JSON,
        ),
        (
            "an escaped U+0000",
            admin("GET", &format!("{DRAFTS}/%00")),
            404,
            JSON,
        ),
        (
            "a query that is not UTF-8",
            admin("GET", &format!("{DRAFTS}?cursor=%ff")),
            400,
            JSON,
        ),
        (
            "a U+0000 in a query",
            admin("GET", "/api/o/demo/members?email=%00@example.com"),
            400,
            JSON,
        ),
        (
            "a U+0000 in an organization",
            admin("GET", "/api/o/%00/drafts"),
            401,
            JSON,
        ),
        ("a long token", nobody(&"a".repeat(5000)), 401, JSON),
        ("a longer token", nobody(&"a".repeat(50_000)), 401, JSON),
        ("a token that is not text", nobody("a\u{e9}"), 401, JSON),
        ("two tokens", post("authorization: Bearer x\r\n"), 401, JSON),
        ("two hosts", post("host: localhost\r\n"), 403, JSON),
        (
            "a foreign host",
            format!(
                "POST {MCP} HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            ),
            403,
            JSON,
        ),
        (
            "a foreign target",
            format!(
                "POST http://evil.example{MCP} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: 0\r\n\r\n"
            ),
            403,
            JSON,
        ),
        (
            "our own target",
            format!("GET http://{ours}/nothing HTTP/1.1\r\n{host}connection: close\r\n\r\n"),
            404,
            JSON,
        ),
        (
            "a tunnel",
            format!("CONNECT evil.example:443 HTTP/1.1\r\n{host}connection: close\r\n\r\n"),
            404,
            JSON,
        ),
        ("TRACE", admin("TRACE", DRAFTS), 405, JSON),
        ("an unknown method", admin("BREW", DRAFTS), 405, JSON),
        (
            "a method for MCP that it has not",
            post("").replacen("POST", "DELETE", 1),
            405,
            JSON,
        ),
        (
            "HTTP/1.0 without a host",
            format!("POST {MCP} HTTP/1.0\r\ncontent-length: 0\r\n\r\n"),
            403,
            JSON,
        ),
        ("HTTP/0.9", "GET /healthz\r\n\r\n".to_owned(), 400, BARE),
        (
            "TLS",
            "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}".to_owned() + &"\u{0}".repeat(64),
            400,
            BARE,
        ),
        (
            "a wrong type",
            post("").replacen("application/json", "text/plain", 1),
            415,
            JSON,
        ),
        (
            "no answer is wanted that there is",
            post("accept: text/html\r\n"),
            406,
            JSON,
        ),
    ];
    let mut wrong = Vec::new();
    for (case, request, status, is_json) in cases {
        let answers = exchange(&target, request.as_bytes());
        let found: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        if found != [status] || is_json && answers[0].code().is_empty() {
            wrong.push(format!("{case}: {found:?} instead of {status}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    target.is_unharmed();
}

#[test]
fn a_path_or_header_that_is_not_utf_8_harms_nobody() {
    let target = target();
    let line = |path: &[u8], header: &[u8]| {
        let host = format!(
            " HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nx: ",
            target.address()
        );
        [b"GET ", path, host.as_bytes(), header, b"\r\n\r\n"].concat()
    };
    let cases: [(&str, &[u8], &[u8], u16); 4] = [
        ("a path", b"/\xff\xfe", b"1", 400),
        ("a header", b"/healthz", b"\xff\xfe", 200),
        ("a U+0000 in a header", b"/healthz", b"a\0b", 400),
        ("half a line end in a header", b"/healthz", b"a\rb", 400),
    ];
    for (case, path, header, status) in cases {
        let answers = exchange(&target, &line(path, header));
        assert_eq!(answers[0].status, status, "{case}: {answers:?}");
    }
    target.is_unharmed();
}

/// A client that speaks nothing but HTTP/2 is not waited for.
#[test]
fn a_protocol_that_is_not_spoken_here_ends_the_connection() {
    let target = target();
    let answers = exchange(&target, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assert!(answers.is_empty(), "{answers:?}");
    target.is_unharmed();
}
