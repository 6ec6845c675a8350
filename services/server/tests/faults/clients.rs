//! Clients that vanish in the middle of a call: the write happens once or not at all, and its request id says which.

use std::io::ErrorKind;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::call::{Caller, message};
use crate::dice::Dice;
use crate::journal::rows;
use crate::load::Load;
use crate::site::{CALLERS, Site, rounds};
use crate::tables::text;
use crate::verifier::{Known, verify};

/// Clients that vanish.
const CLIENTS: usize = 40;

#[test]
fn a_client_that_vanishes_has_written_once_or_not_at_all() {
    for round in 0..rounds() {
        let site = Site::new();
        let server = site.open();
        let ready = server.ready();
        let load = Load::start(&site.runtime, &[&ready], (CALLERS, round));
        let mut dice = Dice::new(round);
        site.runtime.block_on(async {
            let caller = Caller::new(&ready);
            for n in 0..CLIENTS {
                let id = format!("vanished-{round}-{n}");
                let arguments = json!({"process": "errand", "inputs": {"what": id}, "requestId": id});
                let is_whole = vanish(&ready, caller.token("alpha"), (&arguments, &mut dice)).await;
                // The same call again says what it is, whether the first one came to anything or not.
                if is_whole || n % 2 == 0 {
                    let insist = || caller.insist(text(&ready, "mcp"), "alpha", ("start_run", &arguments));
                    let answer = insist().await.expect("it may be started");
                    assert_eq!(insist().await.as_ref(), Ok(&answer));
                    cancel(&caller, &ready, text(&answer["run"], "id")).await;
                }
            }
            load.rest().await;
        });
        let started = rows(
            &ready,
            "select inputs::json->>'what' as what, count(*) as times from runs
            where inputs like '%vanished-%' group by 1",
        );
        assert!(started.len() > CLIENTS / 3);
        assert!(started.iter().all(|row| row["times"] == 1), "{started:?}");
        // Half a call is no call.
        let requests = rows(
            &ready,
            "select request from requests where request like 'vanished-%' and tool = 'start_run'",
        );
        assert_eq!(requests.len(), started.len());
        let mut known = Known::of(&load);
        let ids = rows(
            &ready,
            "select request from requests where request like '%vanished-%' or request like 'cancel-%'",
        );
        known
            .sent
            .extend(ids.iter().map(|row| text(row, "request").to_owned()));
        verify(&ready, &known, "clients that vanish");
        assert!(server.terminate().success());
    }
}

/// Sends a call, or a part of it, and ends the connection by a reset. Whether all of it was sent.
async fn vanish(ready: &Value, token: &str, (arguments, dice): (&Value, &mut Dice)) -> bool {
    let url = text(ready, "mcp");
    let (host, path) = url.trim_start_matches("http://").split_once('/').expect("a path");
    let body = message("start_run", arguments).to_string();
    let request = format!(
        "POST /{path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let is_whole = !dice.one_in(4);
    let length = if is_whole {
        request.len()
    } else {
        1 + dice.below(request.len() - 1)
    };
    let mut stream = TcpStream::connect(host).await.expect("it accepts");
    stream.set_zero_linger().expect("a socket");
    stream
        .write_all(&request.as_bytes()[..length])
        .await
        .expect("it reads");
    // Gone at once, or at some moment of the call.
    for _ in 0..dice.below(40) {
        let read = stream.try_read(&mut [0; 16]);
        match read {
            Err(error) if error.kind() == ErrorKind::WouldBlock => tokio::task::yield_now().await,
            _ => break,
        }
    }
    is_whole
}

/// Nobody drives these runs.
async fn cancel(caller: &Caller, ready: &Value, run: &str) {
    let arguments =
        json!({"runId": run, "reason": "Its client is gone.", "requestId": format!("cancel-{run}")});
    let cancelled = caller
        .insist(text(ready, "mcp"), "olga", ("cancel", &arguments))
        .await;
    assert_eq!(cancelled.expect("it runs")["run"]["state"], "cancelled");
}
