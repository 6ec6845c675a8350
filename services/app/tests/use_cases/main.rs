//! Use cases as the doors call them.

mod catalog;
mod events;
mod journal;
mod run_lists;
mod world;
