//! Who may import whom. A new arrow edits this table in the commit that draws it, and that commit says why.

/// One crate and the crates of ours that it may name.
#[derive(Debug)]
pub struct Row {
    /// The crate, which is also its folder's name.
    pub name: &'static str,
    /// Crates its code may import.
    pub imports: &'static [&'static str],
    /// Crates that only its tests may import.
    pub in_tests: &'static [&'static str],
}

/// The inside that decides: no runtime, pool, socket, clock, dice, environment or file.
pub const PURE: &[&str] = &["base", "doc-kit", "run-core", "doc-process", "formats"];

/// Outside crates that a pure crate may not name, because they bring what [`PURE`] excludes.
pub const IMPURE: &[&str] = &[
    "async-trait",
    "axum",
    "futures",
    "getrandom",
    "http",
    "hyper",
    "nix",
    "ractor",
    "rand",
    "redis",
    "reqwest",
    "rmcp",
    "sqlx",
    "tempfile",
    "tokio",
    "tower",
    "tower-http",
    "tracing",
];

/// The table. A row imports only from rows above it, so arrows point down and never from the inside to the outside.
pub const TABLE: &[Row] = &[
    Row {
        name: "base",
        imports: &[],
        in_tests: &[],
    },
    Row {
        name: "doc-kit",
        imports: &["base"],
        in_tests: &[],
    },
    // doc-kit for canonical JSON and digests: a snapshot is the digest of run data.
    Row {
        name: "run-core",
        imports: &["base", "doc-kit"],
        in_tests: &[],
    },
    Row {
        name: "contracts",
        imports: &["base"],
        in_tests: &[],
    },
    Row {
        name: "doc-process",
        imports: &["base", "doc-kit", "run-core"],
        in_tests: &[],
    },
    Row {
        name: "run-ports",
        imports: &["base", "run-core"],
        in_tests: &[],
    },
    Row {
        name: "formats",
        imports: &["base", "doc-kit", "doc-process", "run-core"],
        in_tests: &[],
    },
    // run-sim is for tests: no crate's code imports it.
    Row {
        name: "run-sim",
        imports: &["base", "run-core", "run-ports", "formats"],
        in_tests: &[],
    },
    Row {
        name: "store-pg",
        imports: &["base", "run-core", "run-ports"],
        in_tests: &["run-sim"],
    },
    Row {
        name: "run-actors",
        imports: &["base", "doc-kit", "run-core", "run-ports", "formats"],
        in_tests: &["run-sim"],
    },
    Row {
        name: "app",
        imports: &[
            "base",
            "contracts",
            "run-core",
            "run-ports",
            "formats",
            "run-actors",
        ],
        in_tests: &["run-sim"],
    },
    Row {
        name: "cli",
        imports: &["contracts", "doc-kit", "formats"],
        in_tests: &[],
    },
    // doc-kit for the JSON guard, which stands before every JSON entry point.
    Row {
        name: "http-kit",
        imports: &["base", "doc-kit", "contracts", "app"],
        in_tests: &["run-sim"],
    },
    Row {
        name: "mcp",
        imports: &["base", "contracts", "app", "http-kit"],
        in_tests: &["run-sim"],
    },
    // The only crate that sees a port and its implementation.
    Row {
        name: "server",
        imports: &[
            "base",
            "doc-kit",
            "run-core",
            "contracts",
            "run-ports",
            "formats",
            "store-pg",
            "run-actors",
            "app",
            "cli",
            "http-kit",
            "mcp",
        ],
        in_tests: &["run-sim"],
    },
    Row {
        name: "tidy",
        imports: &[],
        in_tests: &[],
    },
];
