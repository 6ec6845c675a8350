//! Groups.

use serde_json::json;

use crate::client::Company;
use crate::support::text;

#[test]
fn a_group_is_created_renamed_and_deleted() {
    let company = Company::new();
    let admin = company.admin();
    let reply = admin.post("/groups", &json!({"name": "audit"}));
    assert!(reply.location.is_some());
    let created = reply.with(201);
    assert_eq!(
        (&created["name"], &created["members"]),
        (&json!("audit"), &json!(0))
    );
    let path = format!("/groups/{}", text(&created["id"]));
    let mira = admin.member("mira@example.com");
    let entry = format!("{path}/members/{mira}");
    for _ in 0..2 {
        admin.put(&entry, None).with(204);
        assert_eq!(admin.get(&path).with(200)["members"], 1);
    }
    let groups = &admin.get(&format!("/members/{mira}")).with(200)["groups"];
    assert_eq!(groups, &json!(["audit", "finance"]));
    for _ in 0..2 {
        admin.delete(&entry).with(204);
        assert_eq!(admin.get(&path).with(200)["members"], 0);
    }
    admin.put(&entry, None).with(204);
    let renamed = admin.patch(&path, &json!({"name": "revision"})).with(200);
    assert_eq!(
        (&renamed["name"], &renamed["members"]),
        (&json!("revision"), &json!(1))
    );
    let taken = admin.patch(&path, &json!({"name": "legal"}));
    assert_eq!(taken.refusal(), (409, "conflict"));
    admin.delete(&path).with(204);
    assert_eq!(admin.get(&path).refusal(), (404, "not_found"));
    assert_eq!(admin.delete(&path).refusal(), (404, "not_found"));
    let groups = &admin.get(&format!("/members/{mira}")).with(200)["groups"];
    assert_eq!(groups, &json!(["finance"]));
}

#[test]
fn a_group_that_a_role_is_mapped_to_is_not_deleted() {
    let company = Company::new();
    let admin = company.admin();
    let reply = admin.delete(&format!("/groups/{}", admin.group("finance")));
    assert_eq!(reply.refusal(), (409, "conflict"));
    assert_eq!(
        reply.issues(),
        ["the role finance of the process expense-report is mapped to it"]
    );
    admin
        .delete(&format!("/groups/{}", admin.group("legal")))
        .with(204);
}

#[test]
fn the_operators_group_follows_from_the_roles_of_members() {
    let company = Company::new();
    let admin = company.admin();
    let id = text(&admin.get("").with(200)["operatorsGroup"]);
    let path = format!("/groups/{id}");
    let group = admin.get(&path).with(200);
    assert_eq!(
        (&group["name"], &group["members"]),
        (&json!("operators"), &json!(2))
    );
    let mira = admin.member("mira@example.com");
    for reply in [
        admin.delete(&path),
        admin.patch(&path, &json!({"name": "others"})),
        admin.put(&format!("{path}/members/{mira}"), None),
        admin.delete(&format!("{path}/members/{mira}")),
        admin.post("/groups", &json!({"name": "operators"})),
    ] {
        assert_eq!(reply.refusal(), (409, "conflict"), "{reply:?}");
    }
    admin
        .patch(&format!("/members/{mira}"), &json!({"role": "operator"}))
        .with(200);
    assert_eq!(admin.get(&path).with(200)["members"], 3);
}
