//! What every store must keep, as tests: [`contract_tests`](crate::contract_tests) makes one of each rule. The doc comments of the
//! ports say the same in words.

pub mod directory;
mod errand;
pub mod lists;
pub mod reassignments;
pub mod requests;
pub mod run_lists;
pub mod runs;
mod scene;
pub mod versions;

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use base::{GroupId, OrganizationId, PersonId, PersonRole};
use run_ports::{Directory, Reassignments, RunStore, Versions, WorkQueries};

pub use errand::Errand;
pub use scene::Scene;

use crate::MemoryStore;

/// A store to be tested, by its ports. All of them see the same data.
pub struct Subject {
    /// Runs.
    pub runs: Arc<dyn RunStore>,
    /// Lists.
    pub work: Arc<dyn WorkQueries>,
    /// Versions.
    pub versions: Arc<dyn Versions>,
    /// Runs whose open items are to move.
    pub reassignments: Arc<dyn Reassignments>,
    /// People.
    pub directory: Arc<dyn Directory>,
    /// How people get in.
    pub accounts: Arc<dyn Accounts>,
    /// What must live as long as the store does.
    pub keep: Box<dyn Any + Send + Sync>,
}

impl Subject {
    /// An empty store in memory.
    pub fn in_memory() -> Self {
        Self::of_memory(&Arc::new(MemoryStore::new()))
    }

    /// This store in memory.
    pub fn of_memory(store: &Arc<MemoryStore>) -> Self {
        Self {
            runs: store.clone(),
            work: store.clone(),
            versions: store.clone(),
            directory: store.clone(),
            reassignments: store.clone(),
            accounts: store.clone(),
            keep: Box::new(()),
        }
    }
}

#[async_trait]
impl Accounts for MemoryStore {
    async fn add_organization(&self, _organization: OrganizationId) {}

    async fn add_person(
        &self,
        organization: OrganizationId,
        person: PersonId,
        email: &str,
        role: PersonRole,
    ) {
        Self::add_person(self, organization, person, (email, role));
    }

    async fn add_group(&self, organization: OrganizationId, group: GroupId, members: &[PersonId]) {
        self.put_group(organization, group, members.iter().copied());
    }

    async fn put_into_group(&self, organization: OrganizationId, group: GroupId, person: PersonId) {
        Self::put_into_group(self, organization, group, person);
    }
}

/// What a test arranges before it begins.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Creates an organization.
    async fn add_organization(&self, organization: OrganizationId);

    /// Adds a member to an organization.
    async fn add_person(&self, organization: OrganizationId, person: PersonId, email: &str, role: PersonRole);

    /// Adds a group to an organization.
    async fn add_group(&self, organization: OrganizationId, group: GroupId, members: &[PersonId]);

    /// Puts a member into a group.
    async fn put_into_group(&self, organization: OrganizationId, group: GroupId, person: PersonId);
}

/// One test for every rule of the contract; `$make` is an `async fn() -> Subject` that gives an empty store.
#[macro_export]
macro_rules! contract_tests {
    ($make:ident) => {
        $crate::contract_tests! { $make =>
            runs: commits_read_back_digit_by_digit, another_seq_is_a_conflict, of_two_starters_one_wins,
                of_many_writers_of_one_seq_one_wins, a_write_that_cannot_be_written_fails_alone,
                another_organization_sees_nothing, due_runs_come_most_overdue_first, settled_journals_are_journals;
            requests: equal_requests_at_once_are_recorded_once, a_request_id_is_taken_whoever_asks,
                an_organization_has_request_ids_of_its_own, a_loser_records_nothing,
                a_request_without_events_is_recorded;
            lists: rows_follow_every_change, an_offer_is_there_for_a_clock_that_is_behind,
                a_lapsed_lease_is_offered_again, a_reserved_step_is_for_its_agent_until_then,
                offers_are_paged_without_repeat_or_gap,
                offers_are_of_the_wanted_processes, items_are_for_their_members,
                items_are_paged_without_repeat_or_gap, processes_are_paged_by_name;
            run_lists: runs_are_listed_as_they_stand, runs_are_found_by_all_conditions,
                runs_of_another_organization_are_not_found, runs_are_paged_without_repeat_or_gap,
                pages_of_runs_neither_repeat_nor_skip_while_runs_change;
            versions: publishing_counts_new_texts, publishers_of_one_text_at_once_make_one_version;
            directory: members_are_found_without_case, roles_are_mapped_by_publishing,
                operators_are_operators_and_admins;
            reassignments: changing_a_roles_group_notes_runs_with_open_items,
                changing_a_groups_members_notes_runs_with_items_for_it,
                changing_the_operators_notes_runs_with_escalations, runs_whose_items_are_closed_are_not_noted,
                a_run_that_is_noted_again_is_not_forgotten, noted_runs_are_paged_by_id,
                a_command_decided_on_facts_of_before_a_change_is_outdated,
                another_organizations_directory_is_another_one;
        }
    };
    ($make:ident => $($subject:ident: $($rule:ident),+;)+) => {$(
        mod $subject {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $rule() {
                    $crate::contract::$subject::$rule(&super::$make().await).await;
                }
            )+
        }
    )+};
}
