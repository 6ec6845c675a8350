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
    row("base", &[], &[]),
    row("doc-kit", &["base"], &[]),
    // doc-kit for canonical JSON: runs are found by digests of their inputs.
    row("run-core", &["base", "doc-kit"], &[]),
    row("contracts", &["base"], &[]),
    row("doc-process", &["base", "doc-kit", "run-core"], &[]),
    row("run-ports", &["base", "run-core"], &[]),
    row("formats", &["base", "doc-kit", "doc-process", "run-core"], &[]),
    // For tests: no crate's code imports run-sim.
    row("run-sim", &["base", "run-core", "run-ports", "formats"], &[]),
    row("store-pg", &["base", "run-core", "run-ports"], &["run-sim"]),
    row(
        "run-actors",
        &["base", "doc-kit", "run-core", "run-ports", "formats"],
        &["run-sim"],
    ),
    row(
        "app",
        &[
            "base",
            "contracts",
            "run-core",
            "run-ports",
            "formats",
            "run-actors",
        ],
        &["run-sim"],
    ),
    // base for Secret: a token on the command line is never shown.
    row("cli", &["base", "contracts", "doc-kit", "formats"], &[]),
    // doc-kit for the JSON guard, behind which every JSON entry point stands.
    row("http-kit", &["base", "doc-kit", "contracts", "app"], &["run-sim"]),
    row(
        "mcp",
        &["base", "contracts", "app", "http-kit"],
        &["run-sim", "run-actors", "run-core"],
    ),
    // contracts for whole numbers as tools read them; formats for the largest source and the problems of a document; run-ports for what
    // use cases are given and give back.
    row(
        "api",
        &[
            "base",
            "doc-kit",
            "contracts",
            "run-ports",
            "formats",
            "app",
            "http-kit",
        ],
        &[],
    ),
    row("server", EVERYTHING, &["run-sim"]),
    // What must hold for any input: it asks every crate that reads what comes from outside.
    row("fuzz", &[], &["doc-kit", "contracts", "run-core", "formats"]),
    row("tidy", &[], &[]),
];

/// What the server imports: it is the only crate that sees a port and its implementation.
const EVERYTHING: &[&str] = &[
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
    "api",
];

const fn row(name: &'static str, imports: &'static [&'static str], in_tests: &'static [&'static str]) -> Row {
    Row {
        name,
        imports,
        in_tests,
    }
}
