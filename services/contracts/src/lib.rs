//! contracts
