//! The order of checks on a write (tools.md): argument shape, replay, the run exists, `run_ended`, then the tool's own order. Every call
//! here is wrong in what its row says and in all that is checked later.

use std::time::Duration;

use base::Principal;
use serde_json::{Value, json};

use crate::world::{World, agent, bystander, member, operator, other_agent};

const PROCESS: &str = "---\nname: paper\ndescription: Write a paper.\n\
    inputs: {topic: string}\nsteps:\n\
    - {id: draft, agent: Write it., output: {pages: number}}\n\
    - {id: review, approve: Is it good?, person: finance, on_reject: draft}\n\
    - {id: done, finish: printed}\n---\n";

/// A run that nobody has.
const NOWHERE: &str = "r_0123456789ABCDEFGHJKMNPQRS";

/// What is wrong with a call, who makes it, with which arguments, and what is answered: `ok`, or the code and how the first issue
/// begins.
type Row<'a> = (&'a str, Principal, Value, &'a str);

struct Stage {
    world: World,
    calls: u32,
}

impl Stage {
    async fn new() -> Self {
        let world = World::new().await;
        world.publish("paper", PROCESS).await;
        Self { world, calls: 0 }
    }

    /// An id that was not used before.
    fn fresh(&mut self) -> String {
        self.calls += 1;
        format!("fresh {}", self.calls)
    }

    /// A call that must be accepted.
    async fn done(&mut self, by: &Principal, tool: &str, mut arguments: Value) -> Value {
        arguments["requestId"] = self.fresh().into();
        let answer = self.world.call(by, tool, arguments).await;
        assert_eq!(answer["ok"], true, "{answer}");
        answer["data"].clone()
    }

    /// A run whose first step is ready.
    async fn run(&mut self) -> String {
        let arguments = json!({"process": "paper", "inputs": {"topic": "moss"}});
        let started = self.done(&agent(), "start_run", arguments).await;
        started["run"]["id"].as_str().expect("a text").to_owned()
    }

    /// A run whose first step is claimed, and the token.
    async fn claimed(&mut self) -> (String, String) {
        let run = self.run().await;
        let claimed = self
            .done(&agent(), "claim", json!({"runId": run, "stepId": "draft"}))
            .await;
        (run, claimed["token"].as_str().expect("a text").to_owned())
    }

    /// A run that waits for its review, and the arguments that decide it, but for the decision and the request.
    async fn handed_in(&mut self) -> (String, Value) {
        let (run, token) = self.claimed().await;
        let arguments = json!({"token": token, "output": {"pages": 3}, "summary": "Written."});
        let view = self.done(&agent(), "submit", arguments).await;
        let mut decide = view["workItems"][0]["decide"]["arguments"].clone();
        decide.as_object_mut().expect("an object").remove("requestId");
        (run, decide)
    }

    async fn cancelled(&mut self, run: &str) {
        self.done(&operator(), "cancel", json!({"runId": run, "reason": "Enough."}))
            .await;
    }

    async fn check(&mut self, tool: &str, rows: Vec<Row<'_>>) {
        for (what, by, mut arguments, expected) in rows {
            if arguments["requestId"].is_null() {
                arguments["requestId"] = self.fresh().into();
            }
            let answer = self.world.call(&by, tool, arguments).await;
            let told = if answer["ok"] == true {
                "ok".to_owned()
            } else {
                let error = &answer["error"];
                let issue = error["issues"][0].as_str().unwrap_or_default();
                format!("{} {issue}", error["code"].as_str().unwrap_or_default())
            };
            assert!(told.starts_with(expected), "{what}: {told}, expected {expected}");
        }
    }
}

/// The arguments with some replaced.
fn with(arguments: &Value, changes: Value) -> Value {
    match (arguments.clone(), changes) {
        (Value::Object(mut members), Value::Object(changes)) => {
            members.extend(changes);
            members.into()
        }
        other => panic!("{other:?} are not objects"),
    }
}

