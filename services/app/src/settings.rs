//! How a server is set, as far as use cases care.

use std::time::Duration;

/// Bounds of the promises this server makes.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long a claim lasts.
    pub lease: Duration,
    /// The largest run data.
    pub run_data_bytes_max: usize,
    /// The largest file that can be uploaded.
    pub upload_bytes_max: u64,
}

impl Default for Settings {
    /// The values of `process.md` §5.
    fn default() -> Self {
        Self {
            lease: Duration::from_mins(10),
            run_data_bytes_max: 262_144,
            upload_bytes_max: 10 * 1024 * 1024,
        }
    }
}
