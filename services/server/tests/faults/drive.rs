//! What may be done next in a run, and how each caller drives its runs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::dice::Dice;

/// A run and what its caller knows of it.
#[derive(Debug, Clone)]
pub(crate) struct Live {
    /// What its name and its request ids begin with.
    pub(crate) name: String,
    /// The last view of it.
    pub(crate) view: Value,
    /// Who holds which step, with which token.
    held: BTreeMap<String, (&'static str, Value)>,
    /// The view is not the newest: something may have happened beside the caller.
    is_old: bool,
    calls: u32,
    rejections: u32,
}

/// A call that may be made.
#[derive(Debug, Clone)]
pub(crate) struct Next {
    pub(crate) who: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    /// What a refusal must be; none when the call must succeed.
    pub(crate) refusals: &'static [&'static str],
    step: String,
}

/// Rejections of one run: it ends at last.
const REJECTIONS_MAX: u32 = 2;
const AGENTS: [&str; 2] = ["alpha", "beta"];

impl Live {
    pub(crate) fn new(name: String) -> Self {
        Self {
            name,
            view: Value::Null,
            held: BTreeMap::new(),
            is_old: false,
            calls: 0,
            rejections: 0,
        }
    }

    pub(crate) fn id(&self) -> &str {
        self.view["run"]["id"].as_str().expect("it has been started")
    }

    pub(crate) fn is_over(&self) -> bool {
        ["ended", "cancelled"].contains(&word(&self.view["run"]["state"]))
    }

    /// The next call, drawn from all that make sense.
    pub(crate) fn next(&mut self, dice: &mut Dice) -> Next {
        if self.view.is_null() {
            return self.start(dice);
        }
        if self.is_old {
            return self.look();
        }
        if dice.one_in(400) {
            let arguments = json!({"runId": self.id(), "reason": "No longer wanted."});
            return self.write("olga", ("cancel", arguments), String::new());
        }
        let mut choices = self.of_steps(dice);
        let items = self.view["workItems"].as_array().cloned().unwrap_or_default();
        choices.extend(items.iter().map(|item| self.decide(item, dice)));
        if choices.is_empty() {
            return self.look();
        }
        let chosen = dice.below(choices.len());
        choices.swap_remove(chosen)
    }

    fn start(&mut self, dice: &mut Dice) -> Next {
        let process = dice.pick(&["errand", "relay", "relay"]);
        let arguments = json!({"process": process, "inputs": {"what": self.name}});
        let who = dice.pick(&["alpha", "beta", "mira"]);
        self.write(who, ("start_run", arguments), String::new())
    }

    fn look(&self) -> Next {
        Next {
            who: "alpha",
            tool: "get_run",
            arguments: json!({"runId": self.id()}),
            refusals: &[],
            step: String::new(),
        }
    }

    fn of_steps(&mut self, dice: &mut Dice) -> Vec<Next> {
        let steps = self.view["steps"].as_array().cloned().unwrap_or_default();
        let open = steps.iter().filter_map(|step| {
            let id = word(&step["id"]).to_owned();
            match (word(&step["kind"]), word(&step["state"])) {
                ("agent", "ready") => Some(self.claim(id, dice)),
                ("agent", "claimed") => Some(self.work(id, dice)),
                ("wait_for", "waiting") => {
                    let arguments = json!({"runId": self.id(), "name": id, "data": {"n": self.calls}});
                    Some(self.write(dice.pick(&["beta", "olga"]), ("send_event", arguments), id))
                }
                _ => None,
            }
        });
        open.collect()
    }

    fn claim(&mut self, step: String, dice: &mut Dice) -> Next {
        let arguments = json!({"runId": self.id(), "stepId": step});
        self.write(dice.pick(&AGENTS), ("claim", arguments), step)
    }

