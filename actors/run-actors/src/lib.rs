//! run-actors
