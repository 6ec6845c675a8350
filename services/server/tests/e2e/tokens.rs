//! What a copy of the database is worth (process.md §5, "Leases").

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::door::{Door, ERRAND, publish};
use crate::journal::execute;
use crate::support::{Server, temporary_folder};

/// The last 32 bytes of a token are its MAC: without them it does not verify, so neither they nor the text may be in any table.
#[test]
fn a_copy_of_the_database_holds_no_usable_token() {
    let folder = temporary_folder();
    let server = Server::start(&["--data-dir", &folder.text()]);
    publish(&server, ERRAND);
    let ready = server.ready();
    let alpha = Door::of(&ready, "alpha");
    let claimed = Runtime::new().expect("a runtime").block_on(async {
        let start = json!({"process": "errand", "inputs": {"what": "tea"}, "requestId": "start"});
        let run = alpha.call("start_run", &start).await.expect("alpha may start it");
        let claim = json!({"runId": run["run"]["id"], "stepId": "do", "requestId": "claim"});
        alpha.call("claim", &claim).await.expect("the step is ready")
    });
    let token = claimed["token"].as_str().expect("a token");
    let copy = execute(
        &ready,
        "set xmlbinary = hex; select schema_to_xml(nspname, true, false, '') from pg_namespace
         where nspname !~ '^pg_' and nspname <> 'information_schema'",
    );
    assert!(
        copy.contains("claim") && copy.contains("tea"),
        "the run is in the copy"
    );
    let copy = copy.to_lowercase();
    let text = token.strip_prefix("ct_").expect("the prefix of tokens");
    let bytes = URL_SAFE_NO_PAD.decode(text).expect("the rest is base64");
    // 42 letters of base64 stand for bytes of the MAC alone.
    assert!(!copy.contains(&text[text.len() - 42..].to_lowercase()));
    assert!(!copy.contains(&hex(&bytes[bytes.len() - 32..])));
    // Nor is the key there that would make it.
    let key = std::fs::read(folder.path().join("signing.key")).expect("the server wrote it");
    assert_eq!(key.len(), 32);
    assert!(!copy.contains(&hex(&key)));
    assert!(server.terminate().success());
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
