//! Open items move when a role's group changes (process.md §5), at two servers on one database.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::door::{Door, Failure, publish};
use crate::journal::{execute, rows};
use crate::support::{Folder, Server, temporary_folder};

const TO_FINANCE: (&str, &[&str]) = ("errand", &["finance=finance"]);
const TO_LEGAL: (&str, &[&str]) = ("errand", &["finance=legal"]);

/// Two servers; mira is in finance, lena in legal.
struct Scene {
    _folder: Folder,
    servers: [Server; 2],
    runtime: Runtime,
}

impl Scene {
    fn new() -> Self {
        let folder = temporary_folder();
        let arguments = ["--data-dir", &folder.text()];
        let servers = [Server::start(&arguments), Server::start(&arguments)];
        publish(&servers[0], TO_FINANCE);
        Self {
            _folder: folder,
            servers,
            runtime: Runtime::new().expect("a runtime"),
        }
    }

    fn door(&self, server: usize, who: &str) -> Door {
        Door::of(&self.servers[server].ready(), who)
    }

    /// Takes an errand to where it waits for a confirmation.
    fn waiting(&self, server: usize, name: &str) -> Value {
        self.runtime
            .block_on(wait(self.door(server, "alpha"), name.to_owned()))
    }

    fn work_of(&self, server: usize, who: &str) -> BTreeSet<String> {
        self.runtime.block_on(work_of(&self.door(server, who)))
    }

    fn decide(&self, server: usize, who: &str, arguments: &Value) -> Result<Value, Failure> {
        let door = self.door(server, who);
        self.runtime.block_on(door.insist("decide", arguments))
    }
}

async fn insist(door: &Door, tool: &str, arguments: Value) -> Value {
    let answer = door.insist(tool, &arguments).await;
    answer.unwrap_or_else(|refused| panic!("{tool}: {refused:?}"))
}

async fn wait(agent: Door, name: String) -> Value {
    let id = |call: &str| format!("{name}-{call}");
    let start = json!({"process": "errand", "inputs": {"what": name}, "requestId": id("start")});
    let run = insist(&agent, "start_run", start).await;
    let claim = json!({"runId": run["run"]["id"], "stepId": "do", "requestId": id("claim")});
    let held = insist(&agent, "claim", claim).await;
    let submit =
        json!({"token": held["token"], "output": {"result": "r"}, "summary": "s", "requestId": id("submit")});
    insist(&agent, "submit", submit).await
}

/// The runs whose items somebody finds.
async fn work_of(door: &Door) -> BTreeSet<String> {
    let (mut runs, mut cursor) = (BTreeSet::new(), Value::Null);
    loop {
        let mut arguments = json!({"limit": 100});
        if !cursor.is_null() {
            arguments["cursor"] = cursor;
        }
        let mut page = insist(door, "get_work", arguments).await;
        let items = page["items"].as_array().expect("a list");
        runs.extend(
            items
                .iter()
                .map(|item| id_of(&item["workItem"]["decide"]["arguments"]["runId"])),
        );
        cursor = page["nextCursor"].take();
        if cursor.is_null() {
            return runs;
        }
    }
}

fn id_of(run: &Value) -> String {
    run.as_str().expect("an id").to_owned()
}

fn approve(view: &Value, id: &str) -> Value {
    let mut arguments = view["workItems"][0]["decide"]["arguments"].clone();
    arguments["decision"] = "approved".into();
    arguments["requestId"] = id.into();
    arguments
}

#[test]
fn once_a_roles_group_is_changed_its_members_decide_at_every_server() {
    let scene = Scene::new();
    // Both servers have the run in memory.
    let view = scene.waiting(1, "one");
    let get = json!({"runId": view["run"]["id"]});
    scene
        .runtime
        .block_on(insist(&scene.door(0, "mira"), "get_run", get));
    let run = BTreeSet::from([id_of(&view["run"]["id"])]);
    assert_eq!(scene.work_of(0, "mira"), run);
    publish(&scene.servers[0], TO_LEGAL);
    for server in 0..2 {
        assert_eq!(scene.work_of(server, "mira"), BTreeSet::new());
        assert_eq!(scene.work_of(server, "lena"), run);
    }
    for server in 0..2 {
        let refused = scene.decide(server, "mira", &approve(&view, "mira"));
        let is_forbidden = matches!(&refused, Err(Failure::Refused(code, _)) if code == "forbidden");
        assert!(is_forbidden, "{refused:?}");
    }
    let done = scene.decide(1, "lena", &approve(&view, "lena"));
    assert_eq!(done.expect("the snapshot is the same")["run"]["outcome"], "done");
}

/// As when the server is killed after it has made the change: somebody else finishes it.
#[test]
fn a_change_whose_server_was_killed_is_finished_by_another_one() {
    let scene = Scene::new();
    let view = scene.waiting(0, "one");
    let run = BTreeSet::from([id_of(&view["run"]["id"])]);
    let ready = scene.servers[0].ready();
    execute(
        &ready,
        "select set_config('baton.organizations', organization, true), begin_directory_change(organization)
         from role_mappings where process = 'errand';
         update role_mappings set group_id = g.group_id from groups g
         where g.organization = role_mappings.organization and g.name = 'legal' and process = 'errand';
         select note_role_change(organization, 'errand') from role_mappings where process = 'errand'",
    );
    while !rows(&ready, "select run from reassignments").is_empty() {}
    assert_eq!(scene.work_of(1, "lena"), run);
    let done = scene.decide(0, "lena", &approve(&view, "lena"));
    assert_eq!(done.expect("it is hers")["run"]["outcome"], "done");
}

/// Items open at two servers while the role goes to and fro: in the end none is left with the wrong group.
#[test]
fn no_item_that_opens_while_a_roles_group_changes_is_for_the_old_one() {
    let scene = Scene::new();
    let opening: Vec<_> = (0..8)
        .map(|caller| {
            let agent = scene.door(caller % 2, "alpha");
            scene.runtime.spawn(async move {
                let mut runs = Vec::new();
                for n in 0..10 {
                    let view = wait(agent.clone(), format!("{caller}-{n}")).await;
                    runs.push(id_of(&view["run"]["id"]));
                }
                runs
            })
        })
        .collect();
    for change in 0..7 {
        let to = if change % 2 == 0 { TO_LEGAL } else { TO_FINANCE };
        publish(&scene.servers[change % 2], to);
    }
    let opened = scene.runtime.block_on(join_all(opening));
    let opened: BTreeSet<_> = opened
        .into_iter()
        .flat_map(|runs| runs.expect("no panic"))
        .collect();
    assert_eq!(scene.work_of(0, "mira"), BTreeSet::new());
    assert_eq!(scene.work_of(1, "lena"), opened);
}
