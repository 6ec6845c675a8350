//! Use cases as the doors call them.

mod catalog;
mod journal;
mod world;
