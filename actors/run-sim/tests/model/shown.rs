//! What the product shows, in the model's shape.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::Timestamp;
use run_core::event::Assigned;
use run_core::project::rows;
use run_core::state::{Handoff, Phase};
use run_core::view::{end, outcome, run_view, state_word};
use run_core::{Actor, Plan, RunState};
use run_sim::model::Shown;
use serde_json::{Map, Value, json};

pub(crate) fn shown(plan: &dyn Plan, state: &Arc<RunState>, now: Timestamp) -> Shown {
    let view = run_view(plan, state, now);
    let steps = view.steps.iter().map(|step| {
        let word = step.state.map(run_core::StepWord::as_str);
        json!({
            "id": step.id.as_str(), "state": word, "due": step.due.map(|due| due.to_string()), "overdue": step.overdue,
        })
    });
    let items = view.items.iter().map(|item| {
        let decisions: Vec<_> = item.decisions.iter().map(|decision| decision.as_str()).collect();
        json!({
            "number": item.id.number, "stepId": item.step.as_str(), "decisions": decisions.join(" "),
            "people": people(&item.assigned), "handoff": handoff(&item.handoff),
        })
    });
    let offers = rows(plan, state).offers_put;
    let free = offers.iter().filter(|offer| offer.available_at <= now);
    let offers = free.map(|offer| {
        let handoff = handoff(&state.steps[&offer.step].handoff_at(now));
        json!({"stepId": offer.step.as_str(), "readySince": offer.ready_since.to_string(), "handoff": handoff})
    });
    Shown {
        run: run(state),
        data: without_the_words_of_the_server(view.data.clone()),
        steps: steps.collect(),
        items: items.collect(),
        offers: offers.collect(),
    }
}

fn run(state: &RunState) -> Value {
    let ended = end(state).map(|end| {
        let is_own = end.by == Actor::Server && end.note.is_some();
        assert!(!is_own || end.note.as_deref().is_some_and(|note| !note.trim().is_empty()));
        let note = end.note.as_deref().filter(|_| !is_own);
        json!({"by": end.by.to_string(), "at": end.at.to_string(), "note": note})
    });
    json!({"state": state_word(state).as_str(), "outcome": outcome(state), "ended": ended})
}

/// A step that the server failed has a note in the server's words.
fn without_the_words_of_the_server(mut data: Value) -> Value {
    let steps = data["steps"].as_object_mut().into_iter().flatten();
    for record in steps.map(|(_, record)| record) {
        if record["decision"] == "failed" && record["by"] == "server" {
            let note = record.as_object_mut().and_then(|record| record.remove("note"));
            assert!(note.is_some_and(|note| note.as_str().is_some_and(|note| !note.trim().is_empty())));
        }
    }
    data
}

fn people(assigned: &Assigned) -> Vec<String> {
    let mut people: Vec<String> = match assigned {
        Assigned::Group { members, .. } => members.iter().map(ToString::to_string).collect(),
        Assigned::Person { person, .. } => vec![person.to_string()],
    };
    people.sort();
    people
}

fn handoff(handoff: &Handoff) -> Value {
    let mut fields = Map::new();
    if let Some(progress) = &handoff.progress {
        fields.insert("progress".into(), progress.as_str().into());
    }
    if let Some(returned) = &handoff.returned {
        let (by, at) = (returned.by.to_string(), returned.at.to_string());
        fields.insert(
            "returned".into(),
            json!({"note": returned.note, "by": by, "at": at}),
        );
    }
    if let Some(issues) = &handoff.issues {
        fields.insert("issues".into(), keys(issues).into());
    }
    Value::Object(fields)
}

/// What stands before the colon of each issue.
pub(crate) fn keys(issues: &[String]) -> Vec<String> {
    let mut keys: Vec<String> = issues
        .iter()
        .map(|issue| {
            issue
                .split_once(": ")
                .map_or(issue.as_str(), |(key, _)| key)
                .to_owned()
        })
        .collect();
    keys.sort();
    keys
}

/// A step is held by nobody, or by one claim whose number was given out.
pub(crate) fn check_holders(state: &RunState) {
    let mut numbers: Vec<u32> = state
        .steps
        .values()
        .filter_map(|step| match &step.phase {
            Phase::Claimed(claim) => Some(claim.number.0),
            _ => None,
        })
        .collect();
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), count, "a claim holds one step");
    assert!(numbers.iter().all(|number| *number < state.claims_made));
}

/// Fails with the places that differ, and with nothing else.
pub(crate) fn assert_same(product: &Shown, model: &Shown) {
    let mut places = Vec::new();
    for (name, product, model) in [
        ("run", &product.run, &model.run),
        ("data", &product.data, &model.data),
        ("steps", &product.steps, &model.steps),
        ("items", &product.items, &model.items),
        ("offers", &product.offers, &model.offers),
    ] {
        differences(name, (product, model), &mut places);
    }
    assert!(
        places.is_empty(),
        "product and model differ:\n{}",
        places.join("\n")
    );
}

fn differences(place: &str, (product, model): (&Value, &Value), found: &mut Vec<String>) {
    match (product, model) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                let pair = (&product[key.as_str()], &model[key.as_str()]);
                differences(&format!("{place}.{key}"), pair, found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for at in 0..one.len() {
                differences(&format!("{place}[{at}]"), (&one[at], &other[at]), found);
            }
        }
        _ if product == model => {}
        _ => found.push(format!("  {place}: the product has {product}, the model {model}")),
    }
}
