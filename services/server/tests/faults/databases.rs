//! What databases do: they are killed and started again, keep statements waiting, have no room for another connection.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::journal::{execute, psql, rows};
use crate::load::Load;
use crate::postgres::Cluster;
use crate::site::{CALLERS, Site, advance, rounds};

/// A way to end a database.
type Way = (&'static str, fn(&Cluster));

/// Writes between two faults.
const WRITES: usize = 60;
/// Calls that come to nothing before a database is there again.
const UNKNOWN: usize = 40;
/// More than the private PostgreSQL has room for.
const CONNECTIONS_MAX: usize = 300;

#[test]
fn a_database_that_is_killed_and_started_again_loses_nothing_acknowledged() {
    for round in 0..rounds() {
        let site = Site::new();
        let server = site.open();
        let ready = server.ready();
        let cluster = Cluster::of(&server);
        let load = Load::start(&site.runtime, &[&ready], (CALLERS, round));
        let ways: [Way; 3] = [
            ("its postmaster", Cluster::kill_postmaster),
            ("all of it", Cluster::kill_all),
            ("stopped at once", Cluster::stop_at_once),
        ];
        for (what, end) in ways {
            site.runtime.block_on(load.more(WRITES));
            end(&cluster);
            site.runtime.block_on(load.more_unknown(UNKNOWN));
            cluster.start();
            site.runtime.block_on(load.more(WRITES));
            site.check(&ready, &load, &format!("PostgreSQL killed: {what}"));
        }
        site.finish(&ready, &load, "PostgreSQL killed");
        assert!(server.terminate().success());
    }
}

/// A commit waits for nobody's row; whoever finds the run held for too long is told to come again. A statement that waits for a
/// table is ended by its time limit.
#[test]
fn statements_that_wait_for_a_lock_end_in_time() {
    for round in 0..rounds() {
        let site = Site::new();
        let server = site.open();
        let ready = server.ready();
        let load = Load::start(&site.runtime, &[&ready], (CALLERS, round));
        for lock in ["select from runs for update", "lock table run_events"] {
            site.runtime.block_on(load.more(WRITES));
            let held = Held::of(&ready, lock);
            // As long as commands wait for their run, and statements for an end.
            site.runtime.block_on(load.more_retries(CALLERS));
            held.release();
            site.runtime.block_on(load.more(WRITES));
        }
        site.finish(&ready, &load, "locks");
        assert!(server.terminate().success());
    }
}

/// A transaction that holds locks.
struct Held(Child);

impl Held {
    fn of(ready: &Value, lock: &str) -> Self {
        let url = ready["databaseUrl"].as_str().expect("an address");
        let mut child = Command::new(psql())
            .args(["-XAtq", "-d", url])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("psql runs");
        let stdin = child.stdin.as_mut().expect("piped");
        writeln!(stdin, "begin; {lock}; select 'held';").expect("it reads");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        assert!(answers.lines().map_while(Result::ok).any(|line| line == "held"));
        Self(child)
    }

    /// The end of its input is the end of its session.
    fn release(mut self) {
        drop(self.0.stdin.take());
        assert!(self.0.wait().expect("it ends").success());
    }
}

/// Every connection of the database is taken by others, and the server's own are ended.
#[test]
fn a_database_without_room_for_another_connection_loses_nothing() {
    for round in 0..rounds() {
        let site = Site::new();
        let server = site.open();
        let ready = server.ready();
        let socket = server.socket_folder().join(".s.PGSQL.5432");
        let load = Load::start(&site.runtime, &[&ready], (CALLERS, round));
        site.runtime.block_on(load.more(WRITES));
        let mut taken = take_all(&socket);
        let before = load.counts().retries;
        // One place is needed to end the others.
        taken.pop();
        execute(
            &ready,
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'baton'",
        );
        taken.extend(take_all(&socket));
        site.runtime.block_on(load.more_unknown(UNKNOWN));
        assert!(load.counts().retries > before, "the server says so itself");
        drop(taken);
        site.runtime.block_on(load.more(WRITES));
        site.finish(&ready, &load, "no connection left");
        assert!(server.terminate().success());
    }
}

/// Connections until there is no room: the protocol's first message, and the first letter of the answer.
fn take_all(socket: &Path) -> Vec<UnixStream> {
    let parameters = b"user\0baton\0database\0baton\0\0";
    let length = u32::try_from(parameters.len() + 8).expect("short");
    let mut message = [length.to_be_bytes(), 0x0003_0000_u32.to_be_bytes()].concat();
    message.extend(parameters);
    let mut taken = Vec::new();
    while taken.len() < CONNECTIONS_MAX {
        let mut stream = UnixStream::connect(socket).expect("PostgreSQL runs");
        stream.write_all(&message).expect("it reads");
        let mut first = [0];
        // An error instead of a welcome.
        if stream.read_exact(&mut first).is_err() || first == *b"E" {
            return taken;
        }
        taken.push(stream);
    }
    panic!("PostgreSQL has room for {CONNECTIONS_MAX} connections");
}

/// It holds no truth.
#[test]
fn a_redis_that_is_killed_is_not_missed() {
    let site = Site::new();
    let server = site.open();
    let ready = server.ready();
    let Some(socket) = ready["redisUrl"]
        .as_str()
        .and_then(|url| url.strip_prefix("unix://"))
    else {
        return;
    };
    let load = Load::start(&site.runtime, &[&ready], (CALLERS, 0));
    site.runtime.block_on(load.more(WRITES));
    kill(process_of_redis(Path::new(socket)), Signal::SIGKILL).expect("it runs");
    site.runtime.block_on(async {
        load.more(WRITES).await;
        advance(&ready).await;
        load.more(WRITES).await;
    });
    let unknown = load.counts().retries + load.counts().broken;
    assert_eq!(unknown, 0, "nobody noticed");
    site.finish(&ready, &load, "Redis killed");
    assert!(rows(&ready, "select run from runs where next_deadline is not null").is_empty());
    assert!(server.terminate().success());
}

fn process_of_redis(socket: &Path) -> Pid {
    let mut stream = UnixStream::connect(socket).expect("it runs");
    stream.write_all(b"INFO server\r\nQUIT\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    let pid = answer.lines().find_map(|line| line.strip_prefix("process_id:"));
    Pid::from_raw(pid.and_then(|pid| pid.trim().parse().ok()).expect("a process id"))
}
