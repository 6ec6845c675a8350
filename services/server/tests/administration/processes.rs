//! Processes, versions and roles.

use serde_json::json;

use crate::client::{Company, PETTY_CASH};

#[test]
fn a_process_and_its_versions_are_shown() {
    let company = Company::new();
    let admin = company.admin();
    let second = format!("{PETTY_CASH}And then burnt.\n");
    for source in [PETTY_CASH, &second] {
        let publication = json!({"source": source, "roles": {"finance": "finance"}});
        admin.post("/processes/publish", &publication).with(201);
    }
    let process = admin.get("/processes/petty-cash").with(200);
    assert_eq!(
        (&process["version"], &process["requires"]),
        (&json!(2), &json!({"systems": ["ledger"]}))
    );
    assert_eq!(process["publishedBy"]["email"], "admin@example.com");
    assert_eq!(
        (&process["name"], &process["description"]),
        (
            &json!("petty-cash"),
            &json!("Have finance approve what somebody paid.")
        )
    );
    let listed = admin.get("/processes").with(200);
    assert_eq!(listed["items"][0]["name"], "expense-report");
    assert_eq!(listed["items"][1], process);

    let versions = admin.get("/processes/petty-cash/versions").with(200);
    let numbers: Vec<_> = versions["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["version"])
        .collect();
    assert_eq!(numbers, [2, 1]);
    let first = admin.get("/processes/petty-cash/versions?limit=1").with(200);
    let cursor = first["nextCursor"].as_str().expect("there is one more");
    let rest = admin
        .get(&format!("/processes/petty-cash/versions?limit=1&cursor={cursor}"))
        .with(200);
    assert_eq!(rest["items"][0]["version"], 1);

    let version = admin.get("/processes/petty-cash/versions/1").with(200);
    assert_eq!(
        version["steps"],
        json!([{"id": "approval", "kind": "approve"}, {"id": "paid", "kind": "finish"}])
    );
    assert_eq!(
        (&version["roles"], &version["inputs"]["amount"]),
        (&json!(["finance"]), &json!("number"))
    );
    assert_eq!(
        admin.get("/processes/petty-cash/versions/1/source").text,
        PETTY_CASH
    );
    assert_eq!(admin.get("/processes/petty-cash/versions/2/source").text, second);
    for missing in [
        "/processes/petty",
        "/processes/petty/versions",
        "/processes/petty-cash/versions/3",
    ] {
        assert_eq!(admin.get(missing).refusal(), (404, "not_found"), "{missing}");
    }
}

#[test]
fn a_role_that_is_not_named_keeps_its_group() {
    let company = Company::new();
    let admin = company.admin();
    let missing = admin.post("/processes/publish", &json!({"source": PETTY_CASH}));
    assert_eq!(missing.refusal(), (422, "not_accepted"));
    assert_eq!(
        missing.issues(),
        ["roles.finance: missing; name the group whose members do this work"]
    );
    let named = json!({"source": PETTY_CASH, "roles": {"finance": "legal"}});
    admin.post("/processes/publish", &named).with(201);
    let again = admin
        .post("/processes/publish", &json!({"source": PETTY_CASH}))
        .with(200);
    assert_eq!(again["unchanged"], true);
    let roles = admin.get("/processes/petty-cash/roles").with(200);
    assert_eq!(roles, json!({"finance": "legal"}));
    let wrong = json!({"source": PETTY_CASH, "roles": {"clerk": "legal", "finance": "nobody"}});
    let wrong = admin.post("/processes/publish", &wrong);
    assert_eq!(
        wrong.issues(),
        [
            "roles.clerk: the process has no such role",
            "roles.finance: there is no group nobody in this organization",
        ]
    );
}

#[test]
fn a_mapping_names_every_role_of_the_latest_version() {
    let company = Company::new();
    let admin = company.admin();
    let place = "/processes/expense-report/roles";
    assert_eq!(admin.get(place).with(200), json!({"finance": "finance"}));
    let wrong = admin.put(place, Some(&json!({"clerk": "nobody"})));
    assert_eq!(wrong.refusal(), (422, "not_accepted"));
    assert_eq!(
        wrong.issues(),
        [
            "finance: missing; name the group whose members do this work",
            "clerk: the process has no such role",
        ]
    );
    for _ in 0..2 {
        let mapped = admin.put(place, Some(&json!({"finance": "legal"}))).with(200);
        assert_eq!(mapped, json!({"finance": "legal"}));
    }
}

#[test]
fn a_process_may_be_called_publish() {
    let company = Company::new();
    let admin = company.admin();
    assert_eq!(
        admin.send("get", "/processes/publish", None).refusal(),
        (404, "not_found")
    );
    let source = PETTY_CASH.replace("petty-cash", "publish");
    let publication = json!({"source": source, "roles": {"finance": "finance"}});
    admin.post("/processes/publish", &publication).with(201);
    let process = admin.get("/processes/publish").with(200);
    assert_eq!(process["name"], "publish");
    let versions = admin.get("/processes/publish/versions").with(200);
    assert_eq!(versions["items"][0]["version"], 1);
}
