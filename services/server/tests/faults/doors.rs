//! What the doors say, against what the database holds.

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

use crate::call::Caller;
use crate::journal::rows;
use crate::load::Write;
use crate::tables::{Tables, number, text};
use crate::verifier::Known;

/// Calls at once.
const AT_ONCE: usize = 16;
const OPERATORS: [&str; 2] = ["operator", "admin"];

/// Every acknowledged write has its first answer again, every run shows what its rows say, and lists have the open work, all of it
/// and nothing else.
pub(crate) async fn check(ready: &Value, known: &Known, tables: &Tables) {
    let caller = Caller::new(ready);
    replay(&caller, ready, known.writes.values()).await;
    stream::iter(tables.of("runs"))
        .for_each_concurrent(AT_ONCE, |row| show(&caller, ready, (row, tables)))
        .await;
    work_of_agents(&caller, ready, tables).await;
    work_of_people(&caller, ready, tables).await;
}

/// The same calls once more have the same answers.
pub(crate) async fn replay(caller: &Caller, ready: &Value, writes: impl Iterator<Item = &Write>) {
    stream::iter(writes)
        .for_each_concurrent(AT_ONCE, |write| async move {
            let again = caller
                .insist(mcp(ready), write.who, (write.tool, &write.arguments))
                .await;
            assert_eq!(again.as_ref(), Ok(&write.answer), "{write:?}");
        })
        .await;
}

fn mcp(ready: &Value) -> &str {
    ready["mcp"].as_str().expect("an address")
}

async fn show(caller: &Caller, ready: &Value, (row, tables): (&Value, &Tables)) {
    let run = text(row, "run");
    let view = caller
        .insist(mcp(ready), "alpha", ("get_run", &json!({"runId": run})))
        .await;
    let view = view.expect("it is there");
    assert_eq!(view["run"]["state"], row["state"], "{run}");
    assert_eq!(view["run"]["outcome"], row["outcome"], "{run}");
    let items = tables
        .of("work_items")
        .iter()
        .filter(|item| text(item, "run") == run);
    let items: BTreeSet<String> = items.map(|item| item_id(run, item)).collect();
    let shown = view["workItems"].as_array().into_iter().flatten();
    let shown: BTreeSet<String> = shown.map(|item| text(item, "id").to_owned()).collect();
    assert_eq!(shown, items, "{run}");
    let offers = tables
        .of("offers")
        .iter()
        .filter(|offer| text(offer, "run") == run);
    let offers: BTreeSet<&str> = offers.map(|offer| text(offer, "step")).collect();
    let steps = view["steps"].as_array().into_iter().flatten();
    let open = steps.filter(|step| ["ready", "claimed"].contains(&text(step, "state")));
    assert_eq!(
        open.map(|step| text(step, "id")).collect::<BTreeSet<_>>(),
        offers,
        "{run}"
    );
}

fn item_id(run: &str, item: &Value) -> String {
    format!("{}_{}", run.replacen("r_", "w_", 1), number(item, "number"))
}

async fn work_of_agents(caller: &Caller, ready: &Value, tables: &Tables) {
    let free = tables
        .of("offers")
        .iter()
        .filter(|offer| offer["holder"].is_null());
    let free: BTreeSet<_> = free
        .map(|offer| (text(offer, "run").to_owned(), text(offer, "step").to_owned()))
        .collect();
    for agent in ["alpha", "beta"] {
        let items = work(caller, ready, agent).await;
        let ages = items.iter().map(|item| text(item, "readySince"));
        assert!(ages.is_sorted(), "oldest first");
        let shown = items
            .iter()
            .map(|item| (text(item, "runId").to_owned(), text(item, "stepId").to_owned()));
        assert_eq!(shown.clone().count(), free.len(), "{agent}: none twice");
        assert_eq!(shown.collect::<BTreeSet<_>>(), free, "{agent}");
    }
}

async fn work_of_people(caller: &Caller, ready: &Value, tables: &Tables) {
    let people = rows(
        ready,
        "select p.person, p.email, p.role from people p join organizations using (organization) where name = 'demo'",
    );
    let mut open: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for item in tables.of("work_items") {
        let is_escalated = item["escalated"] == true;
        let members = item["members"].as_array().into_iter().flatten();
        let is_for = |person: &&Value| {
            if is_escalated {
                OPERATORS.contains(&text(person, "role"))
            } else {
                members.clone().any(|member| *member == person["person"])
            }
        };
        for person in people.iter().filter(is_for) {
            open.entry(text(person, "email"))
                .or_default()
                .insert(item_id(text(item, "run"), item));
        }
    }
    for person in &people {
        let email = text(person, "email");
        let items = work(caller, ready, email.trim_end_matches("@example.com")).await;
        let shown: BTreeSet<String> = items
            .iter()
            .map(|item| text(&item["workItem"], "id").to_owned())
            .collect();
        assert_eq!(shown.len(), items.len(), "{email}: none twice");
        assert_eq!(shown, open.remove(email).unwrap_or_default(), "{email}");
    }
}

/// All pages.
async fn work(caller: &Caller, ready: &Value, who: &str) -> Vec<Value> {
    let (mut found, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut arguments = json!({"limit": 100});
        if !cursor.is_null() {
            arguments["cursor"] = cursor;
        }
        let page = caller.insist(mcp(ready), who, ("get_work", &arguments)).await;
        let mut page = page.expect("everybody may ask");
        found.extend(page["items"].as_array().into_iter().flatten().cloned());
        cursor = page["nextCursor"].take();
        if cursor.is_null() {
            return found;
        }
    }
}
