//! What each tool takes and gives (tools.md).

use base::{Caller, PersonRole, Principal};
use serde_json::{Value, json};

use crate::world::{World, agent, bystander, member, operator};

/// Its second version has one more step.
const PAPER: [&str; 2] = [
    "---\nname: paper\ndescription: Write a paper.\nsteps:\n- {id: draft, agent: Write it.}\n- {id: done, finish: printed}\n---\n",
    "---\nname: paper\ndescription: Write a paper.\nsteps:\n- {id: draft, agent: Write it.}\n\
     - {id: check, agent: Read it.}\n- {id: done, finish: printed}\n---\n",
];

/// A step with everything that can be declared, given to a person when it is escalated.
const RICH: &str = "---\nname: rich\ndescription: Everything.\nsteps:\n\
    - {id: draft, agent: Write it., output: {pages: number}, evidence: [link], next: [check, {to: done, when: It is short.}]}\n\
    - {id: check, approve: Is it good?, person: finance}\n- {id: done, finish: printed}\n---\nThe handbook.\n";

async fn done(world: &World, by: &Principal, tool: &str, arguments: Value) -> Value {
    let answer = world.call(by, tool, arguments).await;
    assert_eq!(answer["ok"], true, "{tool}: {answer}");
    answer["data"].clone()
}

async fn start(world: &World, process: &str, request: &str) -> Value {
    let arguments = json!({"process": process, "inputs": {}, "requestId": request});
    done(world, &agent(), "start_run", arguments).await
}

async fn world(processes: &[(&str, &str)]) -> World {
    let world = World::new().await;
    for (process, source) in processes {
        world.publish(process, source).await;
    }
    world
}

/// A step of `rich` that was claimed, and the claim.
async fn claimed(world: &World) -> (String, Value) {
    let view = start(world, "rich", "start").await;
    let run = view["run"]["id"].as_str().expect("a text").to_owned();
    let claim = json!({"runId": run, "stepId": "draft", "requestId": "claim"});
    let claim = done(world, &agent(), "claim", claim).await;
    (run, claim)
}

#[tokio::test]
async fn start_run_takes_the_latest_version_and_live_unless_told() {
    let world = world(&[("paper", PAPER[0]), ("paper", PAPER[1])]).await;
    let view = start(&world, "paper", "1").await;
    assert_eq!(
        (&view["run"]["version"], &view["run"]["mode"]),
        (&json!(2), &json!("live"))
    );
    let arguments = json!({"process": "paper", "version": 1, "mode": "test", "inputs": {}, "requestId": "2"});
    let view = done(&world, &agent(), "start_run", arguments).await;
    assert_eq!(
        (&view["run"]["version"], &view["run"]["mode"]),
        (&json!(1), &json!("test"))
    );
    let steps: Vec<&Value> = view["steps"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|step| &step["id"])
        .collect();
    assert_eq!(steps, ["draft", "done"]);
}

#[tokio::test]
async fn a_run_view_has_every_step_in_file_order_and_only_the_open_items() {
    let world = world(&[("rich", RICH)]).await;
    let (run, claim) = claimed(&world).await;
    let view = done(&world, &agent(), "get_run", json!({"runId": run})).await;
    let steps: Vec<String> = view["steps"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|step| format!("{} {} {}", step["id"], step["kind"], step["state"]))
        .collect();
    let expected = [
        r#""draft" "agent" "claimed""#,
        r#""check" "approve" null"#,
        r#""done" "finish" null"#,
    ];
    assert_eq!(steps, expected);
    assert_eq!(
        (&view["workItems"], &view["body"]),
        (&json!([]), &json!("The handbook.\n"))
    );
    let submit = json!({
        "token": claim["token"], "output": {"pages": 3}, "evidence": [{"kind": "link", "ref": "https://example.com"}],
        "summary": "Written.", "next": "check", "reason": "It is long.", "requestId": "submit",
    });
    let view = done(&world, &agent(), "submit", submit).await;
    let items = view["workItems"].as_array().expect("a list");
    assert_eq!((items.len(), &items[0]["stepId"]), (1, &json!("check")));
    let mut decide = items[0]["decide"]["arguments"].clone();
    (decide["decision"], decide["requestId"]) = ("approved".into(), "decide".into());
    let view = done(&world, &member(), "decide", decide).await;
    assert_eq!(
        (&view["workItems"], &view["run"]["state"]),
        (&json!([]), &json!("ended"))
    );
}

