//! Use cases, one file per verb: identity, limits, handle or port, view. Nothing here knows a status code or a table.

use std::sync::Arc;

use run_actors::Runs;
use run_ports::{Clock, Directory, Versions, WorkQueries};

pub mod administration;
mod authenticator;
mod cancel;
mod claim;
mod cursor;
mod decide;
mod describe;
mod escalate;
mod execute;
mod get_run;
mod get_work;
mod list_processes;
mod list_runs;
mod publish;
mod refusal;
mod renew;
mod request;
mod role_groups;
mod send_event;
mod settings;
mod signing;
mod start_run;
mod submit;
mod view;

pub use authenticator::{AuthenticationError, Authenticator};
pub use cancel::cancel;
pub use claim::claim;
pub use decide::decide;
pub use describe::describe;
pub use escalate::escalate;
pub use get_run::get_run;
pub use get_work::get_work;
pub use list_processes::list_processes;
pub use list_runs::list_runs;
pub use publish::{Publication, PublishError, PublishedVersion, publish};
pub use renew::renew;
pub use send_event::send_event;
pub use settings::Settings;
pub use signing::SigningKeys;
pub use start_run::start_run;
pub use submit::submit;

/// What every use case works with.
pub struct App {
    /// How this server is set.
    pub settings: Settings,
    /// The runs.
    pub runs: Runs,
    /// The lists.
    pub work: Arc<dyn WorkQueries>,
    /// Members and groups.
    pub directory: Arc<dyn Directory>,
    /// Published versions.
    pub versions: Arc<dyn Versions>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What signs claim tokens and cursors.
    pub keys: SigningKeys,
}
