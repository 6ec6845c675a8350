//! Many callers, each with one run of `errand` that it takes from its start to its end, and what must be true of all of
//! them at the end, whatever happened to servers and connections in between.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::door::{Door, Failure};
use crate::journal;

/// The writes of one errand, in order.
const TOOLS: [&str; 4] = ["start_run", "claim", "submit", "decide"];
/// What they leave in a journal.
const EVENTS: &str = "run_started step_claimed step_completed step_approved";

/// Agent and person at one server.
#[derive(Debug, Clone)]
pub(crate) struct Doors {
    agent: Door,
    person: Door,
}

impl Doors {
    pub(crate) fn of(ready: &Value) -> Self {
        Self {
            agent: Door::of(ready, "alpha"),
            person: Door::of(ready, "mira"),
        }
    }

    fn of_tool(&self, tool: &str) -> &Door {
        if tool == "decide" {
            &self.person
        } else {
            &self.agent
        }
    }
}

/// One caller's errand and the answers so far.
#[derive(Debug)]
pub(crate) struct Errand {
    name: String,
    answers: Vec<Value>,
}

impl Errand {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            answers: Vec::new(),
        }
    }

    /// The next write, the same one until it has an answer; none after the last.
    pub(crate) fn next(&self) -> Option<(&'static str, Value)> {
        let step = self.answers.len();
        TOOLS.get(step).map(|&tool| (tool, self.arguments(step)))
    }

    /// Sends the next write; whether it was acknowledged.
    pub(crate) async fn go_on(&mut self, doors: &Doors) -> Result<(), Failure> {
        let (tool, arguments) = self.next().expect("the caller asks only while there is one");
        let answer = doors.of_tool(tool).call(tool, &arguments).await?;
        self.answers.push(answer);
        Ok(())
    }

    /// Takes the errand to its end, sending what nobody knows the fate of again.
    pub(crate) async fn finish(&mut self, doors: &Doors) {
        while let Some((tool, arguments)) = self.next() {
            let answer = doors.of_tool(tool).insist(tool, &arguments).await;
            let answer = answer.unwrap_or_else(|refused| panic!("{}: {tool}: {refused:?}", self.name));
            self.answers.push(answer);
        }
        let run = &self.answers[3]["run"];
        assert_eq!(run["state"], "ended", "{}: {run}", self.name);
        assert_eq!(run["outcome"], "done");
    }

    /// Everything sent once more has the answers that it had.
    pub(crate) async fn replay(&self, doors: &Doors) {
        for (step, expected) in self.answers.iter().enumerate() {
            let answer = doors
                .of_tool(TOOLS[step])
                .insist(TOOLS[step], &self.arguments(step))
                .await;
            assert_eq!(answer.as_ref(), Ok(expected), "{}: {}", self.name, TOOLS[step]);
        }
    }

    fn run(&self) -> &str {
        self.answers[0]["run"]["id"].as_str().expect("a run")
    }

    fn arguments(&self, step: usize) -> Value {
        let id = format!("{}-{}", self.name, TOOLS[step]);
        match TOOLS[step] {
            "start_run" => json!({"process": "errand", "inputs": {"what": self.name}, "requestId": id}),
            "claim" => json!({"runId": self.run(), "stepId": "do", "requestId": id}),
            "submit" => {
                let output = json!({"result": self.name});
                json!({"token": self.answers[1]["token"], "output": output, "summary": self.name, "requestId": id})
            }
            _ => {
                let mut arguments = self.answers[2]["workItems"][0]["decide"]["arguments"].clone();
                arguments["decision"] = "approved".into();
                arguments["requestId"] = id.into();
                arguments
            }
        }
    }
}

/// The journal has each write once: every run that there is belongs to one errand, has the four events in order, and four
/// requests stand for it.
pub(crate) fn assert_written_once(ready: &Value, errands: &[Errand]) {
    let found = journal::rows(
        ready,
        "select run, string_agg(kind, ' ' order by seq) as kinds, min(seq) as first, max(seq) as last
         from run_events group by run",
    );
    let of_runs: BTreeMap<&str, &Value> = found
        .iter()
        .map(|row| (row["run"].as_str().expect("a run"), row))
        .collect();
    assert_eq!(of_runs.len(), errands.len(), "no run was started twice");
    for errand in errands {
        let row = of_runs[errand.run()];
        let expected = json!({"run": errand.run(), "kinds": EVENTS, "first": 1, "last": 4});
        assert_eq!(*row, expected, "{}", errand.name);
    }
    let requests = journal::rows(
        ready,
        "select run, string_agg(tool, ' ' order by last_seq) as tools from requests group by run",
    );
    assert_eq!(requests.len(), errands.len());
    assert!(
        requests.iter().all(|row| row["tools"] == TOOLS.join(" ")),
        "{requests:?}"
    );
}
