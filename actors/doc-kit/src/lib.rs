//! doc-kit
