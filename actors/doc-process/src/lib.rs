//! doc-process
