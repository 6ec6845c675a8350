//! Drafts.

use serde_json::json;

use crate::client::{Company, PETTY_CASH};
use crate::support::text;

#[test]
fn a_draft_is_kept_with_its_problems_until_it_can_be_published() {
    let company = Company::new();
    let admin = company.admin();
    let broken = PETTY_CASH
        .replace("finish: approved", "finish: 1")
        .replace("approve: Pay", "approved: Pay");
    let reply = admin.post("/drafts", &json!({"source": broken}));
    assert!(reply.location.is_some());
    let draft = reply.with(201);
    assert_eq!(
        (&draft["publishable"], &draft["source"]),
        (&json!(false), &json!(broken))
    );
    let count = draft["problems"].as_array().map_or(0, Vec::len);
    assert!(count >= 2, "{draft}");
    let fix = draft["problems"][0]["fix"].as_str().unwrap_or_default();
    assert!(!fix.is_empty(), "{draft}");
    let path = format!("/drafts/{}", text(&draft["id"]));
    let refused = admin.post(
        &format!("{path}/publish"),
        &json!({"roles": {"finance": "finance"}}),
    );
    assert_eq!(refused.refusal(), (422, "not_accepted"));
    assert_eq!(refused.body["problems"], draft["problems"]);

    let mended = admin.put(&path, Some(&json!({"source": PETTY_CASH}))).with(200);
    assert_eq!(
        (&mended["publishable"], &mended["problems"]),
        (&json!(true), &json!([]))
    );
    assert_eq!(
        (&mended["name"], &mended["requires"]),
        (&json!("petty-cash"), &json!({"systems": ["ledger"]}))
    );
    assert_eq!(mended["roles"], json!([{"role": "finance", "group": null}]));
    assert_eq!(mended["createdBy"]["email"], "admin@example.com");
    let listed = admin.get("/drafts").with(200);
    assert_eq!(listed["items"][0]["contentHash"], mended["contentHash"]);

    let missing = admin.call("post", &format!("{path}/publish"), None);
    assert_eq!(missing.refusal(), (422, "not_accepted"));
    let published = admin.post(
        &format!("{path}/publish"),
        &json!({"roles": {"finance": "finance"}}),
    );
    assert_eq!(published.with(201)["version"], 1);
    let again = admin.call("post", &format!("{path}/publish"), None);
    assert_eq!(again.with(200)["unchanged"], true);
    let roles = &admin.get(&path).with(200)["roles"];
    assert_eq!(roles, &json!([{"role": "finance", "group": "finance"}]));
    admin.delete(&path).with(204);
    assert_eq!(admin.delete(&path).refusal(), (404, "not_found"));
    assert_eq!(admin.get("/drafts").with(200)["items"], json!([]));
}

#[test]
fn a_draft_whose_author_was_removed_still_says_who_it_was() {
    let company = Company::new();
    let admin = company.admin();
    let olga = format!("/members/{}", admin.member("olga@example.com"));
    admin.patch(&olga, &json!({"role": "admin"})).with(200);
    let draft = company
        .person("olga@example.com")
        .post("/drafts", &json!({"source": ""}))
        .with(201);
    admin.delete(&olga).with(204);
    let path = format!("/drafts/{}", text(&draft["id"]));
    assert_eq!(
        admin.get(&path).with(200)["createdBy"]["email"],
        "olga@example.com"
    );
}

#[test]
fn a_draft_has_at_most_a_mebibyte_and_there_are_at_most_100() {
    let company = Company::new();
    let admin = company.admin();
    let source = "é".repeat(512 * 1024);
    admin.post("/drafts", &json!({"source": source})).with(201);
    let larger = admin.post("/drafts", &json!({"source": format!("{source}x")}));
    assert_eq!(larger.refusal(), (400, "invalid"));
    assert_eq!(
        larger.issues(),
        ["source: 1048577 bytes, expected at most 1048576"]
    );
    for _ in 1..100 {
        admin.post("/drafts", &json!({"source": "x"})).with(201);
    }
    let full = admin.post("/drafts", &json!({"source": "x"}));
    assert_eq!(full.refusal(), (409, "conflict"));
}
