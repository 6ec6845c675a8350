//! The store on a real PostgreSQL.

mod accounts;
mod clock;
mod directory_changes;
mod isolation;
mod journal;
mod pages;
mod pg_accounts;
mod races;
mod search;
mod support;
mod unknown_commit;

use support::subject;

run_sim::contract_tests!(subject);
