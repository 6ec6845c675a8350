//! Why a run does not answer as asked.

use run_core::Refusal;

/// What a caller is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The run refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// No such run in this organization.
    #[error("there is no such run in this organization; list_runs shows what there is")]
    RunNotFound,
    /// No such process or version in this organization.
    #[error("there is no such process or version in this organization; list_processes shows what there is")]
    ProcessNotFound,
    /// The request id was used for something else.
    #[error("this requestId was used for another request; use a new one for every new request")]
    RequestReused,
    /// The organization or the run has too much to do at the moment.
    #[error("too many requests are waiting; try again shortly with the same requestId")]
    Busy,
    /// The store or another part did not answer in time: nobody knows whether the write happened, a retry with the same id does.
    #[error("the server could not finish this just now; try again with the same requestId")]
    Unavailable,
    /// Something of ours is wrong. The log has it; the caller can only try again.
    #[error("the server failed on this request; it has been logged. Try again with the same requestId")]
    Internal,
}