#[tokio::test]
async fn start_run_checks_shape_replay_right_process_inputs() {
    let mut stage = Stage::new().await;
    let good = json!({"process": "paper", "inputs": {"topic": "moss"}});
    let used = with(&good, json!({"requestId": "used"}));
    let rows = vec![
        ("first", agent(), used.clone(), "ok"),
        (
            "shape",
            bystander(),
            json!({"process": 1, "inputs": {}, "requestId": "used"}),
            "invalid arguments.process",
        ),
        ("replay", agent(), used.clone(), "ok"),
        ("caller", bystander(), used, "conflict request_id_reused"),
        (
            "arguments",
            bystander(),
            json!({"process": "nothing", "inputs": {}, "requestId": "used"}),
            "conflict request_id_reused",
        ),
        (
            "right",
            bystander(),
            json!({"process": "nothing", "inputs": {}}),
            "forbidden",
        ),
        (
            "process",
            agent(),
            json!({"process": "nothing", "inputs": {}}),
            "not_found",
        ),
        (
            "version",
            agent(),
            json!({"process": "paper", "version": 9, "inputs": {}}),
            "not_found",
        ),
        (
            "inputs",
            agent(),
            json!({"process": "paper", "inputs": {}}),
            "invalid inputs.topic: missing",
        ),
        ("nothing", agent(), good, "ok"),
    ];
    stage.check("start_run", rows).await;
}

#[tokio::test]
async fn claim_checks_shape_replay_run_end_step_identity_state() {
    let mut stage = Stage::new().await;
    let [open, ended] = [stage.run().await, stage.run().await];
    let (held, _) = stage.claimed().await;
    let (handed_in, _) = stage.handed_in().await;
    let used = json!({"runId": ended, "stepId": "draft", "requestId": "used"});
    stage
        .check("claim", vec![("first", agent(), used.clone(), "ok")])
        .await;
    stage.cancelled(&ended).await;
    let of = |run: &str, step: &str| json!({"runId": run, "stepId": step});
    let rows = vec![
        (
            "shape",
            member(),
            json!({"runId": NOWHERE, "requestId": "used"}),
            "invalid arguments.stepId: missing",
        ),
        ("replay", agent(), used.clone(), "ok"),
        ("caller", member(), used.clone(), "conflict request_id_reused"),
        (
            "arguments",
            agent(),
            with(&used, json!({"runId": NOWHERE})),
            "conflict request_id_reused",
        ),
        ("run", member(), of(NOWHERE, "no_step"), "not_found"),
        ("no run id", member(), of("no run", "no_step"), "not_found"),
        ("end", member(), of(&ended, "no_step"), "conflict run_ended"),
        ("step", member(), of(&open, "no_step"), "not_found"),
        ("person", member(), of(&open, "review"), "forbidden"),
        ("right", bystander(), of(&open, "review"), "forbidden"),
        ("kind", agent(), of(&open, "review"), "forbidden"),
        (
            "held",
            other_agent(),
            of(&held, "draft"),
            "conflict claimed_by_other",
        ),
        ("held", agent(), of(&held, "draft"), "conflict claimed_by_you"),
        ("state", agent(), of(&handed_in, "draft"), "conflict not_ready"),
        ("nothing", agent(), of(&open, "draft"), "ok"),
    ];
    stage.check("claim", rows).await;
}

