//! Connections that are slow, many, large, or open when the end comes. Time is virtual where it matters: it jumps when
//! nothing else can happen.

use std::net::SocketAddr;
use std::time::Duration;

use axum::routing::post;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::*;
use crate::shutdown::Shutdown;

/// Echoes bodies, until the sender says that the end is asked for.
struct Echo {
    address: SocketAddr,
    end: tokio::sync::watch::Sender<u32>,
    serving: JoinHandle<()>,
}

impl Echo {
    async fn start(limits: ConnectionLimits) -> Self {
        let listener = bind(0).await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        let (end, shutdown) = Shutdown::manual();
        let routes = Router::new()
            .route("/echo", post(|body: String| async { body }))
            .route(
                "/panic",
                post(|| async { assert_eq!(1, 2, "the cause stays inside!") }),
            );
        let routes = shell(routes);
        let serving = tokio::spawn(serve(listener, routes, limits, shutdown));
        Self {
            address,
            end,
            serving,
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("it accepts")
    }

    fn ask_for_the_end(&self) {
        self.end.send_modify(|count| *count += 1);
    }

    async fn ended(self) {
        self.serving.await.expect("it does not panic");
    }
}

async fn send(stream: &mut TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).await.expect("it reads");
}

/// Everything until the other side closes.
async fn rest_of(mut stream: TcpStream) -> String {
    let mut text = String::new();
    // A connection may end by a reset when what was sent last was not read.
    let _ = stream.read_to_string(&mut text).await;
    text
}

/// One answer with a body that ends in an exclamation mark.
async fn answer_on(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"!") {
        let byte = stream.read_u8().await.expect("it answers");
        bytes.push(byte);
    }
    String::from_utf8(bytes).expect("text")
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_brings_no_headers_is_closed() {
    let echo = Echo::start(ConnectionLimits::default()).await;
    for head in ["", "POST /echo HTTP/1.1\r\nhost: loc"] {
        let start = Instant::now();
        let mut stream = echo.connect().await;
        send(&mut stream, head).await;
        assert!(!rest_of(stream).await.contains("200"));
        assert!(start.elapsed() >= ConnectionLimits::default().head_time_max);
    }
}

#[tokio::test]
async fn headers_that_are_too_many_or_too_large_are_431() {
    let echo = Echo::start(ConnectionLimits::default()).await;
    let many = "x: 1\r\n".repeat(101);
    let large = format!("x: {}\r\n", "y".repeat(200 * 1024));
    for headers in [many, large] {
        let mut stream = echo.connect().await;
        let request =
            format!("GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\r\n");
        // It may stop reading before the end.
        let _ = stream.write_all(request.as_bytes()).await;
        let answer = rest_of(stream).await;
        assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    }
}

#[tokio::test]
async fn a_connection_beyond_the_limit_waits_for_a_seat() {
    let limits = ConnectionLimits {
        open_max: 1,
        ..ConnectionLimits::default()
    };
    let echo = Echo::start(limits).await;
    let mut first = echo.connect().await;
    let request = "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n";
    send(&mut first, &format!("{request}1!")).await;
    assert!(answer_on(&mut first).await.starts_with("HTTP/1.1 200"));
    let mut second = echo.connect().await;
    send(&mut second, &format!("{request}2!")).await;
    let mut byte = [0];
    let waiting = tokio::time::timeout(Duration::from_millis(50), second.peek(&mut byte));
    assert!(waiting.await.is_err(), "it has no seat yet");
    drop(first);
    assert!(answer_on(&mut second).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn at_the_end_idle_connections_close_and_calls_in_flight_finish() {
    let echo = Echo::start(ConnectionLimits::default()).await;
    let mut idle = echo.connect().await;
    send(
        &mut idle,
        "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n1!",
    )
    .await;
    answer_on(&mut idle).await;
    let silent = echo.connect().await;
    let mut slow = echo.connect().await;
    send(
        &mut slow,
        "POST /echo HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 10\r\n\r\n",
    )
    .await;
    let mut begun = [0; 25];
    slow.read_exact(&mut begun)
        .await
        .expect("the handler reads the body");
    assert_eq!(&begun, b"HTTP/1.1 100 Continue\r\n\r\n");
    send(&mut slow, "half ").await;
    echo.ask_for_the_end();
    assert_eq!(rest_of(idle).await, "");
    assert_eq!(rest_of(silent).await, "");
    assert!(
        TcpStream::connect(echo.address).await.is_err(),
        "it accepts nothing more"
    );
    send(&mut slow, "more!").await;
    let answer = rest_of(slow).await;
    assert!(answer.ends_with("half more!"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
    echo.ended().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_does_not_end_is_cut_off() {
    let echo = Echo::start(ConnectionLimits::default()).await;
    let mut slow = echo.connect().await;
    send(
        &mut slow,
        "POST /echo HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 10\r\n\r\n",
    )
    .await;
    slow.read_u8().await.expect("the handler reads the body");
    echo.ask_for_the_end();
    let start = Instant::now();
    echo.ended().await;
    assert!(start.elapsed() >= Duration::from_secs(30));
}

#[tokio::test]
async fn a_handler_that_panics_answers_cleanly_and_leaves_its_connection() {
    let echo = Echo::start(ConnectionLimits::default()).await;
    let mut stream = echo.connect().await;
    for _ in 0..3 {
        let request =
            |path| format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n1!");
        send(&mut stream, &request("/panic")).await;
        let mut answer = String::new();
        while !answer.ends_with("}}") {
            answer.push(stream.read_u8().await.expect("it answers").into());
        }
        assert!(answer.starts_with("HTTP/1.1 500 "), "{answer}");
        assert!(answer.contains(r#""code":"internal""#), "{answer}");
        assert!(!answer.contains("inside"), "{answer}");
        send(&mut stream, &request("/echo")).await;
        assert!(answer_on(&mut stream).await.starts_with("HTTP/1.1 200"));
    }
}

#[tokio::test]
async fn what_no_door_has_is_json() {
    let echo = Echo::start(ConnectionLimits::default()).await;
    for (request, status) in [("GET /nothing", 404), ("GET /echo", 405), ("POST /healthz", 405)] {
        let mut stream = echo.connect().await;
        send(
            &mut stream,
            &format!("{request} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"),
        )
        .await;
        let answer = rest_of(stream).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        assert!(answer.contains("content-type: application/json"), "{answer}");
        assert_eq!(answer.contains("allow: "), status == 405, "{answer}");
    }
}
