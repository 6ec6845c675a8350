//! What the doors of a running server answer.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Server, temporary_folder, text, until, wait_for};

const PROCESS: &str = include_str!("../../demo/expense-report/PROCESS.md");

#[test]
fn the_demo_process_can_be_started_by_an_agent() {
    let server = Server::start(&["--ephemeral"]);
    assert_eq!(server.get("/readyz"), (200, "ok\n".to_owned()));
    let token = server.agent_token();
    let (_, catalog) = server.call("demo", &token, "list_processes", &json!({}));
    assert_eq!(catalog["data"]["items"][0]["name"], "expense-report", "{catalog}");
    let start = json!({
        "process": "expense-report", "requestId": "one",
        "inputs": {"employee": "Ada", "purpose": "Lunch", "receipts": [{"amount": 12.5}]},
    });
    let (_, run) = server.call("demo", &token, "start_run", &start);
    assert_eq!(run["data"]["run"]["state"], "active", "{run}");
    let (_, work) = server.call("demo", &token, "get_work", &json!({}));
    assert_eq!(work["data"]["items"][0]["stepId"], "draft", "{work}");
    assert!(server.terminate().success());
}

#[test]
fn a_token_is_good_for_its_own_organization_alone() {
    let server = Server::start(&["--ephemeral", "--orgs", "2"]);
    let token = server.agent_token();
    assert_eq!(server.call("demo", &token, "describe", &json!({})).0, 200);
    assert_eq!(server.call("demo2", &token, "describe", &json!({})).0, 401);
    assert_eq!(server.call("demo", "dev_made-up", "describe", &json!({})).0, 401);
    let other = text(&server.ready()["orgs"][1]["tokens"]["agents"]["alpha"]);
    let (status, catalog) = server.call("demo2", &other, "list_processes", &json!({}));
    assert_eq!(
        (status, &catalog["data"]["items"][0]["version"]),
        (200, &json!(1))
    );
}

#[test]
fn the_bare_metadata_are_those_of_the_only_organization() {
    let bare = "/.well-known/oauth-protected-resource";
    let one = Server::start(&["--ephemeral"]);
    let (status, metadata) = one.get(bare);
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    assert_eq!((status, &metadata["resource"]), (200, &one.ready()["mcp"]));
    let two = Server::start(&["--ephemeral", "--orgs", "2"]);
    let (status, error) = two.get(bare);
    let error: Value = serde_json::from_str(&error).expect("JSON");
    assert_eq!((status, &error["error"]["code"]), (404, &json!("not_found")));
}

#[test]
fn a_call_whose_body_is_on_its_way_when_the_end_is_asked_for_is_answered() {
    let server = Server::start(&["--ephemeral"]);
    let body = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "describe"}}"#;
    let (half, rest) = body.split_at(30);
    let head = format!(
        "POST /o/demo/mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        server.agent_token(),
        body.len()
    );
    let address = text(&server.ready()["url"]).replace("http://", "");
    let mut stream = TcpStream::connect(&address).expect("it accepts");
    stream.write_all(head.as_bytes()).expect("it reads");
    // It asks for the body once the caller is known.
    let mut begun = [0; 25];
    stream.read_exact(&mut begun).expect("it answers");
    stream.write_all(half.as_bytes()).expect("it reads");
    let ending = std::thread::spawn(move || server.terminate());
    until(|| TcpStream::connect(&address).is_err());
    stream.write_all(rest.as_bytes()).expect("it still reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers and closes");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.contains("leaseSeconds"), "{answer}");
    assert!(ending.join().expect("it ends").success());
}

#[test]
fn claims_last_as_long_as_the_flag_says() {
    let server = Server::start(&["--ephemeral", "--lease-seconds", "42"]);
    let (_, described) = server.call("demo", &server.agent_token(), "describe", &json!({}));
    assert_eq!(described["data"]["leaseSeconds"], 42);
}

