use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use super::super::folder_id::FolderId;
use super::*;

fn ready(organization_count: u16) -> Ready {
    let tokens = |suffix: &str| Tokens {
        agents: BTreeMap::from([("alpha".to_owned(), format!("token-{suffix}").into())]),
        people: ["mira", "admin"]
            .map(|name| (format!("{name}@example.com"), format!("{name}-{suffix}").into()))
            .into(),
    };
    let credentials = Credentials {
        id: FolderId::random().expect("random bytes"),
        organizations: BTreeMap::from([
            ("demo".to_owned(), tokens("1")),
            ("demo2".to_owned(), tokens("2")),
        ]),
    };
    let addresses = Addresses {
        url: "http://127.0.0.1:8080".to_owned(),
        database_url: "postgres://baton:hush@localhost/baton?host=/sockets"
            .to_owned()
            .into(),
        redis_url: Some("redis://:hush@localhost".to_owned().into()),
    };
    Ready::new(&addresses, &credentials, organization_count)
}

#[test]
fn the_file_has_the_agreed_shape() {
    let mut expected = json!({
        "url": "http://127.0.0.1:8080", "org": "demo",
        "mcp": "http://127.0.0.1:8080/o/demo/mcp", "api": "http://127.0.0.1:8080/api/o/demo",
        "console": "http://127.0.0.1:8080/o/demo",
        "databaseUrl": "postgres://baton:hush@localhost/baton?host=/sockets", "redisUrl": "redis://:hush@localhost",
        "pid": std::process::id(),
        "tokens": {"agents": {"alpha": "token-1"}, "people": {"admin@example.com": "admin-1", "mira@example.com": "mira-1"}},
    });
    expected["orgs"] = json!([expected]);
    assert_eq!(serde_json::to_value(ready(1)).expect("it is JSON"), expected);
}

#[test]
fn several_organizations_are_listed_in_the_same_shape() {
    let value = serde_json::to_value(ready(2)).expect("it is JSON");
    assert_eq!(value["org"], "demo");
    assert_eq!(value["orgs"][0]["org"], "demo");
    assert_eq!(value["orgs"][1]["mcp"], "http://127.0.0.1:8080/o/demo2/mcp");
    assert_eq!(value["orgs"][1]["tokens"]["agents"]["alpha"], "token-2");
}

#[test]
fn the_page_shows_what_to_paste() {
    let page = ready(1).to_string();
    assert!(page.contains("\"Authorization\": \"Bearer token-1\""));
    assert!(page.contains(
        "claude mcp add --transport http baton http://127.0.0.1:8080/o/demo/mcp --header \"Authorization: Bearer token-1\""
    ));
    assert!(page.contains("mira@example.com          mira-1  group finance"));
    assert!(page.contains(
        "  export BATON_URL=http://127.0.0.1:8080\n  export BATON_ORG=demo\n  export BATON_TOKEN=admin-1\n"
    ));
}

#[test]
fn the_page_shows_addresses_without_passwords_and_debug_shows_no_secrets() {
    let page = ready(1).to_string();
    assert!(page.contains("  Database    postgres://baton@localhost/baton?host=/sockets\n"));
    assert!(page.contains("  Redis       redis://localhost (nothing depends on it yet)\n"));
    let shown = format!("{:?}", ready(2));
    for secret in ["hush", "token-1", "mira-2"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[test]
fn the_file_is_for_its_owner_only() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("ready.json");
    ready(1).write(&path).expect("written");
    let mode = std::fs::metadata(&path)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
