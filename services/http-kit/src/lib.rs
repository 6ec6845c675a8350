//! http-kit
