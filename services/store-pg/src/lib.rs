//! store-pg
