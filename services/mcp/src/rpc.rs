//! Answers in JSON-RPC's form that are not rmcp's.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use rmcp::model::ErrorCode;
use serde_json::{Value, json};

/// What a request is refused with.
#[derive(Debug)]
pub(crate) struct RpcError {
    pub status: StatusCode,
    pub code: ErrorCode,
    pub message: String,
    /// What programs can act on.
    pub data: Option<Value>,
}

impl RpcError {
    /// 400, with nothing but words.
    pub(crate) fn bad_request(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The answer to the request with this id, or to one whose id cannot be told.
    pub(crate) fn answer(self, id: Option<&Value>) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = self.data {
            error["data"] = data;
        }
        let body = json!({ "jsonrpc": "2.0", "id": id, "error": error });
        (self.status, Json(body)).into_response()
    }
}
