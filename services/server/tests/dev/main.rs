//! `baton dev` as a user has it: the real binary, real clusters, real signals.

mod doors;
mod given_database;
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::{Server, temporary_folder};

#[test]
fn an_ephemeral_server_tells_where_it_is_and_leaves_nothing() {
    let server = Server::start(&["--ephemeral"]);
    let ready = server.ready();
    assert_eq!(ready["pid"], server.pid());
    assert_eq!(ready["org"], "demo");
    let url = ready["url"].as_str().expect("an address");
    assert_eq!(ready["mcp"], format!("{url}/o/demo/mcp"));
    assert_eq!(server.get("/healthz"), (200, "ok\n".to_owned()));
    let sockets = server.socket_folder();
    assert!(sockets.join(".s.PGSQL.5432").exists());
    let data = server.data_folder();
    assert!(data.exists());

    assert!(server.terminate().success());
    assert!(!sockets.exists());
    assert!(!data.exists());
}

#[test]
fn an_interrupt_ends_it_as_cleanly() {
    let server = Server::start(&["--ephemeral"]);
    let sockets = server.socket_folder();
    assert!(server.interrupt().success());
    assert!(!sockets.exists());
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "whoever runs the tests wants to know that one was skipped"
)]
fn a_closed_terminal_ends_it_as_cleanly() {
    if support::is_hangup_ignored() {
        println!("skipped: what `nohup` started outlives its terminal, and so does what these tests start");
        return;
    }
    let server = Server::start(&["--ephemeral"]);
    let sockets = server.socket_folder();
    assert!(server.hang_up().success());
    assert!(!sockets.exists());
}

#[test]
fn a_second_server_joins_and_the_last_one_stops_the_cluster() {
    let folder = temporary_folder();
    let first = Server::start(&["--data-dir", &folder.text()]);
    let second = Server::start(&["--data-dir", &folder.text()]);
    let (one, two) = (first.ready(), second.ready());
    assert_eq!(one["databaseUrl"], two["databaseUrl"]);
    assert_eq!(one["redisUrl"], two["redisUrl"]);
    assert_eq!(one["tokens"], two["tokens"]);
    assert_ne!(one["url"], two["url"]);

    assert!(first.terminate().success());
    assert_eq!(second.get("/healthz").0, 200);
    assert!(second.postgres_is_running());
    let cluster = folder.path().join("postgres");
    assert!(second.terminate().success());
    assert!(!cluster.join("postmaster.pid").exists());
}

#[test]
fn a_killed_servers_cluster_is_adopted_with_its_tokens() {
    let folder = temporary_folder();
    let killed = Server::start(&["--data-dir", &folder.text()]);
    let before = killed.ready();
    let postmaster = postmaster_line(folder.path());
    killed.kill();

    let heir = Server::start(&["--data-dir", &folder.text()]);
    let after = heir.ready();
    assert_eq!(postmaster_line(folder.path()), postmaster);
    assert_eq!(after["databaseUrl"], before["databaseUrl"]);
    assert_eq!(after["tokens"], before["tokens"]);
    assert!(heir.terminate().success());
    assert!(!folder.path().join("postgres/postmaster.pid").exists());
}

#[test]
fn servers_that_start_at_once_share_one_cluster() {
    let folder = temporary_folder();
    let starting: Vec<Server> = (0..3)
        .map(|_| Server::spawn(&["--data-dir", &folder.text()]))
        .collect();
    let ready: Vec<_> = starting
        .iter()
        .map(|server| server.ready()["databaseUrl"].clone())
        .collect();
    assert!(ready.windows(2).all(|pair| pair[0] == pair[1]));
    for server in starting {
        assert!(server.terminate().success());
    }
    assert!(!folder.path().join("postgres/postmaster.pid").exists());
}

