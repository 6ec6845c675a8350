//! run-sim
