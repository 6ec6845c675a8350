//! Writes over MCP: callers who each take one errand after the other from its start to its end.

use std::error::Error;
use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

/// The writes of an errand, in order.
const TOOLS: [&str; 4] = ["start_run", "claim", "submit", "decide"];

/// How long each acknowledged write took, by tool.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    latencies: [Vec<Duration>; 4],
    time: Duration,
}

impl Writes {
    /// All four kinds.
    pub(crate) fn per_second(&self) -> f64 {
        rate(self.latencies.iter().map(Vec::len).sum(), self.time)
    }
}

impl Display for Writes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let without_starts = self.latencies[1..].iter().map(Vec::len).sum();
        writeln!(
            f,
            "MCP: {:.0} writes a second, of which claim, submit and decide {:.0}",
            self.per_second(),
            rate(without_starts, self.time)
        )?;
        for (tool, latencies) in TOOLS.iter().zip(&self.latencies) {
            let mut sorted = latencies.clone();
            sorted.sort_unstable();
            let at = |percent: usize| {
                sorted
                    .get(sorted.len() * percent / 100)
                    .copied()
                    .unwrap_or_default()
            };
            writeln!(
                f,
                "  {tool:<9} {:>6} p50 {:>9.1?} p99 {:>9.1?}",
                sorted.len(),
                at(50),
                at(99)
            )?;
        }
        Ok(())
    }
}

fn rate(count: usize, time: Duration) -> f64 {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    f64::from(count) / time.as_secs_f64()
}

/// Lets the callers write for a time.
pub(crate) async fn measure(ready: &Value, callers: usize, time: Duration) -> Result<Writes, Box<dyn Error>> {
    let doors = Doors {
        http: reqwest::Client::new(),
        url: text(&ready["mcp"])?,
        agent: text(&ready["tokens"]["agents"]["alpha"])?,
        person: text(&ready["tokens"]["people"]["mira@example.com"])?,
    };
    doors.publish(ready).await?;
    let (begun, process) = (Instant::now(), std::process::id());
    let mut working = JoinSet::new();
    for n in 0..callers {
        let name = format!("{process}-{n}-{}", text(&ready["url"])?);
        working.spawn(work(doors.clone(), name, begun + time));
    }
    let mut writes = Writes::default();
    while let Some(done) = working.join_next().await {
        let latencies = done?.map_err(|reason| -> Box<dyn Error> { reason.into() })?;
        for (all, of_one) in writes.latencies.iter_mut().zip(latencies) {
            all.extend(of_one);
        }
    }
    writes.time = begun.elapsed();
    Ok(writes)
}

/// Who calls where.
#[derive(Debug, Clone)]
struct Doors {
    http: reqwest::Client,
    url: String,
    agent: String,
    person: String,
}

async fn work(doors: Doors, name: String, end: Instant) -> Result<[Vec<Duration>; 4], String> {
    let mut latencies = <[Vec<Duration>; 4]>::default();
    for n in 0.. {
        let mut answers = Vec::with_capacity(TOOLS.len());
        for (step, tool) in TOOLS.iter().enumerate() {
            if Instant::now() >= end {
                return Ok(latencies);
            }
            let arguments = arguments(&answers, &format!("{name}-{n}-{tool}"));
            let sent = Instant::now();
            answers.push(doors.call(tool, &arguments).await?);
            latencies[step].push(sent.elapsed());
        }
    }
    Ok(latencies)
}

/// Of the next write, given the answers of those before it.
fn arguments(answers: &[Value], id: &str) -> Value {
    match answers {
        [] => json!({"process": "errand", "inputs": {"what": "x"}, "requestId": id}),
        [run] => json!({"runId": run["run"]["id"], "stepId": "do", "requestId": id}),
        [_, held] => {
            json!({"token": held["token"], "output": {"result": "y"}, "summary": "Done.", "requestId": id})
        }
        [.., waiting] => {
            let mut arguments = waiting["workItems"][0]["decide"]["arguments"].clone();
            arguments["decision"] = "approved".into();
            arguments["requestId"] = id.into();
            arguments
        }
    }
}

impl Doors {
    async fn call(&self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let token = if tool == "decide" {
            &self.person
        } else {
            &self.agent
        };
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        let request = self
            .http
            .post(&self.url)
            .bearer_auth(token)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .json(&body);
        let answer = async { request.send().await?.json::<Value>().await };
        let mut answer = answer.await.map_err(|error| error.to_string())?;
        let envelope = &mut answer["result"]["structuredContent"];
        if envelope["ok"] == true {
            Ok(envelope["data"].take())
        } else {
            Err(format!("{tool}: {answer}"))
        }
    }

    async fn publish(&self, ready: &Value) -> Result<(), Box<dyn Error>> {
        let body = json!({"source": crate::ERRAND, "roles": {"finance": "finance"}});
        let request = self
            .http
            .post(format!("{}/processes/publish", text(&ready["api"])?))
            .bearer_auth(text(&ready["tokens"]["people"]["admin@example.com"])?)
            .json(&body);
        request.send().await?.error_for_status()?;
        Ok(())
    }
}

fn text(value: &Value) -> Result<String, Box<dyn Error>> {
    let text = value.as_str().ok_or("the ready file lacks something")?;
    Ok(text.to_owned())
}
