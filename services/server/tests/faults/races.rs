//! Each guarded write with exactly two racers, at one server and at two servers of one database: one wins, and the other gets the
//! refusal that is true then, or the same answer when it is the same request.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::call::{Caller, Outcome};
use crate::door::publish;
use crate::journal::rows;
use crate::site::{Site, advance, rounds};
use crate::support::Server;
use crate::tables::text;

/// How often each race is run in each way.
const RACES: usize = 3;
/// Where two racers are: both at one server, or one at each.
const PLACES: [[usize; 2]; 2] = [[0, 0], [0, 1]];
const TO_FINANCE: (&str, &[&str]) = ("errand", &["finance=finance"]);
const TO_LEGAL: (&str, &[&str]) = ("errand", &["finance=legal"]);

/// How far a run has come before the race.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Started,
    Claimed,
    Escalated,
    Submitted,
}

/// One call of a race.
#[derive(Debug, Clone)]
struct Racer {
    who: &'static str,
    tool: &'static str,
    arguments: Value,
}

/// A run before the race.
struct Stage {
    name: String,
    view: Value,
    token: Value,
}

/// What is raced for: how far the run has come, who wants what, and what the loser may be told.
type Race = (Point, fn(&Stage) -> [Racer; 2], &'static [&'static str]);

const TABLE: [(&str, Race); 14] = [
    (
        "claims of two agents",
        (
            Point::Started,
            |s| [s.claim("alpha", "a"), s.claim("beta", "b")],
            &["claimed_by_other"],
        ),
    ),
    (
        "claims of one agent",
        (
            Point::Started,
            |s| [s.claim("alpha", "a"), s.claim("alpha", "b")],
            &["claimed_by_you"],
        ),
    ),
    (
        "cancellations of a run that was just started",
        (Point::Started, |s| [s.cancel("a"), s.cancel("b")], &["run_ended"]),
    ),
    (
        "renewals",
        (Point::Claimed, |s| [s.renew("a"), s.renew("b")], &["stale"]),
    ),
    (
        "a renewal and a submission",
        (Point::Claimed, |s| [s.renew("a"), s.submit("b")], &["stale"]),
    ),
    (
        "a renewal and an escalation",
        (Point::Claimed, |s| [s.renew("a"), s.escalate("b")], &["stale"]),
    ),
    (
        "submissions",
        (Point::Claimed, |s| [s.submit("a"), s.submit("b")], &["stale"]),
    ),
    (
        "a submission and an escalation",
        (Point::Claimed, |s| [s.submit("a"), s.escalate("b")], &["stale"]),
    ),
    (
        "escalations",
        (Point::Claimed, |s| [s.escalate("a"), s.escalate("b")], &["stale"]),
    ),
    (
        "decisions of two people",
        (
            Point::Submitted,
            |s| {
                [
                    s.decide("mira", "rejected", "a"),
                    s.decide("omar", "rejected", "b"),
                ]
            },
            &["already_decided"],
        ),
    ),
    (
        "a yes and a no",
        (
            Point::Submitted,
            |s| {
                [
                    s.decide("mira", "approved", "a"),
                    s.decide("omar", "rejected", "b"),
                ]
            },
            &["already_decided", "run_ended"],
        ),
    ),
    (
        "decisions on an escalation",
        (
            Point::Escalated,
            |s| {
                [
                    s.decide("olga", "returned", "a"),
                    s.decide("admin", "returned", "b"),
                ]
            },
            &["already_decided"],
        ),
    ),
    (
        "an approval and a cancellation",
        (
            Point::Submitted,
            |s| [s.decide("mira", "approved", "a"), s.cancel("b")],
            &["run_ended"],
        ),
    ),
    (
        "cancellations",
        (
            Point::Submitted,
            |s| [s.cancel("a"), s.cancel("b")],
            &["run_ended"],
        ),
    ),
];

impl Stage {
    fn racer(&self, who: &'static str, (tool, mut arguments): (&'static str, Value), id: &str) -> Racer {
        arguments["requestId"] = format!("{}-{tool}-{id}", self.name).into();
        Racer { who, tool, arguments }
    }

    fn claim(&self, who: &'static str, id: &str) -> Racer {
        let arguments = json!({"runId": self.view["run"]["id"], "stepId": "do"});
        self.racer(who, ("claim", arguments), id)
    }

    fn renew(&self, id: &str) -> Racer {
        self.racer("alpha", ("renew", json!({"token": self.token})), id)
    }

    fn submit(&self, id: &str) -> Racer {
        let arguments = json!({"token": self.token, "output": {"result": id}, "summary": id});
        self.racer("alpha", ("submit", arguments), id)
    }

    fn escalate(&self, id: &str) -> Racer {
        self.racer(
            "alpha",
            ("escalate", json!({"token": self.token, "note": id})),
            id,
        )
    }

    fn decide(&self, who: &'static str, decision: &str, id: &str) -> Racer {
        let mut arguments = self.view["workItems"][0]["decide"]["arguments"].clone();
        arguments["decision"] = decision.into();
        if decision != "approved" {
            arguments["note"] = "n".into();
        }
        self.racer(who, ("decide", arguments), id)
    }

    fn cancel(&self, id: &str) -> Racer {
        let arguments = json!({"runId": self.view["run"]["id"], "reason": id});
        self.racer("olga", ("cancel", arguments), id)
    }
}

