//! Changing a group's members or the operators moves open items (process.md §5), and whoever made the change finds them moved.

use serde_json::{Value, json};

use crate::client::{Api, Company};

#[track_caller]
fn done(envelope: &Value) -> Value {
    assert_eq!(envelope["ok"], true, "{envelope}");
    envelope["data"].clone()
}

/// The draft of an expense report, claimed.
fn drafting(company: &Company) -> Value {
    let agent = company.agent("alpha");
    let inputs = json!({"employee": "Kim", "purpose": "Offsite", "receipts": []});
    let start = json!({"process": "expense-report", "inputs": inputs, "requestId": "start"});
    let run = done(&agent.tool("start_run", &start));
    let claim = json!({"runId": run["run"]["id"], "stepId": "draft", "requestId": "claim"});
    done(&agent.tool("claim", &claim))
}

/// One that waits for finance's approval, and what decides it.
fn drafted(company: &Company) -> Value {
    let held = drafting(company);
    let output = json!({"report": "A train", "total": 12});
    let submit = json!({"token": held["token"], "output": output, "summary": "s", "requestId": "submit"});
    let run = done(&company.agent("alpha").tool("submit", &submit));
    run["workItems"][0]["decide"]["arguments"].clone()
}

fn decide(who: &Api<'_>, seen: &Value, decision: &str, id: &str) -> Value {
    let mut arguments = seen.clone();
    arguments["decision"] = decision.into();
    arguments["note"] = "Fine.".into();
    arguments["requestId"] = id.into();
    who.tool("decide", &arguments)
}

/// What decides each item of somebody's work.
fn work_of(who: &Api<'_>) -> Vec<Value> {
    let work = done(&who.tool("get_work", &json!({})));
    let items = work["items"].as_array().expect("a list").iter();
    items
        .map(|item| item["workItem"]["decide"]["arguments"].clone())
        .collect()
}

#[test]
fn an_open_item_is_for_the_members_that_its_group_has_now() {
    let company = Company::new();
    let (admin, seen) = (company.admin(), drafted(&company));
    let [mira, omar, lena] =
        ["mira", "omar", "lena"].map(|name| company.person(&format!("{name}@example.com")));
    let finance = format!("/groups/{}/members", admin.group("finance"));
    let path = |name: &str| format!("{finance}/{}", admin.member(&format!("{name}@example.com")));
    assert_eq!((work_of(&mira).len(), work_of(&lena).len()), (1, 0));

    admin.put(&path("lena"), None).with(204);
    assert_eq!(work_of(&lena), work_of(&mira), "the snapshot is the same");
    admin.delete(&path("mira")).with(204);
    assert_eq!((work_of(&mira), work_of(&lena).len()), (vec![], 1));
    let refused = decide(&mira, &seen, "approved", "mira");
    assert_eq!(refused["error"]["code"], "forbidden", "{refused}");

    let omars = admin.member("omar@example.com");
    let groups = json!({"groups": ["legal"]});
    admin.patch(&format!("/members/{omars}"), &groups).with(200);
    assert_eq!(work_of(&omar), Vec::<Value>::new());
    done(&decide(&lena, &seen, "approved", "lena"));
}

#[test]
fn a_member_that_is_removed_leaves_its_items_to_the_others() {
    let company = Company::new();
    let (admin, seen) = (company.admin(), drafted(&company));
    let mira = admin.member("mira@example.com");
    admin.delete(&format!("/members/{mira}")).with(204);
    let omar = company.person("omar@example.com");
    assert_eq!(work_of(&omar), std::slice::from_ref(&seen));
    done(&decide(&omar, &seen, "approved", "omar"));
}

#[test]
fn an_open_escalation_is_for_the_operators_of_now() {
    let company = Company::new();
    let (admin, held) = (company.admin(), drafting(&company));
    let escalate = json!({"token": held["token"], "note": "No receipts.", "requestId": "escalate"});
    let run = done(&company.agent("alpha").tool("escalate", &escalate));
    let seen = run["workItems"][0]["decide"]["arguments"].clone();
    let (olga, lena) = (
        company.person("olga@example.com"),
        company.person("lena@example.com"),
    );
    let path = |name: &str| format!("/members/{}", admin.member(&format!("{name}@example.com")));
    let (of_olga, of_lena) = (path("olga"), path("lena"));
    assert_eq!((work_of(&olga).len(), work_of(&lena).len()), (1, 0));
    admin.patch(&of_lena, &json!({"role": "operator"})).with(200);
    admin.patch(&of_olga, &json!({"role": "member"})).with(200);
    assert_eq!((work_of(&olga).len(), work_of(&lena).len()), (0, 1));
    let refused = decide(&olga, &seen, "returned", "olga");
    assert_eq!(refused["error"]["code"], "forbidden", "{refused}");
    done(&decide(&lena, &seen, "returned", "lena"));
}

#[test]
fn an_open_item_is_for_the_group_that_its_role_means_now() {
    let company = Company::new();
    let (admin, seen) = (company.admin(), drafted(&company));
    let [mira, lena] = ["mira", "lena"].map(|name| company.person(&format!("{name}@example.com")));
    let roles = "/processes/expense-report/roles";
    admin.put(roles, Some(&json!({"finance": "legal"}))).with(200);
    assert_eq!((work_of(&mira).len(), work_of(&lena).len()), (0, 1));
    let refused = decide(&mira, &seen, "approved", "mira");
    assert_eq!(refused["error"]["code"], "forbidden", "{refused}");
    done(&decide(&lena, &seen, "approved", "lena"));
}
