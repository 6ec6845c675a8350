//! run-core
