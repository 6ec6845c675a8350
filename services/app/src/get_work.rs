//! `get_work`: not built yet.

use base::Principal;
use contracts::get_work::{Arguments, Data};
use contracts::{ErrorCode, ToolError};

use crate::App;

/// Answers `retry` until the runs are there.
pub async fn get_work(_app: &App, _principal: &Principal, _arguments: Arguments) -> Result<Data, ToolError> {
    Err(ToolError::new(ErrorCode::Retry, "This tool is not built yet."))
}