#[test]
fn a_cluster_and_server_killed_together_start_again() {
    let folder = temporary_folder();
    let server = Server::start(&["--data-dir", &folder.text()]);
    let tokens = server.ready()["tokens"].clone();
    server.kill_with_postgres();

    let again = Server::start(&["--data-dir", &folder.text()]);
    assert_eq!(again.ready()["tokens"], tokens);
    assert!(again.postgres_is_running());
    assert!(again.terminate().success());
}

#[test]
fn a_process_id_that_was_given_to_somebody_else_does_not_block_a_cluster() {
    let folder = temporary_folder();
    assert!(
        Server::start(&["--data-dir", &folder.text()])
            .terminate()
            .success()
    );
    let file = folder.path().join("postgres/postmaster.pid");
    // PostgreSQL takes a live process of its own account for a postmaster; the account's shell stands for one here.
    let somebody = support::Bystander::of_the_owner_of(&folder.path().join("postgres"));
    let text = format!(
        "{}\n{}\n1\n5432\n\n\n 1 1\nready\n",
        somebody.pid(),
        folder.text()
    );
    fs::write(&file, text).expect("written");

    let server = Server::start(&["--data-dir", &folder.text()]);
    assert!(server.postgres_is_running());
    assert!(server.terminate().success());
}

#[test]
fn a_killed_ephemeral_server_is_swept_by_the_next() {
    let killed = Server::start(&["--ephemeral"]);
    let (data, sockets) = (killed.data_folder(), killed.socket_folder());
    killed.kill();
    assert!(data.exists());

    let next = Server::start(&["--ephemeral"]);
    support::until(|| !data.exists() && !sockets.exists());
    assert!(next.terminate().success());
}

#[test]
fn a_cluster_of_another_major_version_is_refused_with_what_to_do() {
    let folder = temporary_folder();
    let cluster = folder.path().join("postgres");
    fs::create_dir_all(&cluster).expect("made");
    fs::write(cluster.join("PG_VERSION"), "9\n").expect("written");
    fs::write(folder.path().join("start.lock"), "").expect("written");
    let (status, stderr) = Server::spawn(&["--data-dir", &folder.text()]).outcome();
    assert_eq!(status.code(), Some(1));
    assert!(stderr.contains("was made by PostgreSQL 9, and only"), "{stderr}");
    assert!(stderr.contains("Install PostgreSQL 9"), "{stderr}");
}

#[test]
fn a_taken_port_is_refused_before_anything_is_started() {
    let folder = temporary_folder();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("bound").port().to_string();
    let (status, stderr) = Server::spawn(&["--data-dir", &folder.text(), "--port", &port]).outcome();
    assert_eq!(status.code(), Some(1));
    assert!(
        stderr.contains(&format!("port {port} of 127.0.0.1 cannot be used")),
        "{stderr}"
    );
    assert!(!folder.path().join("postgres").exists());
}

#[test]
fn a_ready_file_that_cannot_be_written_is_refused_before_anything_is_started() {
    let folder = temporary_folder();
    let ready_file = folder.path().join("missing/ready.json");
    let data = folder.path().join("data");
    let output = Command::new(env!("CARGO_BIN_EXE_baton"))
        .args(["dev", "--port", "0", "--data-dir"])
        .arg(&data)
        .arg("--ready-file")
        .arg(&ready_file)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    let expected = format!("--ready-file {} cannot be written", ready_file.display());
    assert!(stderr.contains(&expected), "{stderr}");
    assert!(!data.join("postgres").exists());
}

#[test]
fn more_organizations_are_listed_in_the_same_shape() {
    let server = Server::start(&["--ephemeral", "--orgs", "3"]);
    let ready = server.ready();
    let names: Vec<_> = (0..3).map(|n| ready["orgs"][n]["org"].clone()).collect();
    assert_eq!(names, ["demo", "demo2", "demo3"]);
    assert_ne!(ready["orgs"][1]["tokens"], ready["orgs"][2]["tokens"]);
    assert!(server.terminate().success());
}

fn postmaster_line(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("postgres/postmaster.pid")).expect("it runs");
    text.lines().next().expect("a process id").to_owned()
}