#[tokio::test]
async fn a_reviewer_decides_with_the_ready_made_call_of_the_list() {
    let world = world(&[("rich", RICH)]).await;
    let (run, claim) = claimed(&world).await;
    let submit = json!({
        "token": claim["token"], "output": {"pages": 3}, "evidence": [{"kind": "link", "ref": "https://example.com"}],
        "summary": "Written.", "next": "check", "reason": "It is long.", "requestId": "submit",
    });
    done(&world, &agent(), "submit", submit).await;
    let work = done(&world, &member(), "get_work", json!({})).await;
    let call = &work["items"][0]["workItem"]["decide"];
    assert_eq!(
        (&call["tool"], &call["decisions"]),
        (&json!("decide"), &json!(["approved", "rejected", "failed"]))
    );
    assert_eq!(call["arguments"]["runId"], run.as_str());
    let mut decide = call["arguments"].clone();
    (decide["decision"], decide["requestId"]) = ("approved".into(), "decide".into());
    assert_eq!(
        done(&world, &member(), "decide", decide).await["run"]["outcome"],
        "printed"
    );
}

#[tokio::test]
async fn a_ready_made_call_has_the_placeholder_for_its_request_id() {
    let world = world(&[("rich", RICH)]).await;
    let run = start(&world, "rich", "1").await["run"]["id"].clone();
    let work = done(&world, &agent(), "get_work", json!({})).await;
    let call =
        json!({"tool": "claim", "arguments": {"runId": run, "stepId": "draft", "requestId": "<new UUID>"}});
    assert_eq!(work["items"][0]["claim"], call);
    let claim = done(
        &world,
        &agent(),
        "claim",
        json!({"runId": run, "stepId": "draft", "requestId": "2"}),
    )
    .await;
    let escalate = json!({"token": claim["token"], "note": "I cannot.", "requestId": "3"});
    let view = done(&world, &agent(), "escalate", escalate).await;
    assert_eq!(
        view["workItems"][0]["decide"]["arguments"]["requestId"],
        "<new UUID>"
    );
}

#[tokio::test]
async fn a_work_item_shows_output_evidence_and_routes_as_a_claim_does() {
    let world = world(&[("rich", RICH)]).await;
    let (_, claim) = claimed(&world).await;
    let escalate = json!({"token": claim["token"], "note": "I cannot.", "requestId": "escalate"});
    let view = done(&world, &agent(), "escalate", escalate).await;
    let item = &view["workItems"][0];
    for part in ["output", "evidence", "next"] {
        assert_eq!(item[part], claim["step"][part], "{part}");
        assert!(!item[part].is_null(), "{part}");
    }
    assert_eq!(item["text"], claim["step"]["instructions"]);
}

#[tokio::test]
async fn a_claim_shows_nulls_for_what_the_step_does_not_declare_and_every_route_as_an_object() {
    let world = world(&[("rich", RICH), ("paper", PAPER[0])]).await;
    let (_, claim) = claimed(&world).await;
    assert_eq!(
        claim["step"]["next"],
        json!([{"to": "check"}, {"to": "done", "when": "It is short."}])
    );
    let run = start(&world, "paper", "bare").await["run"]["id"].clone();
    let bare = done(
        &world,
        &agent(),
        "claim",
        json!({"runId": run, "stepId": "draft", "requestId": "bare claim"}),
    )
    .await;
    let step =
        json!({"id": "draft", "instructions": "Write it.", "output": null, "evidence": null, "next": null});
    assert_eq!((&bare["step"], &bare["handoff"]), (&step, &Value::Null));
    assert_eq!(bare["data"], json!({"inputs": {}, "steps": {}}));
}

#[tokio::test]
async fn anyone_in_the_organization_reads_its_runs() {
    let world = world(&[("paper", PAPER[0])]).await;
    let run = start(&world, "paper", "1").await["run"]["id"].clone();
    for reader in [agent(), bystander(), member(), operator()] {
        let view = done(&world, &reader, "get_run", json!({"runId": run})).await;
        assert_eq!(view["run"]["id"], run);
        let runs = done(&world, &reader, "list_runs", json!({})).await;
        assert_eq!(runs["items"][0]["id"], run);
    }
}

#[tokio::test]
async fn get_work_gives_twenty_unless_told_and_a_hundred_at_most() {
    let world = world(&[("paper", PAPER[0])]).await;
    for number in 0..101 {
        start(&world, "paper", &format!("run {number}")).await;
    }
    for (arguments, count, has_more) in [
        (json!({}), 20, true),
        (json!({"limit": 1}), 1, true),
        (json!({"limit": 100}), 100, true),
    ] {
        for (tool, by) in [("get_work", agent()), ("list_runs", agent())] {
            let page = done(&world, &by, tool, arguments.clone()).await;
            let items = page["items"].as_array().map(Vec::len);
            // `list_runs` does not say how many it gives by itself.
            if tool == "get_work" || arguments != json!({}) {
                assert_eq!(
                    (items, page["nextCursor"].is_string()),
                    (Some(count), has_more),
                    "{tool}"
                );
            }
        }
    }
    for limit in [0, 101] {
        for tool in ["get_work", "list_runs"] {
            let answer = world.call(&agent(), tool, json!({"limit": limit})).await;
            assert_eq!(answer["error"]["code"], "invalid", "{tool}");
        }
    }
}