#[test]
fn the_clock_of_every_server_of_a_database_moves_and_stays_ahead() {
    let folder = temporary_folder();
    let data = folder.text();
    let arguments = ["--time-travel", "--token-seconds", "3600", "--data-dir", &data];
    let first = Server::start(&arguments);
    let second = Server::start(&arguments);
    let token = first.agent_token();
    assert_eq!(first.call("demo", &token, "describe", &json!({})).0, 200);

    let before = travel(&first, 0);
    let after = travel(&first, 86_400);
    assert!(after > before);
    // The tokens were good for an hour of that clock.
    assert_eq!(second.call("demo", &token, "describe", &json!({})).0, 401);
    assert_eq!(first.call("demo", &token, "describe", &json!({})).0, 401);
    assert!(travel(&second, 0) >= after);
    assert!(first.terminate().success());
    assert!(second.terminate().success());

    let again = Server::start(&arguments);
    assert!(travel(&again, 0) >= after);
    assert_eq!(
        again.call("demo", &again.agent_token(), "describe", &json!({})).0,
        200
    );
}

#[test]
fn the_clock_never_goes_back_and_moves_only_where_it_may() {
    let server = Server::start(&["--ephemeral", "--time-travel"]);
    for wrong in [
        json!({"advanceSeconds": -1}),
        json!({"advanceSeconds": "1"}),
        json!({}),
        json!([]),
    ] {
        let (status, answer) = server.post("/dev/clock", "", &wrong);
        assert_eq!(
            (status, &answer["error"]["code"]),
            (400, &json!("invalid")),
            "{wrong}"
        );
    }
    for (header, value) in [("host", "evil.example"), ("origin", "https://evil.example")] {
        assert_eq!(move_clock(&server, (header, value)), 403, "{header}");
    }
    // As `curl -d` sends it.
    let form = ("content-type", "application/x-www-form-urlencoded");
    assert_eq!(move_clock(&server, form), 200);
    let without = Server::start(&["--ephemeral"]);
    assert_eq!(
        without.post("/dev/clock", "", &json!({"advanceSeconds": 1})).0,
        404
    );
}

#[test]
fn an_admin_publishes_with_a_group_for_every_role() {
    let server = Server::start(&["--ephemeral"]);
    let admin = server.person_token("admin@example.com");
    let publish = |token: &str, body: &Value| server.post("/api/o/demo/processes/publish", token, body);
    let same = json!({"source": PROCESS, "roles": {"finance": "finance"}});
    let (status, answer) = publish(&admin, &same);
    assert_eq!((status, &answer["version"]), (200, &json!(1)));
    let new = json!({"source": format!("{PROCESS}\n"), "roles": {"finance": "legal"}});
    let (status, answer) = publish(&admin, &new);
    assert_eq!((status, &answer["version"]), (201, &json!(2)));

    let (status, answer) = publish(&admin, &json!({"source": PROCESS, "roles": {"clerk": "nobody"}}));
    assert_eq!(status, 422);
    // The role that is not named keeps its group.
    assert_eq!(
        answer["error"]["issues"],
        json!(["roles.clerk: the process has no such role"]),
        "{answer}"
    );
    let (status, answer) = publish(&admin, &json!({"source": "nothing"}));
    assert_eq!(
        (status, &answer["problems"][0]["code"]),
        (422, &json!("frontmatter-missing"))
    );
    assert_eq!(publish(&server.person_token("olga@example.com"), &same).0, 403);
    assert_eq!(publish(&server.agent_token(), &same).0, 403);
    assert_eq!(publish("dev_made-up", &same).0, 401);
}

#[test]
fn a_restart_leaves_what_was_published_alone() {
    let folder = temporary_folder();
    let data = folder.text();
    let server = Server::start(&["--data-dir", &data]);
    let new = json!({"source": format!("{PROCESS}\n"), "roles": {"finance": "legal"}});
    let admin = server.person_token("admin@example.com");
    assert_eq!(server.post("/api/o/demo/processes/publish", &admin, &new).0, 201);
    assert!(server.terminate().success());
    let server = Server::start(&["--data-dir", &data]);
    let (_, catalog) = server.call("demo", &server.agent_token(), "list_processes", &json!({}));
    assert_eq!(catalog["data"]["items"][0]["version"], 2, "{catalog}");
}

