//! `renew`: not built yet.

use base::Principal;
use contracts::renew::{Arguments, Data};
use contracts::{ErrorCode, ToolError};

use crate::App;

/// Answers `retry` until the runs are there.
pub async fn renew(_app: &App, _principal: &Principal, _arguments: Arguments) -> Result<Data, ToolError> {
    Err(ToolError::new(ErrorCode::Retry, "This tool is not built yet."))
}
