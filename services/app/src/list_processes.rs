//! `list_processes`: not built yet.

use base::Principal;
use contracts::list_processes::{Arguments, Data};
use contracts::{ErrorCode, ToolError};

use crate::App;

/// Answers `retry` until the runs are there.
pub async fn list_processes(
    _app: &App,
    _principal: &Principal,
    _arguments: Arguments,
) -> Result<Data, ToolError> {
    Err(ToolError::new(ErrorCode::Retry, "This tool is not built yet."))
}
