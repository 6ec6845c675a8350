//! Many callers who want the same, through two servers on one database.

use futures::future::join_all;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::door::{Answer, Door, Failure, PURCHASE, publish, refusal};
use crate::support::{Folder, Server, temporary_folder};

/// Rounds of changes through one server and looks through the other.
const ROUNDS: usize = 12;

/// Two servers on one data folder, and everybody at both.
struct Scene {
    _folder: Folder,
    servers: [Server; 2],
    runtime: Runtime,
}

/// Whoever plays, at one server.
struct Cast {
    alpha: Door,
    beta: Door,
    mira: Door,
    omar: Door,
    olga: Door,
}

impl Cast {
    fn of(server: &Server) -> Self {
        let ready = server.ready();
        Self {
            alpha: Door::of(&ready, "alpha"),
            beta: Door::of(&ready, "beta"),
            mira: Door::of(&ready, "mira"),
            omar: Door::of(&ready, "omar"),
            olga: Door::of(&ready, "olga"),
        }
    }
}

impl Scene {
    fn new() -> Self {
        let folder = temporary_folder();
        let first = Server::start(&["--data-dir", &folder.text()]);
        let second = Server::start(&["--data-dir", &folder.text()]);
        publish(&first, PURCHASE);
        Self {
            _folder: folder,
            servers: [first, second],
            runtime: Runtime::new().expect("a runtime"),
        }
    }

    /// Plays with the cast at the first and at the second server.
    fn play<W: Future<Output = ()>>(self, script: impl FnOnce([Cast; 2]) -> W) {
        self.runtime
            .block_on(script([Cast::of(&self.servers[0]), Cast::of(&self.servers[1])]));
        for server in self.servers {
            assert!(server.terminate().success());
        }
    }
}

async fn do_it(door: &Door, tool: &str, arguments: Value) -> Value {
    let answer = door.insist(tool, &arguments).await;
    answer.unwrap_or_else(|refused| panic!("{tool}: {refused:?}"))
}

fn start(id: &str) -> Value {
    json!({"process": "purchase-order", "inputs": {"item": "x", "budget": 9}, "requestId": id})
}

fn claim(run: &Value, step: &str, id: &str) -> Value {
    json!({"runId": run["run"]["id"], "stepId": step, "requestId": id})
}

fn submit(held: &Value, route: &str, id: &str) -> Value {
    json!({"token": held["token"], "output": {"supplier": "s", "total": 8, "terms": "prepaid"},
        "evidence": [{"kind": "link", "ref": "z"}], "summary": "s", "next": route, "reason": "r", "requestId": id})
}

fn decide(view: &Value, decision: &str, id: &str) -> Value {
    let mut arguments = view["workItems"][0]["decide"]["arguments"].clone();
    arguments["decision"] = decision.into();
    arguments["requestId"] = id.into();
    if decision != "approved" {
        arguments["note"] = "n".into();
    }
    arguments
}

/// The one call that did it; all others were refused in one of these ways.
#[track_caller]
fn one_winner(answers: &[Answer], refusals: &[Failure]) -> Value {
    let winners: Vec<&Value> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
    assert_eq!(winners.len(), 1, "{answers:?}");
    for refused in answers.iter().filter_map(|answer| answer.as_ref().err()) {
        assert!(refusals.contains(refused), "{refused:?}");
    }
    winners[0].clone()
}

/// Calls at once, turn by turn through the doors; what nobody knows is asked again.
async fn at_once(tool: &str, calls: Vec<(&Door, Value)>) -> Vec<Answer> {
    join_all(
        calls
            .iter()
            .map(|(door, arguments)| async move { door.insist(tool, arguments).await }),
    )
    .await
}

#[test]
fn one_of_fifty_claims_gets_the_step() {
    Scene::new().play(|[one, two]| async move {
        let run = do_it(&one.alpha, "start_run", start("s")).await;
        let doors = [&one.alpha, &two.beta, &two.alpha, &one.beta];
        let calls = (0..50).map(|n| (doors[n % 4], claim(&run, "prepare", &format!("claim-{n}"))));
        let answers = at_once("claim", calls.collect()).await;
        let refusals = ["claimed_by_other", "claimed_by_you"].map(|issue| refusal("conflict", issue));
        let held = one_winner(&answers, &refusals);
        let winner = answers.iter().position(Result::is_ok).expect("one winner");
        for (n, answer) in answers.iter().enumerate().filter(|(n, _)| *n != winner) {
            let is_same_agent = (n % 4 == 0 || n % 4 == 2) == (winner % 4 == 0 || winner % 4 == 2);
            assert_eq!(
                *answer,
                Err(refusals[usize::from(is_same_agent)].clone()),
                "claim-{n}"
            );
        }
        // The token works at the server that did not give it.
        let other = [&two.alpha, &one.beta, &one.alpha, &two.beta][winner % 4];
        let waiting = do_it(other, "submit", submit(&held, "large", "w")).await;
        assert_eq!(waiting["run"]["state"], "waiting");
    });
}

#[test]
fn one_of_thirty_decisions_counts() {
    Scene::new().play(|[one, two]| async move {
        let run = do_it(&one.alpha, "start_run", start("s")).await;
        let held = do_it(&one.alpha, "claim", claim(&run, "prepare", "c")).await;
        let waiting = do_it(&one.alpha, "submit", submit(&held, "large", "w")).await;
        let doors = [&one.mira, &two.omar, &two.mira, &one.omar];
        let calls = (0..30).map(|n| {
            let decision = if n % 3 == 0 { "rejected" } else { "approved" };
            (doors[n % 4], decide(&waiting, decision, &format!("decide-{n}")))
        });
        let answers = at_once("decide", calls.collect()).await;
        let won = one_winner(&answers, &[refusal("conflict", "already_decided")]);
        let seen = do_it(&two.olga, "get_run", json!({"runId": run["run"]["id"]})).await;
        assert_eq!(seen["data"]["steps"]["large"], won["data"]["steps"]["large"]);
    });
}

