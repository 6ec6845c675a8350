//! Use cases, one file per verb: identity, limits, handle or port, view. Nothing here knows a status code or a table.

mod authenticator;
mod cancel;
mod claim;
mod decide;
mod describe;
mod escalate;
mod get_run;
mod get_work;
mod list_processes;
mod renew;
mod settings;
mod start_run;
mod submit;

pub use authenticator::{AuthenticationError, Authenticator};
pub use cancel::cancel;
pub use claim::claim;
pub use decide::decide;
pub use describe::describe;
pub use escalate::escalate;
pub use get_run::get_run;
pub use get_work::get_work;
pub use list_processes::list_processes;
pub use renew::renew;
pub use settings::Settings;
pub use start_run::start_run;
pub use submit::submit;

/// What every use case works with.
#[derive(Debug)]
pub struct App {
    /// How this server is set.
    pub settings: Settings,
}