#[tokio::test]
async fn get_work_is_of_one_process_when_told() {
    let world = world(&[("paper", PAPER[0]), ("rich", RICH)]).await;
    start(&world, "paper", "1").await;
    start(&world, "rich", "2").await;
    for process in ["paper", "rich"] {
        let work = done(&world, &agent(), "get_work", json!({"process": process})).await;
        let items = work["items"].as_array().expect("a list");
        assert_eq!((items.len(), &items[0]["process"]), (1, &json!(process)));
    }
    let all = done(&world, &agent(), "get_work", json!({})).await;
    assert_eq!(all["items"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn an_operator_or_an_admin_is_a_person_too() {
    let admin = Principal {
        caller: match operator().caller {
            Caller::Person { id, email, .. } => Caller::Person {
                id,
                email,
                role: PersonRole::Admin,
            },
            agent @ Caller::Agent { .. } => agent,
        },
        ..operator()
    };
    for who in [operator(), admin] {
        let world = world(&[("paper", PAPER[0])]).await;
        let run = start(&world, "paper", "1").await["run"]["id"].clone();
        done(
            &world,
            &who,
            "send_event",
            json!({"runId": run, "name": "news", "requestId": "2"}),
        )
        .await;
        let claim = json!({"runId": run, "stepId": "draft", "requestId": "3"});
        assert_eq!(
            world.call(&who, "claim", claim).await["error"]["code"],
            "forbidden"
        );
        done(
            &world,
            &who,
            "cancel",
            json!({"runId": run, "reason": "Enough.", "requestId": "4"}),
        )
        .await;
    }
    let world = world(&[("paper", PAPER[0])]).await;
    let run = start(&world, "paper", "1").await["run"]["id"].clone();
    for (tool, arguments) in [
        (
            "cancel",
            json!({"runId": run, "reason": "Enough.", "requestId": "2"}),
        ),
        (
            "send_event",
            json!({"runId": run, "name": "news", "requestId": "3"}),
        ),
    ] {
        assert_eq!(
            world.call(&member(), tool, arguments).await["error"]["code"],
            "forbidden",
            "{tool}"
        );
    }
}

#[tokio::test]
async fn an_agent_that_acts_for_a_person_is_an_agent() {
    let Caller::Person { id: operators_id, .. } = operator().caller else {
        panic!("an operator is a person");
    };
    let acting = Principal {
        caller: match agent().caller {
            Caller::Agent { id, rights, .. } => Caller::Agent {
                id,
                acting_for: Some(operators_id),
                rights,
            },
            person @ Caller::Person { .. } => person,
        },
        ..agent()
    };
    let world = world(&[("rich", RICH)]).await;
    let run = done(
        &world,
        &acting,
        "start_run",
        json!({"process": "rich", "inputs": {}, "requestId": "1"}),
    )
    .await["run"]["id"]
        .clone();
    let claim = done(
        &world,
        &acting,
        "claim",
        json!({"runId": run, "stepId": "draft", "requestId": "2"}),
    )
    .await;
    let escalate = json!({"token": claim["token"], "note": "I cannot.", "requestId": "3"});
    let view = done(&world, &acting, "escalate", escalate).await;
    let mut decide = view["workItems"][0]["decide"]["arguments"].clone();
    (decide["decision"], decide["note"], decide["requestId"]) =
        ("returned".into(), "Try.".into(), "4".into());
    assert_eq!(
        world.call(&acting, "decide", decide.clone()).await["error"]["code"],
        "forbidden"
    );
    let cancel = json!({"runId": run, "reason": "Enough.", "requestId": "5"});
    assert_eq!(
        world.call(&acting, "cancel", cancel).await["error"]["code"],
        "forbidden"
    );
    // The person whom it acts for decides as themselves.
    done(&world, &operator(), "decide", decide).await;
}

#[tokio::test]
async fn records_name_actors_by_their_ids() {
    let world = world(&[("rich", RICH)]).await;
    let (run, claim) = claimed(&world).await;
    let submit = json!({
        "token": claim["token"], "output": {"pages": 3}, "evidence": [{"kind": "link", "ref": "https://example.com"}],
        "summary": "Written.", "next": "check", "reason": "It is long.", "requestId": "submit",
    });
    let view = done(&world, &agent(), "submit", submit).await;
    let mut decide = view["workItems"][0]["decide"]["arguments"].clone();
    (decide["decision"], decide["requestId"]) = ("approved".into(), "decide".into());
    done(&world, &member(), "decide", decide).await;
    let view = done(&world, &agent(), "get_run", json!({"runId": run})).await;
    let by = |step: &str| {
        view["data"]["steps"][step]["by"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(
        (by("draft"), by("check")),
        (
            "a_00000000000000000000000002".into(),
            "u_00000000000000000000000004".into()
        )
    );
    assert_eq!(
        (&view["run"]["startedBy"], &view["run"]["ended"]["by"]),
        (&json!("a_00000000000000000000000002"), &json!("server"))
    );
}
