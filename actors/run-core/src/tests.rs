//! The lifecycle, driven as callers drive it: commands at instants. `plans` holds formats that exist for these tests alone.

mod acceptance;
mod deadlines;
mod decisions;
mod endings;
mod events;
mod facts;
mod handoff;
mod leases;
mod needs;
mod plans;
mod property;
mod reassigning;
mod retry;
mod rework;
mod rows;
mod search;
mod states;
mod world;