#[test]
fn equal_requests_have_one_result() {
    Scene::new().play(|[one, two]| async move {
        let alphas = [&one.alpha, &two.alpha];
        let same = |arguments: Value| (0..20).map(move |n| (n, arguments.clone()));
        let starts = same(start("s"))
            .map(|(n, arguments)| (alphas[n % 2], arguments))
            .collect();
        let run = all_equal(at_once("start_run", starts).await);
        let claims = same(claim(&run, "prepare", "c")).map(|(n, arguments)| (alphas[n % 2], arguments));
        let held = all_equal(at_once("claim", claims.collect()).await);
        let submits = same(submit(&held, "large", "w")).map(|(n, arguments)| (alphas[n % 2], arguments));
        let waiting = all_equal(at_once("submit", submits.collect()).await);
        let miras = [&one.mira, &two.mira];
        let decisions =
            same(decide(&waiting, "approved", "d")).map(|(n, arguments)| (miras[n % 2], arguments));
        let active = all_equal(at_once("decide", decisions.collect()).await);
        assert_eq!(active["run"]["state"], "active");
        // The same id with something else in it, on both servers.
        let reused = refusal("conflict", "request_id_reused");
        for door in [&one.beta, &two.beta] {
            assert_eq!(door.insist("start_run", &start("s")).await, Err(reused.clone()));
        }
    });
}

fn all_equal(answers: Vec<Answer>) -> Value {
    let mut answers = answers
        .into_iter()
        .map(|answer| answer.expect("each gets the result"));
    let first = answers.next().expect("there are answers");
    assert!(answers.all(|answer| answer == first));
    first
}

/// The second server has seen the run as it was; the first changes it; what the second answers is of now.
#[test]
fn no_refusal_comes_from_an_old_state() {
    Scene::new().play(|[one, two]| async move {
        for round in 0..ROUNDS {
            let (one, two) = if round % 2 == 0 { (&one, &two) } else { (&two, &one) };
            let id = |what: &str| format!("{what}-{round}");
            let run = do_it(&one.alpha, "start_run", start(&id("s"))).await;
            let held = do_it(&one.alpha, "claim", claim(&run, "prepare", &id("c"))).await;
            let refused = two.beta.insist("claim", &claim(&run, "prepare", &id("early"))).await;
            assert_eq!(refused, Err(refusal("conflict", "claimed_by_other")));

            // It knows the step as held by alpha; it is not any more.
            let escalated = json!({"token": held["token"], "note": "n", "requestId": id("e")});
            let waiting = do_it(&one.alpha, "escalate", escalated).await;
            do_it(&one.olga, "decide", decide(&waiting, "returned", &id("r"))).await;
            let held = do_it(&two.beta, "claim", claim(&run, "prepare", &id("c2"))).await;

            // The first knows no item of the approval; the second has opened it.
            let waiting = do_it(&two.beta, "submit", submit(&held, "large", &id("w"))).await;
            let rework = do_it(&one.mira, "decide", decide(&waiting, "rejected", &id("no"))).await;
            // The second knows its claim as submitted and the step as done; it is ready again.
            let held = do_it(&two.alpha, "claim", claim(&rework, "prepare", &id("c3"))).await;
            let waiting = do_it(&one.alpha, "submit", submit(&held, "large", &id("w2"))).await;
            let active = do_it(&two.omar, "decide", decide(&waiting, "approved", &id("yes"))).await;
            let again = one.mira.insist("decide", &decide(&waiting, "approved", &id("late"))).await;
            assert_eq!(again, Err(refusal("conflict", "already_decided")));
            let held = do_it(&one.beta, "claim", claim(&active, "order", &id("c4"))).await;
            let order = json!({"token": held["token"], "output": {"number": "1"}, "summary": "s", "requestId": id("o")});
            let ended = do_it(&two.beta, "submit", order).await;
            assert_eq!(ended["run"]["outcome"], "ordered");
            let cancel = json!({"runId": run["run"]["id"], "reason": "r", "requestId": id("x")});
            let late = one.olga.insist("cancel", &cancel).await;
            assert_eq!(late, Err(refusal("conflict", "run_ended")));
        }
    });
}

/// Racing writes of one run through both servers: whoever is refused is refused for what is true at the end.
#[test]
fn a_race_of_different_writes_has_one_order() {
    Scene::new().play(|[one, two]| async move {
        for round in 0..ROUNDS {
            let id = |what: &str| format!("{what}-{round}");
            let run = do_it(&one.alpha, "start_run", start(&id("s"))).await;
            let held = do_it(&one.alpha, "claim", claim(&run, "prepare", &id("c"))).await;
            let cancel = json!({"runId": run["run"]["id"], "reason": "r", "requestId": id("x")});
            let submit = submit(&held, "refused", &id("w"));
            let (cancelled, submitted) = tokio::join!(
                one.olga.insist("cancel", &cancel),
                two.alpha.insist("submit", &submit)
            );
            let ended = refusal("conflict", "run_ended");
            let won = one_winner(&[cancelled, submitted], std::slice::from_ref(&ended));
            let seen = do_it(&two.mira, "get_run", json!({"runId": run["run"]["id"]})).await;
            assert_eq!(seen, won);
        }
    });
}
