//! What this server speaks and how it is set.

use base::Principal;
use contracts::describe::{Arguments, Data, Limits, Person};
use contracts::{TOOLS, ToolError};
use serde_json::Number;

use crate::App;

/// Largest run data that an evaluator is shown (`process.md` §7).
const CHECK_STATE_BYTES: u64 = 65_536;

/// Describes the server. Anyone may ask.
pub async fn describe(app: &App, _principal: &Principal, _arguments: Arguments) -> Result<Data, ToolError> {
    let settings = &app.settings;
    Ok(Data {
        protocol: "agentprocess".to_owned(),
        version: "core-2".to_owned(),
        profiles: formats::PROFILES.map(str::to_owned).to_vec(),
        lease_seconds: settings.lease.as_secs(),
        person: Person {
            format: "email".to_owned(),
        },
        tools: TOOLS.iter().map(|tool| tool.name.to_owned()).collect(),
        max_upload_bytes: settings.upload_bytes_max,
        limits: Limits {
            run_data_bytes: settings.run_data_bytes_max as u64,
            check_pass: decimal("0.9"),
            check_fail: None,
            check_confidence: decimal("0.8"),
            check_state_bytes: CHECK_STATE_BYTES,
        },
    })
}

/// A number as it is spelled; the thresholds of `process.md` §7 never pass through a float.
fn decimal(text: &'static str) -> Number {
    text.parse()
        .expect("only literals that are JSON numbers are given")
}
