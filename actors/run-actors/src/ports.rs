//! Everything outside that runs need.

use std::sync::Arc;

use run_ports::{Clock, Directory, Random, Reassignments, RunStore, Timers, Versions};

use crate::plans::Compile;

/// The outside, as one bundle of ports.
#[derive(Clone)]
pub struct Ports {
    /// Journals.
    pub store: Arc<dyn RunStore>,
    /// Members and groups.
    pub directory: Arc<dyn Directory>,
    /// Runs whose open items are to move.
    pub reassignments: Arc<dyn Reassignments>,
    /// Published versions.
    pub versions: Arc<dyn Versions>,
    /// Who is told of deadlines.
    pub timers: Arc<dyn Timers>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Dice.
    pub random: Arc<dyn Random>,
    /// How a version becomes a Plan.
    pub compile: Compile,
}
