//! Pages: bounded, and none repeats or skips what was there from its first page to its last.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client::{Api, Company};
use crate::support::text;

/// The ids of each page of a list, with something done between the pages.
fn pages(api: &Api<'_>, list: &str, key: &str, mut between: impl FnMut(usize)) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = api.get(&format!("{list}?limit=3{cursor}")).with(200);
        let items = page["items"].as_array().expect("a list");
        assert!(items.len() <= 3);
        pages.push(items.iter().map(|item| text(&item[key])).collect());
        let Some(next) = page["nextCursor"].as_str() else {
            return pages;
        };
        cursor = format!("&cursor={next}");
        between(pages.len());
    }
}

#[test]
fn pages_neither_repeat_nor_skip_while_the_list_changes() {
    let company = Company::new();
    let admin = company.admin();
    let before: BTreeSet<String> = pages(&admin, "/members", "email", |_| {})
        .concat()
        .into_iter()
        .collect();
    assert_eq!(before.len(), 9);
    let found = pages(&admin, "/members", "email", |page| {
        let new = json!({"email": format!("{page}@zzz.example"), "role": "member"});
        if page < 3 {
            admin.post("/members", &new).with(201);
        }
        if page == 1 {
            // The entry that the cursor stands on.
            let ines = admin.member("ines@example.com");
            admin.delete(&format!("/members/{ines}")).with(204);
        }
    });
    let found = found.concat();
    let set: BTreeSet<String> = found.iter().cloned().collect();
    assert_eq!(set.len(), found.len(), "repeated: {found:?}");
    let gone = BTreeSet::from(["ines@example.com".to_owned()]);
    assert!(
        before.difference(&gone).all(|email| set.contains(email)),
        "skipped: {found:?}"
    );

    for (list, count) in [("/groups", 6), ("/agents", 2)] {
        let ids = pages(&admin, list, "id", |_| {}).concat();
        let set: BTreeSet<&String> = ids.iter().collect();
        assert_eq!((ids.len(), set.len()), (count, count), "{list}");
        assert!(ids.is_sorted());
    }
}

#[test]
fn a_cursor_is_good_for_its_list_alone() {
    let (company, other) = (Company::new(), Company::new());
    let admin = company.admin();
    let page = admin.get("/members?limit=1").with(200);
    let cursor = text(&page["nextCursor"]);
    let group = admin.group("finance");
    for path in [
        format!("/groups?cursor={cursor}"),
        format!("/members?cursor={cursor}&group={group}"),
        format!("/members?cursor={cursor}x"),
        "/members?cursor=".to_owned(),
    ] {
        let reply = admin.get(&path);
        assert_eq!(reply.refusal(), (400, "invalid"), "{path}");
        assert_eq!(reply.issues(), ["cursor: not one of this list"]);
    }
    let foreign = other.admin().get(&format!("/members?cursor={cursor}"));
    assert_eq!(foreign.refusal(), (400, "invalid"));
}

#[test]
fn parameters_that_cannot_be_meant_are_all_told() {
    let company = Company::new();
    let admin = company.admin();
    let reply = admin.get("/members?limit=0&email=nobody&group=x&more=1&limit=2");
    assert_eq!(reply.refusal(), (400, "invalid"));
    assert_eq!(reply.issues().len(), 5, "{reply:?}");
    for limit in ["101", "-1", "1.5", "x", ""] {
        let reply = admin.get(&format!("/groups?limit={limit}"));
        assert_eq!(reply.refusal(), (400, "invalid"), "{limit}");
    }
}

#[test]
fn the_organization_is_counted() {
    let company = Company::new();
    let organization = company.admin().get("").with(200);
    assert_eq!(organization["name"], company.name());
    assert_eq!(organization["counts"]["drafts"], 0);
    let counts: &Value = &organization["counts"];
    assert_eq!(
        (
            &counts["members"],
            &counts["groups"],
            &counts["agents"],
            &counts["processes"]
        ),
        (&json!(9), &json!(6), &json!(2), &json!(1))
    );
}
