//! Every bound of the actors, with its unit.

use std::time::Duration;

/// Bounds. Mailboxes have none, so admission is bounded before the send.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Commands that wait for one run.
    pub commands_per_run_max: usize,
    /// Commands in flight for one organization.
    pub commands_per_organization_max: usize,
    /// Live actors of one organization. Above it the longest idle ones leave.
    pub live_runs_per_organization_max: usize,
    /// Live actors of this server. Above it the longest idle ones leave, whose ever they are.
    pub live_runs_max: usize,
    /// How long a command may wait for its run.
    pub call_timeout: Duration,
    /// How long an actor stays without a message.
    pub idle: Duration,
    /// How often an actor may crash within a minute before it is left alone for the rest of it.
    pub crashes_per_minute_max: usize,
    /// How often a command is decided again because another write came first.
    pub conflicts_max: usize,
    /// How often outside facts are fetched for one command. One that asks for nothing new is given up sooner.
    pub fact_rounds_max: usize,
    /// Compiled versions that are kept.
    pub plans_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            commands_per_run_max: 256,
            commands_per_organization_max: 4_096,
            live_runs_per_organization_max: 20_000,
            live_runs_max: 50_000,
            call_timeout: Duration::from_secs(20),
            idle: Duration::from_mins(1),
            crashes_per_minute_max: 5,
            conflicts_max: 16,
            fact_rounds_max: 256,
            plans_max: 1_024,
        }
    }
}
