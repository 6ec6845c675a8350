//! `/api/openapi.json`: what this API is, for programs and for people.

use axum::Json;
use axum::handler::Handler;
use serde_json::{Value, json};

/// The document as it is written.
const DOCUMENT: &str = include_str!("../../../schemas/api/openapi.json");

/// Answers with the document, in which the server has its own address. It needs no token.
pub(crate) fn document<S>(url: &str) -> impl Handler<((),), S> + use<S>
where
    S: Clone + Send + Sync + 'static,
{
    let mut document = parsed();
    document["servers"] = json!([{"url": url}]);
    async move || Json(document)
}

fn parsed() -> Value {
    serde_json::from_str(DOCUMENT).expect("a test has read the document")
}