#[test]
fn a_restart_leaves_members_and_groups_as_they_were_changed() {
    let folder = temporary_folder();
    let data = folder.text();
    let server = Server::start(&["--data-dir", &data]);
    let of_hr = ask(&server, "GET", "members?email=hugo@example.com");
    let groups = ask(&server, "GET", "groups");
    let groups = groups["items"].as_array().expect("a list");
    let hr = groups.iter().find(|group| group["name"] == "hr");
    let hr = text(&hr.expect("it is there")["id"]);
    ask(
        &server,
        "DELETE",
        &format!("members/{}", text(&of_hr["items"][0]["id"])),
    );
    ask(&server, "DELETE", &format!("groups/{hr}"));
    assert!(server.terminate().success());

    let server = Server::start(&["--data-dir", &data]);
    let counts = ask(&server, "GET", "")["counts"].clone();
    assert_eq!((&counts["members"], &counts["groups"]), (&json!(8), &json!(5)));
    let hugo = server.person_token("hugo@example.com");
    assert_eq!(server.call("demo", &hugo, "describe", &json!({})).0, 401);
}

#[test]
fn the_command_line_publishes() {
    let server = Server::start(&["--ephemeral"]);
    let folder = temporary_folder();
    let file = folder.path().join("PROCESS.md");
    std::fs::write(&file, format!("{PROCESS}\nAsk when in doubt.\n")).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_baton"))
        .args(["process", "publish", "--role", "finance=finance"])
        .arg(&file)
        .env("BATON_URL", text(&server.ready()["url"]))
        .env("BATON_ORG", "demo")
        .env("BATON_TOKEN", server.person_token("admin@example.com"))
        .output()
        .expect("the binary runs");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let version: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    assert_eq!(
        (&version["name"], &version["version"]),
        (&json!("expense-report"), &json!(2))
    );
}

#[test]
fn the_command_line_tells_which_roles_lack_a_group_and_which_groups_there_are() {
    let server = Server::start(&["--ephemeral"]);
    let folder = temporary_folder();
    let file = folder.path().join("PROCESS.md");
    std::fs::write(
        &file,
        PROCESS.replace("name: expense-report", "name: travel-report"),
    )
    .expect("written");
    let publish = |roles: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_baton"))
            .args(["process", "publish"])
            .args(roles)
            .arg(&file)
            .env("BATON_URL", text(&server.ready()["url"]))
            .env("BATON_ORG", "demo")
            .env("BATON_TOKEN", server.person_token("admin@example.com"))
            .output()
            .expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), stderr)
    };
    let (code, stderr) = publish(&[]);
    assert_eq!(code, Some(1), "{stderr}");
    for line in [
        "  roles.finance: missing; name the group whose members do this work",
        "  groups of this organization: communications, finance, hr, legal, operations, security",
    ] {
        assert!(stderr.lines().any(|said| said == line), "{stderr}");
    }
    assert_eq!(publish(&["--role", "finance=legal"]).0, Some(0));
    assert_eq!(publish(&[]).0, Some(0), "the role keeps its group");
}

/// What the administration API answers to the admin of `demo`.
fn ask(server: &Server, method: &str, path: &str) -> Value {
    let address = format!("{}/{path}", text(&server.ready()["api"]));
    let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
    let request = reqwest::Client::new()
        .request(method, address.trim_end_matches('/'))
        .bearer_auth(server.person_token("admin@example.com"));
    wait_for(async {
        let response = request.send().await.expect("an answer");
        assert!(response.status().is_success(), "{path}: {}", response.status());
        serde_json::from_slice(&response.bytes().await.expect("a body")).unwrap_or_default()
    })
}

/// Moves the clock and gives the time after that.
fn travel(server: &Server, seconds: u32) -> String {
    let (status, answer) = server.post("/dev/clock", "", &json!({"advanceSeconds": seconds}));
    assert_eq!(status, 200, "{answer}");
    text(&answer["now"])
}

/// The status of a request with another header.
fn move_clock(server: &Server, (header, value): (&str, &str)) -> u16 {
    let request = reqwest::Client::new()
        .post(format!("{}/dev/clock", text(&server.ready()["url"])))
        .header(header, value)
        .body(r#"{"advanceSeconds": 5}"#);
    wait_for(async { request.send().await.expect("an answer").status().as_u16() })
}
