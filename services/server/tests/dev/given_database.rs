//! `DATABASE_URL`: a server that somebody named. Here it is the private cluster of another `baton dev`.

use std::process::{Command, Stdio};

use base::Secret;
use serde_json::{Value, json};
use store_pg::{Database, Store, databases};

use crate::support::{Server, temporary_folder, text, until, wait_for};

/// A fresh, empty database on the host's cluster.
fn empty_database(host: &Server, name: &str) -> Secret<String> {
    let server = Secret::new(text(&host.ready()["databaseUrl"]));
    wait_for(databases::create(&server, name)).expect("it can be made");
    databases::address_of(&server, name).expect("it has an address")
}

fn look(url: &Secret<String>) -> Result<Database, store_pg::Error> {
    wait_for(Database::look(url))
}

#[test]
fn an_empty_database_is_taken_and_recognised_again() {
    let host = Server::start(&["--ephemeral"]);
    let url = empty_database(&host, "given");
    assert_eq!(look(&url).expect("it is there"), Database::Empty);
    let folder = temporary_folder();
    for _ in 0..2 {
        let guest = Server::spawn_on(Some(url.expose()), &["--data-dir", &folder.text()]);
        assert_eq!(text(&guest.ready()["databaseUrl"]), *url.expose());
        assert!(guest.terminate().success());
    }
    assert!(matches!(look(&url).expect("it stays"), Database::Marked(_)));
    assert!(!folder.path().join("postgres").exists());
}

#[test]
fn a_database_without_the_mark_is_refused_and_not_touched() {
    let host = Server::start(&["--ephemeral"]);
    let url = empty_database(&host, "production");
    wait_for(Store::migrate(&url)).expect("it has the schema, as in production");
    let folder = temporary_folder();
    let guest = Server::spawn_on(Some(url.expose()), &["--data-dir", &folder.text()]);
    let (status, stderr) = guest.outcome();
    assert_eq!(status.code(), Some(1));
    assert!(
        stderr.contains("this database was not made by `baton dev`"),
        "{stderr}"
    );
    assert_eq!(look(&url).expect("it stays"), Database::Unmarked);
}

#[test]
fn an_ephemeral_server_leaves_nothing_on_a_given_server() {
    let host = Server::start(&["--ephemeral"]);
    let given = empty_database(&host, "given");
    let guest = Server::spawn_on(Some(given.expose()), &["--ephemeral"]);
    let own = Secret::new(text(&guest.ready()["databaseUrl"]));
    assert!(matches!(look(&own).expect("it is there"), Database::Marked(_)));
    assert!(guest.terminate().success());
    assert!(look(&own).is_err());
    assert_eq!(look(&given).expect("it was not used"), Database::Empty);
}

#[test]
fn an_ephemeral_server_without_its_database_leaves_nothing() {
    let temporary = temporary_folder();
    let cases = [
        ("foo", "is no address of a database"),
        ("http://localhost/baton", "is no address of a database"),
        ("postgres://ada:hush@127.0.0.1:1/baton", "cannot be used"),
    ];
    for (url, expected) in cases {
        let output = Command::new(env!("CARGO_BIN_EXE_baton"))
            .args(["dev", "--ephemeral", "--port", "0"])
            .env("DATABASE_URL", url)
            .env("TMPDIR", temporary.path())
            .output()
            .expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr.contains("DATABASE_URL") && stderr.contains(expected),
            "{stderr}"
        );
        assert!(!stderr.contains("hush"), "{stderr}");
        let left = std::fs::read_dir(temporary.path()).expect("it is there").count();
        assert_eq!(left, 0, "{url}");
    }
}

#[test]
fn without_its_database_a_server_says_so_and_when_to_try_again() {
    let host = Server::start(&["--ephemeral"]);
    let folder = temporary_folder();
    let url = empty_database(&host, "given");
    let guest = Server::spawn_on(Some(url.expose()), &["--data-dir", &folder.text()]);
    assert_eq!(guest.get("/readyz").0, 200);
    let token = guest.agent_token();
    host.kill_with_postgres();
    // Sessions that are open outlive their postmaster by a moment.
    until(|| guest.get("/readyz").0 == 503);
    let (_, body) = guest.get("/readyz");
    assert!(body.contains("the database does not answer"), "{body}");
    assert_eq!(guest.get("/healthz").0, 200);
    let call = reqwest::Client::new()
        .post(text(&guest.ready()["mcp"]))
        .bearer_auth(token)
        .json(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    let answer = wait_for(async { call.send().await.expect("an answer") });
    assert_eq!(answer.status(), 503);
    assert_eq!(answer.headers()["retry-after"], "1");
    let body: Value = wait_for(async { answer.json().await.expect("JSON") });
    assert_eq!(body["error"]["code"], "retry");
}

#[test]
fn migrating_twice_is_migrating_once_and_leaves_no_mark() {
    let host = Server::start(&["--ephemeral"]);
    let url = empty_database(&host, "production");
    for _ in 0..2 {
        let status = Command::new(env!("CARGO_BIN_EXE_baton"))
            .arg("migrate")
            .env("DATABASE_URL", url.expose())
            .stdout(Stdio::null())
            .status();
        assert!(status.expect("the binary runs").success());
    }
    assert_eq!(look(&url).expect("it is there"), Database::Unmarked);
}
