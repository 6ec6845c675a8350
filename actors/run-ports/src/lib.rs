//! run-ports
