//! Two admins at once.

use serde_json::json;

use crate::client::{Company, Reply};
use crate::support::text;

/// What several callers get that call at the same time.
fn at_once(callers: usize, call: impl Fn(usize) -> Reply + Sync) -> Vec<Reply> {
    let call = &call;
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..callers)
            .map(|caller| scope.spawn(move || call(caller)))
            .collect();
        let answers = running.into_iter().map(|one| one.join().expect("it answers"));
        answers.collect()
    })
}

fn statuses(replies: &[Reply]) -> Vec<u16> {
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    statuses
}

#[test]
fn a_name_or_address_is_given_to_one_of_two() {
    let company = Company::new();
    let admin = company.admin();
    for (path, body) in [
        ("/groups", json!({"name": "audit"})),
        ("/agents", json!({"name": "gamma", "start": "all", "work": "all"})),
        ("/members", json!({"email": "nora@example.com", "role": "member"})),
    ] {
        let replies = at_once(4, |_| admin.post(path, &body));
        assert_eq!(statuses(&replies), [201, 409, 409, 409], "{path}");
    }
}

#[test]
fn of_two_admins_that_remove_each_other_one_stays() {
    let company = Company::new();
    let admin = company.admin();
    let olga = admin.member("olga@example.com");
    admin
        .patch(&format!("/members/{olga}"), &json!({"role": "admin"}))
        .with(200);
    let first = admin.member("admin@example.com");
    let second = company.person("olga@example.com");
    let replies = at_once(2, |caller| match caller {
        0 => admin.delete(&format!("/members/{olga}")),
        _ => second.patch(&format!("/members/{first}"), &json!({"role": "member"})),
    });
    let done = replies.iter().filter(|reply| reply.status < 300).count();
    assert_eq!(done, 1, "{replies:?}");
    let left = [&admin, &second].map(|one| one.get("").status);
    assert_eq!(
        left.iter().filter(|status| **status == 200).count(),
        1,
        "{left:?}"
    );
}

#[test]
fn a_member_may_be_put_and_removed_at_once() {
    let company = Company::new();
    let admin = company.admin();
    let created = admin.post("/groups", &json!({"name": "audit"})).with(201);
    let mira = admin.member("mira@example.com");
    let group = text(&created["id"]);
    let replies = at_once(3, |caller| match caller {
        0 => admin.delete(&format!("/members/{mira}")),
        1 => admin.put(&format!("/groups/{group}/members/{mira}"), None),
        _ => admin.delete(&format!("/groups/{group}")),
    });
    assert_eq!(replies[0].status, 204, "{replies:?}");
    assert!([204, 404].contains(&replies[1].status), "{replies:?}");
    assert_eq!(replies[2].status, 204, "{replies:?}");
}
