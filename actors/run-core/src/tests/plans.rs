//! Test-only formats.

pub(super) mod facts;
pub(super) mod flow;
pub(super) mod retry;

use crate::plan::About;
use crate::words::Map;

fn about(name: &str) -> About {
    About {
        name: name.to_owned(),
        description: "for tests".to_owned(),
        body: "The body.".into(),
        inputs: Map::new(),
        requires: None,
        profile: None,
        tools: &[],
    }
}
