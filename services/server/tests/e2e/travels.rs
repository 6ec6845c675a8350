//! The clock of a development database, which every server on it follows at once.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::door::{Door, ERRAND, Failure, publish};
use crate::support::{Server, temporary_folder, text};

const LEASE_SECONDS: u64 = 600;
/// Travels one after the other: a server that only looks at times would be late for some of them.
const TRAVELS: usize = 5;

async fn advance(ready: &Value, seconds: u64) {
    let request = reqwest::Client::new()
        .post(format!("{}/dev/clock", text(&ready["url"])))
        .json(&json!({"advanceSeconds": seconds}));
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
}

fn stale(answer: Result<Value, Failure>) {
    let Err(Failure::Refused(code, _)) = answer else {
        panic!("the lease has ended: {answer:?}");
    };
    assert_eq!(code, "stale");
}

#[test]
fn every_server_follows_the_clock_at_once_and_after_a_restart() {
    let folder = temporary_folder();
    let arguments = ["--time-travel", "--data-dir", &folder.text()];
    let (first, second) = (Server::start(&arguments), Server::start(&arguments));
    publish(&first, ERRAND);
    let (one, two) = (first.ready(), second.ready());
    let runtime = Runtime::new().expect("a runtime");
    let start = json!({"process": "errand", "inputs": {"what": "x"}, "requestId": "start"});
    let (run, last) = runtime.block_on(async {
        let (alpha, beta) = (Door::of(&one, "alpha"), Door::of(&two, "beta"));
        let run = alpha.insist("start_run", &start).await.expect("it starts");
        let claim = |id: String| json!({"runId": run["run"]["id"], "stepId": "do", "requestId": id});
        let mut last = Value::Null;
        for n in 0..TRAVELS {
            let held = beta
                .insist("claim", &claim(format!("beta-{n}")))
                .await
                .expect("it is free");
            advance(&one, LEASE_SECONDS).await;
            // The server that was not told follows as well.
            let renew = json!({"token": held["token"], "requestId": format!("renew-{n}")});
            stale(beta.insist("renew", &renew).await);
            let held = beta
                .insist("claim", &claim(format!("again-{n}")))
                .await
                .expect("it is free");
            advance(&two, LEASE_SECONDS).await;
            last = alpha
                .insist("claim", &claim(format!("alpha-{n}")))
                .await
                .expect("it is free");
            let renew = json!({"token": held["token"], "requestId": format!("late-{n}")});
            stale(beta.insist("renew", &renew).await);
            advance(&one, LEASE_SECONDS).await;
        }
        (run, last)
    });
    assert!(first.terminate().success());
    assert!(second.terminate().success());

    let third = Server::start(&arguments);
    let ready = third.ready();
    runtime.block_on(async {
        let alpha = Door::of(&ready, "alpha");
        let renew = json!({"token": last["token"], "requestId": "after"});
        stale(alpha.insist("renew", &renew).await);
        let claim = json!({"runId": run["run"]["id"], "stepId": "do", "requestId": "last"});
        let held = alpha.insist("claim", &claim).await.expect("it is free");
        let travelled = Duration::from_secs(3 * LEASE_SECONDS * TRAVELS as u64);
        let (started, expires) = (text(&run["run"]["startedAt"]), text(&held["expiresAt"]));
        assert!(expires > started, "{started} {expires} {travelled:?}");
    });
    assert!(third.terminate().success());
}