/// Two servers on one database.
struct Track {
    site: Site,
    servers: [Server; 2],
    readies: [Value; 2],
    caller: Caller,
}

impl Track {
    fn new() -> Self {
        let site = Site::new();
        let servers = [site.open(), site.start()];
        let readies = [servers[0].ready(), servers[1].ready()];
        let caller = Caller::new(&readies[0]);
        Self {
            site,
            servers,
            readies,
            caller,
        }
    }

    async fn call(&self, server: usize, racer: &Racer) -> Value {
        let mcp = text(&self.readies[server], "mcp");
        let answer = self
            .caller
            .insist(mcp, racer.who, (racer.tool, &racer.arguments))
            .await;
        answer.unwrap_or_else(|refused| panic!("{racer:?}: {refused:?}"))
    }

    async fn prepare(&self, point: Point, name: String) -> Stage {
        let mut stage = Stage {
            name,
            view: Value::Null,
            token: Value::Null,
        };
        let arguments = json!({"process": "errand", "inputs": {"what": stage.name}});
        stage.view = self
            .call(0, &stage.racer("alpha", ("start_run", arguments), "0"))
            .await;
        if point >= Point::Claimed {
            stage.token = self.call(0, &stage.claim("alpha", "0")).await["token"].clone();
        }
        match point {
            Point::Started | Point::Claimed => {}
            Point::Escalated => stage.view = self.call(1, &stage.escalate("0")).await,
            Point::Submitted => stage.view = self.call(1, &stage.submit("0")).await,
        }
        stage
    }

    /// Both at the same moment.
    async fn race(&self, places: [usize; 2], racers: [Racer; 2]) -> [Result<Value, Outcome>; 2] {
        let start = Arc::new(Barrier::new(2));
        let running = [0, 1].map(|n| {
            let (start, racer, caller) = (Arc::clone(&start), racers[n].clone(), self.caller.clone());
            let mcp = text(&self.readies[places[n]], "mcp").to_owned();
            tokio::spawn(async move {
                start.wait().await;
                caller
                    .insist(&mcp, racer.who, (racer.tool, &racer.arguments))
                    .await
            })
        });
        let [one, two] = running;
        let (one, two) = tokio::join!(one, two);
        [one.expect("no panic"), two.expect("no panic")]
    }

    fn leave(self) {
        for server in self.servers {
            assert!(server.terminate().success());
        }
    }

    fn times() -> usize {
        RACES * usize::try_from(rounds()).expect("few")
    }
}

/// The word of a refusal: its issue where the code alone says too little.
fn told(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Refused(code, issues) if code == "conflict" => &issues[0],
        Outcome::Refused(code, _) => code,
        other => panic!("no refusal: {other:?}"),
    }
}

#[test]
fn one_of_two_racers_wins_and_the_other_is_told_the_truth() {
    let track = Track::new();
    let mut firsts = 0;
    track.site.runtime.block_on(async {
        for (what, (point, racers, losers)) in TABLE {
            for n in 0..Track::times() {
                for places in PLACES {
                    let stage = track.prepare(point, format!("{what}-{n}-{places:?}")).await;
                    let answers = track.race(places, racers(&stage)).await;
                    let refused = match &answers {
                        [Ok(_), Err(refused)] | [Err(refused), Ok(_)] => told(refused),
                        both => panic!("{what}: {both:?}"),
                    };
                    assert!(losers.contains(&refused), "{what}: {answers:?}");
                    firsts += u32::from(answers[0].is_ok());
                }
            }
        }
    });
    assert!(firsts > 0, "nobody always comes second");
    track.leave();
}