/// What the three tools that take a token have in common, and then `rows` on a claim that stands.
async fn check_token(tool: &str, arguments: Value, shape: (Value, &str), own: Vec<(&str, Value, &str)>) {
    let mut stage = Stage::new().await;
    let (ended, dead) = stage.claimed().await;
    let (answered, answered_token) = stage.claimed().await;
    let (_, replaced) = stage.claimed().await;
    let (_, lapsed) = stage.claimed().await;
    let used = with(&arguments, json!({"token": answered_token, "requestId": "used"}));
    stage
        .check(tool, vec![("first", agent(), used.clone(), "ok")])
        .await;
    stage.cancelled(&ended).await;
    stage.cancelled(&answered).await;
    stage.done(&agent(), "renew", json!({"token": replaced})).await;
    stage.world.clock.advance(Duration::from_mins(10));
    let (_, live) = stage.claimed().await;
    let token = |token: &str| with(&arguments, json!({"token": token}));
    let rows = vec![
        (
            "shape",
            member(),
            with(&token("made up"), with(&shape.0, json!({"requestId": "used"}))),
            shape.1,
        ),
        ("replay", agent(), used.clone(), "ok"),
        ("caller", member(), used.clone(), "conflict request_id_reused"),
        (
            "arguments",
            agent(),
            with(&used, json!({"token": "made up"})),
            "conflict request_id_reused",
        ),
        (
            "token",
            member(),
            token("made up"),
            "invalid token: does not verify",
        ),
        ("end", member(), token(&dead), "conflict run_ended"),
        ("person", member(), token(&lapsed), "forbidden"),
        ("agent", other_agent(), token(&lapsed), "forbidden"),
        ("agent", other_agent(), token(&live), "forbidden"),
        ("lapsed", agent(), token(&lapsed), "stale"),
        ("replaced", agent(), token(&replaced), "stale"),
    ];
    stage.check(tool, rows).await;
    for (what, changes, expected) in own {
        let lapsed = with(&token(&lapsed), changes.clone());
        let live = with(&token(&live), changes);
        stage
            .check(
                tool,
                vec![(what, agent(), lapsed, "stale"), (what, agent(), live, expected)],
            )
            .await;
    }
    stage
        .check(tool, vec![("nothing", agent(), token(&live), "ok")])
        .await;
}

#[tokio::test]
async fn renew_checks_shape_replay_token_end_identity_lease() {
    let shape = (json!({"progress": 1}), "invalid arguments.progress");
    check_token("renew", json!({"progress": "half"}), shape, vec![]).await;
}

#[tokio::test]
async fn submit_checks_shape_replay_token_end_identity_lease_result() {
    let shape = (json!({"summary": null}), "invalid arguments.summary");
    let own = vec![
        (
            "summary",
            json!({"summary": " "}),
            "not_accepted summary: missing",
        ),
        (
            "output",
            json!({"output": {}}),
            "not_accepted output.pages: missing",
        ),
        ("route", json!({"next": "done"}), "not_accepted next: not allowed"),
    ];
    check_token(
        "submit",
        json!({"output": {"pages": 3}, "summary": "Written."}),
        shape,
        own,
    )
    .await;
}

#[tokio::test]
async fn escalate_checks_shape_replay_token_end_identity_lease() {
    let shape = (json!({"note": " "}), "invalid note: required");
    check_token("escalate", json!({"note": "I am stuck."}), shape, vec![]).await;
}

#[expect(clippy::too_many_lines, reason = "one table")]
#[tokio::test]
async fn decide_checks_shape_replay_run_end_item_snapshot_identity_decision() {
    let mut stage = Stage::new().await;
    let (ended, of_ended) = stage.handed_in().await;
    let (open, of_open) = stage.handed_in().await;
    let used = with(&of_ended, json!({"decision": "approved", "requestId": "used"}));
    stage
        .check("decide", vec![("first", member(), used.clone(), "ok")])
        .await;
    let (decided, of_decided) = stage.handed_in().await;
    let rejected = with(&of_decided, json!({"decision": "rejected", "note": "More moss."}));
    stage.done(&member(), "decide", rejected).await;
    let as_agent = |of: &Value, changes: Value| {
        // Stale, by an agent, with a decision that an approval does not offer.
        let wrong = json!({"decision": "returned", "note": "n", "snapshot": "sha256:00"});
        with(&with(of, wrong), changes)
    };
    let never = format!("{}9", of_open["workItemId"].as_str().expect("a text"));
    let rows = vec![
        (
            "shape",
            agent(),
            as_agent(
                &of_open,
                json!({"runId": NOWHERE, "output": {}, "requestId": "used"}),
            ),
            "invalid output: only with completed",
        ),
        ("replay", member(), used.clone(), "ok"),
        ("caller", agent(), used.clone(), "conflict request_id_reused"),
        (
            "arguments",
            member(),
            with(&used, json!({"runId": NOWHERE})),
            "conflict request_id_reused",
        ),
        (
            "run",
            agent(),
            as_agent(&of_open, json!({"runId": NOWHERE})),
            "not_found",
        ),
        (
            "end",
            agent(),
            as_agent(&of_ended, json!({"runId": ended})),
            "conflict run_ended",
        ),
        (
            "decided",
            agent(),
            as_agent(&of_decided, json!({"runId": decided})),
            "conflict already_decided",
        ),
        (
            "item",
            agent(),
            as_agent(&of_open, json!({"workItemId": never})),
            "not_found",
        ),
        (
            "no item id",
            agent(),
            as_agent(&of_open, json!({"workItemId": "none"})),
            "not_found",
        ),
        (
            "snapshot",
            agent(),
            as_agent(&of_open, json!({"runId": open})),
            "stale",
        ),
        (
            "agent",
            agent(),
            as_agent(&of_open, json!({"snapshot": of_open["snapshot"]})),
            "forbidden",
        ),
        (
            "others",
            operator(),
            as_agent(&of_open, json!({"snapshot": of_open["snapshot"]})),
            "forbidden",
        ),
        (
            "decision",
            member(),
            as_agent(&of_open, json!({"snapshot": of_open["snapshot"]})),
            "not_accepted decision: returned is not offered",
        ),
        (
            "nothing",
            member(),
            with(&of_open, json!({"decision": "approved"})),
            "ok",
        ),
    ];
    stage.check("decide", rows).await;
}

