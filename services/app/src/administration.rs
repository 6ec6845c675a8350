//! What admins do, one file a subject. Every use case takes an [`Admin`], which is the proof that its caller may.

mod agents;
mod authors;
mod drafts;
mod groups;
mod members;
mod organization;
mod page;
mod processes;

use std::sync::Arc;

use base::{Admin, Issues};
use run_ports::{AdministrationStore, ChangeError, PortError, Random};

pub use agents::{
    IssuedToken, NewAgentFacts, change_agent, create_agent, find_agent, issue_token, list_agents,
    list_tokens, remove_agent, revoke_token,
};
pub use authors::Author;
pub use drafts::{
    DraftEntry, DraftFacts, create_draft, delete_draft, find_draft, list_drafts, publish_draft, replace_draft,
};
pub use groups::{
    create_group, delete_group, find_group, list_groups, put_into_group, rename_group, take_from_group,
};
pub use members::{NewMemberFacts, add_member, change_member, find_member, list_members, remove_member};
pub use organization::organization;
pub use page::{Listed, PAGE_DEFAULT, PAGE_MAX, Paging};
pub use processes::{
    VersionEntry, VersionFacts, find_roles, find_source, find_version, list_processes, list_versions,
    map_roles,
};

use crate::App;

/// What the use cases of administration work with.
pub struct Administration {
    /// What every use case works with.
    pub app: Arc<App>,
    /// What admins change.
    pub store: Arc<dyn AdministrationStore>,
    /// Fresh ids and tokens.
    pub random: Arc<dyn Random>,
}

/// Why an admin is not answered as it wished. Nothing was changed, but for [`Error::Retry`], after which a change may have been made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such thing in this organization.
    #[error("there is no such {what} in this organization")]
    NotFound {
        /// What was looked for.
        what: &'static str,
    },
    /// What was asked cannot be meant: mend the call.
    #[error("the request is not valid; see issues")]
    Invalid(Issues),
    /// What was asked names what does not exist, or is not complete.
    #[error("{message}")]
    NotAccepted {
        /// What is wrong as a whole.
        message: &'static str,
        /// Each single thing, and how to mend it.
        issues: Issues,
    },
    /// It does not go together with what there is.
    #[error("{message}")]
    Conflict {
        /// What it does not go together with.
        message: String,
        /// Each single thing.
        issues: Issues,
    },
    /// The store does not answer: the same call may succeed later.
    #[error(transparent)]
    Retry(#[from] PortError),
}

impl Error {
    /// The refusal of one thing that cannot be meant.
    fn invalid(issue: impl std::fmt::Display) -> Self {
        Self::Invalid(Issues::one(issue))
    }
}

impl From<ChangeError> for Error {
    fn from(error: ChangeError) -> Self {
        let message = error.to_string();
        let issues = match error {
            ChangeError::NotFound { what } => return Self::NotFound { what },
            ChangeError::Store(error) => return Self::Retry(error),
            ChangeError::NoSuchGroups(names) => {
                let issue = |name| format!("groups: there is no group {name} in this organization");
                return Self::NotAccepted {
                    message: "some groups do not exist; see issues",
                    issues: names.into_iter().map(issue).collect(),
                };
            }
            ChangeError::InUse(uses) => {
                let issue = |role: run_ports::RoleUse| {
                    format!(
                        "the role {} of the process {} is mapped to it",
                        role.role, role.process
                    )
                };
                uses.into_iter().map(issue).collect()
            }
            ChangeError::Taken { .. }
            | ChangeError::Full { .. }
            | ChangeError::LastAdmin
            | ChangeError::OperatorsGroup => Issues::default(),
        };
        Self::Conflict { message, issues }
    }
}

/// `NotFound` for what is not there.
fn found<T>(found: Option<T>, what: &'static str) -> Result<T, Error> {
    found.ok_or(Error::NotFound { what })
}

impl Administration {
    /// After a change of who is who: moves the open items that follow from it, so that whoever is answered finds them moved
    /// (process.md §5, "People").
    async fn move_items(&self, admin: Admin) {
        self.app.runs.apply_reassignments(admin.organization()).await;
    }
}