#[test]
fn one_request_sent_twice_at_once_happens_once_and_has_one_answer() {
    let track = Track::new();
    track.site.runtime.block_on(async {
        for (what, (point, racers, _)) in TABLE {
            for n in 0..Track::times() {
                for places in PLACES {
                    let name = format!("same {what}-{n}-{places:?}");
                    let stage = track.prepare(point, name.clone()).await;
                    let [racer, _] = racers(&stage);
                    let [one, two] = track.race(places, [racer.clone(), racer]).await;
                    assert_eq!(
                        one.expect("it may be done"),
                        two.expect("it is the same"),
                        "{name}"
                    );
                    let arguments = json!({"process": "errand", "inputs": {"what": name}});
                    let start = stage.racer("alpha", ("start_run", arguments), "once");
                    let [one, two] = track.race(places, [start.clone(), start]).await;
                    assert_eq!(
                        one.expect("it may be started"),
                        two.expect("it is the same"),
                        "{name}"
                    );
                }
            }
        }
    });
    let doubled = rows(
        &track.readies[0],
        "select inputs from runs group by inputs having count(*) > 2",
    );
    assert!(doubled.is_empty(), "one prepared and one raced for: {doubled:?}");
    track.leave();
}

/// Two events of one name, one step that waits for it; and a wait whose end everybody finds at once: both servers' sweepers, and a
/// caller at each.
#[test]
fn one_of_two_events_ends_a_wait_and_one_of_many_finders_settles_what_is_due() {
    let track = Track::new();
    let ready = &track.readies[0];
    track.site.runtime.block_on(async {
        for n in 0..Track::times() {
            for places in PLACES {
                let mut stage = Stage {
                    name: format!("relay-{n}-{places:?}"),
                    view: Value::Null,
                    token: Value::Null,
                };
                let arguments = json!({"process": "relay", "inputs": {"what": stage.name}});
                stage.view = track
                    .call(0, &stage.racer("alpha", ("start_run", arguments), "0"))
                    .await;
                let run = stage.view["run"]["id"].clone();
                let claim = json!({"runId": run, "stepId": "prepare"});
                let held = track.call(0, &stage.racer("alpha", ("claim", claim), "0")).await;
                let submit =
                    json!({"token": held["token"], "output": {"result": "r", "amount": 1}, "summary": "s"});
                track
                    .call(1, &stage.racer("alpha", ("submit", submit), "0"))
                    .await;

                let send =
                    |who, id| stage.racer(who, ("send_event", json!({"runId": run, "name": "answer"})), id);
                let [one, two] = track.race(places, [send("beta", "a"), send("olga", "b")]).await;
                let mut consumed = [one, two].map(|sent| sent.expect("both are taken")["consumedBy"].clone());
                consumed.sort_by_key(Value::is_null);
                assert_eq!(consumed, [json!("answer"), Value::Null]);

                let look = Racer {
                    who: "mira",
                    tool: "get_run",
                    arguments: json!({"runId": run}),
                };
                let (looks, ()) =
                    tokio::join!(track.race(places, [look.clone(), look.clone()]), advance(ready));
                assert!(looks.iter().all(Result::is_ok));
                loop {
                    let [one, two] = track
                        .race(places, [look.clone(), look.clone()])
                        .await
                        .map(|view| view.expect("it is there"));
                    let has_elapsed = |view: &Value| {
                        let mut steps = view["steps"].as_array().into_iter().flatten();
                        steps.any(|step| step["id"] == "pause" && step["state"] == "done")
                    };
                    if has_elapsed(&one) && has_elapsed(&two) {
                        assert_eq!(one, two);
                        break;
                    }
                }
            }
        }
    });
    let settled = rows(
        ready,
        "select run, count(*) as times from run_events where kind = 'wait_elapsed' group by run",
    );
    assert_eq!(settled.len(), 2 * Track::times());
    assert!(settled.iter().all(|row| row["times"] == 1), "{settled:?}");
    track.leave();
}

/// Whoever decides while the item moves to others either was in time or may not any more.
#[test]
fn a_decision_races_a_reassignment() {
    let track = Track::new();
    for n in 0..Track::times() {
        let name = format!("moved-{n}");
        let stage = track.site.runtime.block_on(track.prepare(Point::Submitted, name));
        let decide = stage.decide("mira", "approved", "a");
        let decided = std::thread::scope(|scope| {
            let moving = scope.spawn(|| publish(&track.servers[0], TO_LEGAL));
            let mcp = text(&track.readies[1], "mcp");
            let decided = track.site.runtime.block_on(async {
                if n % 2 == 0 {
                    track
                        .call(
                            1,
                            &Racer {
                                who: "mira",
                                tool: "get_work",
                                arguments: json!({}),
                            },
                        )
                        .await;
                }
                track
                    .caller
                    .insist(mcp, decide.who, (decide.tool, &decide.arguments))
                    .await
            });
            moving.join().expect("it is published");
            let refused = decided.as_ref().err().map(told);
            assert!(refused.is_none_or(|word| word == "forbidden"), "{decided:?}");
            decided
        });
        let ended = decided.unwrap_or_else(|_| {
            let heir = stage.decide("lena", "approved", "b");
            track.site.runtime.block_on(track.call(0, &heir))
        });
        assert_eq!(ended["run"]["outcome"], "done");
        publish(&track.servers[1], TO_FINANCE);
    }
    track.leave();
}