#[tokio::test]
async fn cancel_checks_shape_replay_run_end_identity() {
    let mut stage = Stage::new().await;
    let [open, ended] = [stage.run().await, stage.run().await];
    let used = json!({"runId": ended, "reason": "Enough.", "requestId": "used"});
    stage
        .check("cancel", vec![("first", operator(), used.clone(), "ok")])
        .await;
    let of = |run: &str| json!({"runId": run, "reason": "Enough."});
    let rows = vec![
        (
            "shape",
            member(),
            json!({"runId": NOWHERE, "reason": " ", "requestId": "used"}),
            "invalid reason: required",
        ),
        ("replay", operator(), used.clone(), "ok"),
        ("caller", member(), used.clone(), "conflict request_id_reused"),
        (
            "arguments",
            operator(),
            with(&used, json!({"runId": NOWHERE})),
            "conflict request_id_reused",
        ),
        ("run", member(), of(NOWHERE), "not_found"),
        ("end", member(), of(&ended), "conflict run_ended"),
        ("end", operator(), of(&ended), "conflict run_ended"),
        ("person", member(), of(&open), "forbidden"),
        ("agent", agent(), of(&open), "forbidden"),
        ("nothing", operator(), of(&open), "ok"),
    ];
    stage.check("cancel", rows).await;
}

#[tokio::test]
async fn send_event_checks_shape_replay_run_end_identity_name_size() {
    let mut stage = Stage::new().await;
    let [open, ended] = [stage.run().await, stage.run().await];
    let used = json!({"runId": ended, "name": "paid", "requestId": "used"});
    stage
        .check("send_event", vec![("first", agent(), used.clone(), "ok")])
        .await;
    stage.cancelled(&ended).await;
    let large = json!({"text": "x".repeat(262_144)});
    let of = |run: &str, name: &str| json!({"runId": run, "name": name, "data": large});
    let rows = vec![
        (
            "shape",
            member(),
            json!({"runId": NOWHERE, "name": 1, "requestId": "used"}),
            "invalid arguments.name",
        ),
        ("replay", agent(), used.clone(), "ok"),
        ("caller", operator(), used.clone(), "conflict request_id_reused"),
        (
            "arguments",
            agent(),
            with(&used, json!({"data": {}})),
            "conflict request_id_reused",
        ),
        ("run", member(), of(NOWHERE, "No Name"), "not_found"),
        ("end", member(), of(&ended, "No Name"), "conflict run_ended"),
        ("person", member(), of(&open, "No Name"), "forbidden"),
        ("name", agent(), of(&open, "No Name"), "invalid name: expected"),
        ("size", agent(), of(&open, "paid"), "invalid run data: "),
        (
            "nothing",
            operator(),
            json!({"runId": open, "name": "paid"}),
            "ok",
        ),
    ];
    stage.check("send_event", rows).await;
}
