//! Use cases as the doors call them.

mod catalog;
mod events;
mod journal;
mod order_of_checks;
mod run_lists;
mod runs;
mod shapes;
mod tools;
mod world;
