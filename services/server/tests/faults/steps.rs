//! Which steps are open, followed from the stored events alone and by nothing of the server: a step is completed once each
//! time that it was reached.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::tables::{number, text};

/// Kinds of events after which their step is open no longer.
const CLOSING: [&str; 7] = [
    "step_completed",
    "step_approved",
    "step_rejected",
    "step_failed",
    "wait_elapsed",
    "wait_timed_out",
    "event_delivered",
];

/// The open steps of a run.
pub(crate) struct Steps {
    open: BTreeSet<String>,
    is_over: bool,
}

impl Steps {
    /// Follows a journal and notes every event that could not happen.
    pub(crate) fn follow(run: &str, events: &[&Value], found: &mut Vec<String>) {
        let mut steps = Self {
            open: BTreeSet::new(),
            is_over: false,
        };
        for event in events {
            if let Err(problem) = steps.take(event) {
                found.push(format!("{run}: event {}: {problem}", number(event, "seq")));
            }
        }
    }

    fn take(&mut self, event: &Value) -> Result<(), String> {
        let kind = text(event, "kind");
        let body: Value = serde_json::from_str(text(event, "body")).map_err(|error| error.to_string())?;
        if self.is_over {
            return Err(format!("{kind} after the end"));
        }
        if let Some(step) = body["step"].as_str() {
            let was_open = if CLOSING.contains(&kind) {
                self.open.remove(step)
            } else {
                self.open.contains(step)
            };
            if !was_open {
                return Err(format!("{kind} of {step}, which is not open"));
            }
        }
        self.is_over = kind == "run_cancelled";
        let moves = body["then"]["moves"].as_array().into_iter().flatten();
        moves.clone().try_for_each(|moved| self.apply(moved))
    }

    fn apply(&mut self, moved: &Value) -> Result<(), String> {
        let (what, moved) = moved
            .as_object()
            .and_then(|moved| moved.iter().next())
            .ok_or("a move without a name")?;
        let step = moved["step"].as_str().unwrap_or_default();
        match what.as_str() {
            "reached" => {
                if !self.open.insert(step.to_owned()) {
                    return Err(format!("{step} is reached while it is open"));
                }
            }
            "ended" => self.is_over = true,
            _ => {
                self.open.remove(step);
            }
        }
        Ok(())
    }
}
