//! Why `baton dev` cannot do its work. Each message says what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use store_pg::POSTGRES_MAJOR_MIN;

/// What stopped `baton dev`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file or folder cannot be used.
    #[error("{} cannot be used", path.display())]
    Path {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There can be no data folder there.
    #[error("the data folder {} cannot be made; name another in --data-dir", path.display())]
    DataFolder {
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something else stands where the data folder should be.
    #[error("{} is or goes through a file; name a folder in --data-dir", .0.display())]
    NoFolder(PathBuf),
    /// Nobody would learn that the server is ready.
    #[error("--ready-file {} cannot be written", path.display())]
    ReadyFile {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file of ours has other content than we wrote.
    #[error("{} cannot be read; remove it to get new tokens", path.display())]
    Content {
        /// Which.
        path: PathBuf,
        /// What is wrong in it.
        source: serde_json::Error,
    },
    /// The demo organizations cannot be put into the database.
    #[error(transparent)]
    Demo(#[from] run_ports::ChangeError),
    /// The key file has another length than we wrote.
    #[error("{} is damaged; remove it to get a new key, which makes the claims of now unusable", .0.display())]
    Key(PathBuf),
    /// Another account's folder stands where ours should be.
    #[error("{} belongs to another account; remove it or set TMPDIR to a folder of your own", .0.display())]
    NotOurs(PathBuf),
    /// A path goes through a shell of PostgreSQL's that cannot take it.
    #[error("{} has quotes or other special characters in it; choose another --data-dir", .0.display())]
    SpecialCharacters(PathBuf),
    /// No temporary folder is short enough for a socket.
    #[error(
        "no temporary folder with a short and plain path was found for sockets; set TMPDIR to one, such as /tmp"
    )]
    NoSocketFolder,
    /// We are root and have nobody to run PostgreSQL as.
    #[error("PostgreSQL does not run as root, and there is no account `postgres` or `nobody` to run it as")]
    NoAccount,
    /// PostgreSQL is not installed.
    #[error(
        "PostgreSQL's server programs (initdb, pg_ctl, postgres) were not found. Install them (Debian and Ubuntu: \
         `apt-get install postgresql`, Fedora: `dnf install postgresql-server`, macOS: `brew install postgresql`), name \
         their folder in BATON_POSTGRES_BIN, or give a server in DATABASE_URL"
    )]
    PostgresMissing,
    /// No installed PostgreSQL has all that the migrations use.
    #[error(
        "Baton needs PostgreSQL {POSTGRES_MAJOR_MIN} or later, and only {} is installed. Install a later one, name the \
         folder of its programs in BATON_POSTGRES_BIN, or give a server in DATABASE_URL",
        found.join(", ")
    )]
    PostgresTooOld {
        /// What is installed.
        found: Vec<String>,
    },
    /// The cluster needs another PostgreSQL.
    #[error(
        "{} was made by PostgreSQL {made_by}, and only {} is installed. Install PostgreSQL {made_by}, name the folder of \
         its programs in BATON_POSTGRES_BIN, or use another --data-dir",
        folder.display(), found.join(", ")
    )]
    OtherMajor {
        /// The cluster.
        folder: PathBuf,
        /// Its major version.
        made_by: String,
        /// What is installed.
        found: Vec<String>,
    },
    /// A program of PostgreSQL or Redis failed.
    #[error("{program} failed:\n{output}")]
    Program {
        /// Which program.
        program: &'static str,
        /// What it said.
        output: String,
    },
    /// A server did not come up, or go down, in time.
    #[error("{server} was not {awaited} within {seconds} s; its log is {}", log.display())]
    TooSlow {
        /// Which server.
        server: &'static str,
        /// What was waited for.
        awaited: &'static str,
        /// How long.
        seconds: u64,
        /// Where to look.
        log: PathBuf,
    },
    /// The port is taken, or not allowed.
    #[error("port {port} of 127.0.0.1 cannot be used; choose another with --port")]
    Port {
        /// Which.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
    /// The system gave no random bytes.
    #[error("the system gave no random bytes")]
    Random(#[source] getrandom::Error),
    /// The runtime, signals or the listener failed.
    #[error("the server failed")]
    Server(#[source] io::Error),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] store_pg::Error),
    /// Something else than an address was named.
    #[error(
        "DATABASE_URL (or --database-url) is no address of a database; write postgres://USER:PASSWORD@HOST:PORT/NAME, or \
         leave it out for a private PostgreSQL"
    )]
    NoDatabaseAddress,
    /// The named database cannot be used.
    #[error("the database named in DATABASE_URL (or --database-url) cannot be used")]
    GivenDatabase(#[source] store_pg::Error),
    /// Somebody else's database was named.
    #[error(
        "this database was not made by `baton dev`, and what is in it may matter to somebody. Give `baton dev` an empty \
         database, or none at all"
    )]
    NotForDevelopment,
    /// A part behind the doors did not start.
    #[error(transparent)]
    Wiring(#[from] crate::wiring::Error),
    /// The demo process is ours and valid; the store failed.
    #[error("the demo process could not be published")]
    DemoProcess(#[source] app::PublishError),
    /// A part of our own panicked.
    #[error("a part of the server panicked")]
    Panicked(#[source] tokio::task::JoinError),
}

/// Names the path in an error of the system.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::Path { path, source }
}
