//! Cursors: where a page ended, signed, and bound to who asked and for what.

use base::{Principal, RunId, Timestamp};
use contracts::ToolError;
use serde_json::{Value, json};

use crate::App;
use crate::refusal::bad_cursor;
use crate::request::actor;

/// A list and what it was asked for.
pub(crate) struct Listing {
    pub(crate) tool: &'static str,
    /// The same for the same question, and short.
    pub(crate) filter: Value,
}

impl Listing {
    /// The cursor of the page after an entry with this key.
    pub(crate) fn cursor(&self, app: &App, principal: &Principal, key: &Value) -> String {
        let content = json!([self.tool, actor(principal).to_string(), self.filter, key]);
        app.keys.sealed(principal.organization, &content.to_string())
    }

    /// The key in a cursor of this list, if one was given.
    pub(crate) fn key(
        &self,
        app: &App,
        principal: &Principal,
        cursor: Option<&str>,
    ) -> Result<Option<Value>, ToolError> {
        let Some(cursor) = cursor else { return Ok(None) };
        let content = app
            .keys
            .unsealed(principal.organization, cursor)
            .ok_or_else(bad_cursor)?;
        let content: Value = serde_json::from_str(&content).map_err(|_| bad_cursor())?;
        let expected = json!([self.tool, actor(principal).to_string(), self.filter, content[3]]);
        if content == expected {
            Ok(Some(content[3].clone()))
        } else {
            Err(bad_cursor())
        }
    }
}

/// Reads the key of a list that is ordered by an instant, a run, and something within the run.
pub(crate) fn instant_run_and<T>(
    key: Option<Value>,
    last: impl Fn(&Value) -> Option<T>,
) -> Result<Option<(Timestamp, RunId, T)>, ToolError> {
    key.map(|key| {
        let at = Timestamp::from_millis(key[0].as_i64()?);
        let run: RunId = key[1].as_str()?.parse().ok()?;
        Some((at, run, last(&key[2])?))
    })
    .map_or(Ok(None), |key| key.map(Some).ok_or_else(bad_cursor))
}
