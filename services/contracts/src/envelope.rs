//! The one shape of every tool result.

use serde::Serialize;
use serde_json::{Value, json};

use crate::ToolError;

/// `{ok: true, data}` or `{ok: false, error}`.
pub fn envelope<D: Serialize>(result: &Result<D, ToolError>) -> Value {
    match result {
        Ok(data) => json!({ "ok": true, "data": data }),
        Err(error) => json!({ "ok": false, "error": error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;

    #[test]
    fn a_refusal_without_issues_has_no_issues_key() {
        let refused: Result<(), _> = Err(ToolError::new(ErrorCode::NotFound, "no such run"));
        let expected = r#"{"error":{"code":"not_found","message":"no such run"},"ok":false}"#;
        assert_eq!(envelope(&refused).to_string(), expected);
    }

    #[test]
    fn numbers_keep_their_digits() {
        let data: Value = serde_json::from_str("12345678901234567890.10").expect("a number");
        let expected = r#"{"data":12345678901234567890.10,"ok":true}"#;
        assert_eq!(envelope(&Ok(data)).to_string(), expected);
    }
}