    /// What the holder of a step may do with it, and what others may not.
    fn work(&mut self, step: String, dice: &mut Dice) -> Next {
        let (who, token) = self.held[&step].clone();
        match dice.below(20) {
            0 => {
                let arguments = json!({"runId": self.id(), "stepId": step});
                let next = self.write(dice.pick(&AGENTS), ("claim", arguments), step);
                Next {
                    refusals: &["conflict"],
                    ..next
                }
            }
            1 => {
                let arguments = json!({"token": token, "output": {"result": 7}, "summary": "Wrong."});
                let next = self.write(who, ("submit", arguments), step);
                Next {
                    refusals: &["not_accepted"],
                    ..next
                }
            }
            2 | 3 => self.write(
                who,
                ("renew", json!({"token": token, "progress": "On it."})),
                step,
            ),
            4 => self.write(
                who,
                ("escalate", json!({"token": token, "note": "Too hard."})),
                step,
            ),
            _ => {
                let mut arguments =
                    json!({"token": token, "output": output(&step, &self.name), "summary": "Done."});
                route(&mut arguments, &step, dice);
                self.write(who, ("submit", arguments), step)
            }
        }
    }

    fn decide(&mut self, item: &Value, dice: &mut Dice) -> Next {
        let step = word(&item["stepId"]).to_owned();
        let mut arguments = item["decide"]["arguments"].clone();
        let is_escalated = !item["escalation"].is_null();
        let who = match step.as_str() {
            _ if is_escalated => "olga",
            "second" => "sam",
            _ => dice.pick(&["mira", "omar"]),
        };
        if is_escalated && dice.one_in(2) {
            arguments["decision"] = "returned".into();
            arguments["note"] = "Try again.".into();
        } else if item["kind"] != "approve" {
            arguments["decision"] = "completed".into();
            arguments["output"] = output(&step, &self.name);
            arguments["summary"] = "Done by hand.".into();
            route(&mut arguments, &step, dice);
        } else if self.rejections < REJECTIONS_MAX && dice.one_in(4) {
            arguments["decision"] = "rejected".into();
            arguments["note"] = "Once more.".into();
        } else {
            arguments["decision"] = "approved".into();
        }
        let next = self.write(who, ("decide", arguments), step);
        // A wait that ends beside the caller changes the run data.
        Next {
            refusals: if self.has_open_wait() { &["stale"] } else { &[] },
            ..next
        }
    }

    fn has_open_wait(&self) -> bool {
        let steps = self.view["steps"].as_array().into_iter().flatten();
        let mut waits = steps.filter(|step| step["kind"] == "wait" && step["state"] == "waiting");
        waits.next().is_some()
    }

    fn write(
        &mut self,
        who: &'static str,
        (tool, mut arguments): (&'static str, Value),
        step: String,
    ) -> Next {
        self.calls += 1;
        arguments["requestId"] = format!("{}-{}", self.name, self.calls).into();
        Next {
            who,
            tool,
            arguments,
            refusals: &[],
            step,
        }
    }

    /// Takes in what came of a call; no data when it was refused as foreseen.
    pub(crate) fn learn(&mut self, next: &Next, data: Option<Value>) {
        let Some(data) = data else {
            self.is_old = next.tool == "decide";
            return;
        };
        match next.tool {
            "claim" | "renew" => {
                self.held
                    .insert(next.step.clone(), (next.who, data["token"].clone()));
                let steps = self.view["steps"].as_array_mut().into_iter().flatten();
                for step in steps.filter(|step| step["id"] == *next.step) {
                    step["state"] = "claimed".into();
                }
            }
            "send_event" => self.is_old = true,
            _ => {
                self.rejections += u32::from(next.arguments["decision"] == "rejected");
                self.is_old = false;
                self.view = data;
            }
        }
    }
}

fn output(step: &str, text: &str) -> Value {
    let amount: Value = serde_json::from_str("12345678901234567890.10").expect("a number");
    match step {
        "second" => json!({"seen": text}),
        "do" => json!({"result": text}),
        _ => json!({"result": text, "amount": amount}),
    }
}

fn route(arguments: &mut Value, step: &str, dice: &mut Dice) {
    if step == "left" {
        arguments["next"] = dice.pick(&["second", "join"]).into();
        arguments["reason"] = "It looks so.".into();
    }
}

pub(crate) fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
