//! Members.

use serde_json::json;

use crate::client::Company;
use crate::support::text;

#[test]
fn a_member_is_added_found_and_changed() {
    let company = Company::new();
    let admin = company.admin();
    let new = json!({"email": "Nora@Example.com", "role": "member", "groups": ["legal", "finance"]});
    let reply = admin.post("/members", &new);
    let place = reply.location.clone().expect("where it is");
    let added = reply.with(201);
    assert_eq!(added["groups"], json!(["finance", "legal"]));
    assert_eq!(
        place,
        format!("/api/o/{}/members/{}", company.name(), text(&added["id"]))
    );
    let path = format!("/members/{}", text(&added["id"]));
    assert_eq!(admin.get(&path).with(200), added);
    assert_eq!(admin.member("nora@EXAMPLE.com"), text(&added["id"]));

    let changed = admin
        .patch(&path, &json!({"role": "operator", "groups": ["hr"]}))
        .with(200);
    assert_eq!(
        (&changed["role"], &changed["groups"]),
        (&json!("operator"), &json!(["hr"]))
    );
    let same = admin.patch(&path, &json!({})).with(200);
    assert_eq!(same, changed);
    let operators = admin.get("").with(200)["operatorsGroup"].clone();
    let operators = format!("/members?group={}", text(&operators));
    let emails = admin.get(&operators).with(200)["items"].clone();
    let emails: Vec<_> = emails
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| text(&one["email"]))
        .collect();
    assert_eq!(
        emails,
        ["admin@example.com", "Nora@Example.com", "olga@example.com"]
    );
}

#[test]
fn an_address_is_unique_without_case() {
    let company = Company::new();
    let admin = company.admin();
    let taken = admin.post(
        "/members",
        &json!({"email": "MIRA@example.com", "role": "member"}),
    );
    assert_eq!(taken.refusal(), (409, "conflict"));
}

#[test]
fn groups_that_do_not_exist_are_all_told() {
    let company = Company::new();
    let admin = company.admin();
    let new = json!({"email": "nora@example.com", "role": "member", "groups": ["finance", "a", "b"]});
    let reply = admin.post("/members", &new);
    assert_eq!(reply.refusal(), (422, "not_accepted"));
    assert_eq!(
        reply.issues(),
        [
            "groups: there is no group a in this organization",
            "groups: there is no group b in this organization",
        ]
    );
    let none = admin.get("/members?email=nora@example.com").with(200);
    assert_eq!(none["items"], json!([]));
}

#[test]
fn a_removed_member_leaves_its_groups_and_its_tokens_die_at_once() {
    let company = Company::new();
    let admin = company.admin();
    let (mira, finance) = (admin.member("mira@example.com"), admin.group("finance"));
    assert!(company.person("mira@example.com").opens_mcp());
    let path = format!("/members/{mira}");
    admin.delete(&path).with(204);
    assert!(!company.person("mira@example.com").opens_mcp());
    assert_eq!(admin.get(&path).refusal(), (404, "not_found"));
    assert_eq!(admin.delete(&path).refusal(), (404, "not_found"));
    let changed = admin.patch(&path, &json!({"role": "admin"}));
    assert_eq!(changed.refusal(), (404, "not_found"));
    let put = admin.put(&format!("/groups/{finance}/members/{mira}"), None);
    assert_eq!(put.refusal(), (404, "not_found"));
    assert_eq!(admin.get(&format!("/groups/{finance}")).with(200)["members"], 1);

    // The address is free, for somebody with another id.
    let again = json!({"email": "mira@example.com", "role": "member"});
    let again = admin.post("/members", &again).with(201);
    assert_ne!(text(&again["id"]), mira);
    assert!(!company.person("mira@example.com").opens_mcp());
}

#[test]
fn the_last_admin_is_neither_removed_nor_demoted() {
    let company = Company::new();
    let admin = company.admin();
    let path = format!("/members/{}", admin.member("admin@example.com"));
    for _ in 0..2 {
        assert_eq!(admin.delete(&path).refusal(), (409, "conflict"));
        let demoted = admin.patch(&path, &json!({"role": "operator"}));
        assert_eq!(demoted.refusal(), (409, "conflict"));
    }
    let olga = format!("/members/{}", admin.member("olga@example.com"));
    admin.patch(&olga, &json!({"role": "admin"})).with(200);
    admin.patch(&path, &json!({"role": "member"})).with(200);
    assert_eq!(admin.get("").refusal(), (403, "forbidden"));
    let olga = company.person("olga@example.com");
    assert_eq!(olga.delete(&path).status, 204);
}
