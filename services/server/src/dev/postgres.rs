//! A private PostgreSQL cluster of the data folder. It outlives a killed `baton`, whoever comes next finds it again, and
//! the last server to leave stops it. It keeps its promises as in production: `fsync` and `synchronous_commit` are on.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use super::account::Account;
use super::error::{Error, at};
use super::folder::{DataFolder, Lifetime};
use super::folder_id::FolderId;
use super::postmaster::{self, Postmaster, Status};
use super::programs::PostgresPrograms;

/// The cluster's folder in the data folder.
const CLUSTER: &str = "postgres";
/// Where root keeps clusters of data folders that the lent account cannot reach.
const UNREACHABLE_CLUSTERS: &str = "/var/lib/baton-dev";
/// The superuser, and the owner of everything.
const SUPERUSER: &str = "baton";
/// Recovery after a crash is the longest wait.
const WAIT_SECONDS_MAX: u64 = 60;
/// Backends notice the death of their postmaster when they next wait for anything.
const ORPHAN_SECONDS_MAX: u64 = 15;
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Lines of the log that explain a failed start.
const LOG_LINES_SHOWN: usize = 15;
/// Enough for a handful of servers that join, each with its pool.
const CONNECTIONS_MAX: u32 = 200;

/// A cluster and what it takes to run it.
#[derive(Debug)]
pub(super) struct Cluster {
    programs: PostgresPrograms,
    account: Account,
    folder: PathBuf,
    lifetime: Lifetime,
}

/// How the cluster came to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// It ran already.
    Running,
    /// It was started now.
    Started,
}

impl Cluster {
    /// The cluster of a data folder, made or not.
    pub(super) fn of(data: &DataFolder, id: &FolderId) -> Result<Self, Error> {
        let account = Account::for_postgres()?;
        let folder = cluster_folder(data, id, &account);
        refuse_special_characters(&folder)?;
        Ok(Self {
            programs: PostgresPrograms::find(&folder)?,
            account,
            folder,
            lifetime: data.lifetime,
        })
    }

    /// The cluster of a data folder, if it has been made.
    pub(super) fn made(data: &DataFolder, id: &FolderId) -> Result<Option<Self>, Error> {
        let folder = cluster_folder(data, id, &Account::for_postgres()?);
        if folder.exists() {
            Self::of(data, id).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Sees to it that the cluster runs: finds it running, or starts it, made new if need be. Gives its socket folder.
    pub(super) fn ensure_running(&self, sockets: &Path) -> Result<(PathBuf, Found), Error> {
        let deadline = Instant::now() + Duration::from_secs(WAIT_SECONDS_MAX);
        while Instant::now() < deadline {
            match Postmaster::of(&self.folder) {
                None => {
                    self.start(sockets)?;
                    return Ok((sockets.to_owned(), Found::Started));
                }
                Some(Postmaster {
                    status: Status::Ready,
                    socket_folder: Some(found),
                    ..
                }) => {
                    if socket(&found).exists() {
                        return Ok((found, Found::Running));
                    }
                    tracing::warn!("the socket of the running PostgreSQL is gone; restarting it");
                    self.stop()?;
                }
                Some(_) => std::thread::sleep(POLL_INTERVAL),
            }
        }
        Err(Error::TooSlow {
            server: "PostgreSQL",
            awaited: "ready",
            seconds: WAIT_SECONDS_MAX,
            log: self.log(),
        })
    }

    /// Stops the cluster if it runs. A temporary one need not write down what goes away with it.
    pub(super) fn stop(&self) -> Result<(), Error> {
        if Postmaster::of(&self.folder).is_none() {
            return Ok(());
        }
        let mode = match self.lifetime {
            Lifetime::Kept => "fast",
            Lifetime::Ephemeral => "immediate",
        };
        let output = self.pg_ctl(&["stop", "-w", "-m", mode])?;
        // It may have gone by itself in the meantime.
        if output.status.success() || Postmaster::of(&self.folder).is_none() {
            return Ok(());
        }
        Err(failed("pg_ctl", &output))
    }

    /// Removes what lies outside the data folder.
    pub(super) fn remove(&self) -> Result<(), Error> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(at(&self.folder)(error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Starts the cluster. After a crash its orphaned backends may need a moment to notice that they are alone, and until
    /// then PostgreSQL rightly refuses to start.
    fn start(&self, sockets: &Path) -> Result<(), Error> {
        if !self.folder.join("PG_VERSION").exists() {
            self.create()?;
        }
        let has_crashed = postmaster::file(&self.folder).exists();
        let deadline = Instant::now() + Duration::from_secs(ORPHAN_SECONDS_MAX);
        loop {
            match self.try_start(sockets) {
                Err(_) if has_crashed && Instant::now() < deadline => std::thread::sleep(POLL_INTERVAL),
                outcome => return outcome,
            }
        }
    }

    fn try_start(&self, sockets: &Path) -> Result<(), Error> {
        if postmaster::names_somebody_else(&self.folder) {
            remove_file(&postmaster::file(&self.folder))?;
            remove_file(&socket(sockets).with_extension("5432.lock"))?;
        }
        let log = self.log();
        let options = options(sockets);
        let output = self.pg_ctl(&["start", "-w", "-l", &log.to_string_lossy(), "-o", &options])?;
        if output.status.success() {
            return Ok(());
        }
        let text = fs::read_to_string(&log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        Err(Error::Program {
            program: "postgres",
            output: lines[lines.len().saturating_sub(LOG_LINES_SHOWN)..].join("\n"),
        })
    }

    /// Makes the cluster beside its place, so that an interrupted `initdb` leaves nothing that looks whole.
    fn create(&self) -> Result<(), Error> {
        let unfinished = self.folder.with_extension("new");
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished).map_err(at(&unfinished))?;
        }
        if let Some(parent) = self.folder.parent() {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o711)
                .create(parent)
                .map_err(at(parent))?;
        }
        self.account.make_private_folder(&unfinished)?;
        let mut command = self.account.command(&self.programs.program("initdb"));
        command.arg("-D").arg(&unfinished);
        command.args(["-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--no-locale"]);
        if self.lifetime == Lifetime::Ephemeral {
            command.arg("--no-sync");
        }
        let output = command.output().map_err(at(&self.programs.program("initdb")))?;
        if !output.status.success() {
            return Err(failed("initdb", &output));
        }
        fs::rename(&unfinished, &self.folder).map_err(at(&self.folder))
    }

    fn pg_ctl(&self, arguments: &[&str]) -> Result<Output, Error> {
        let program = self.programs.program("pg_ctl");
        let mut command = self.account.command(&program);
        command
            .arg("-D")
            .arg(&self.folder)
            .args(["-t", &WAIT_SECONDS_MAX.to_string()]);
        command.args(arguments).output().map_err(at(&program))
    }

    /// Inside the cluster's folder: the account that writes it owns nothing else.
    fn log(&self) -> PathBuf {
        self.folder.join("server.log")
    }
}

/// The address of a database of the cluster behind a socket folder.
pub(super) fn url(sockets: &Path, database: &str) -> String {
    format!(
        "postgres://{SUPERUSER}@localhost/{database}?host={}",
        sockets.display()
    )
}

/// In the data folder, unless the account cannot get there (a home folder is often closed to others).
fn cluster_folder(data: &DataFolder, id: &FolderId, account: &Account) -> PathBuf {
    let usual = data.join_path(CLUSTER);
    if usual.exists() || account.reaches(&data.path) {
        return usual;
    }
    Path::new(UNREACHABLE_CLUSTERS).join(id.as_str())
}

/// `pg_ctl` hands these to a shell; every value is free of special characters.
fn options(sockets: &Path) -> String {
    [
        "listen_addresses=".to_owned(),
        "port=5432".to_owned(),
        format!("unix_socket_directories={}", sockets.display()),
        "unix_socket_permissions=0700".to_owned(),
        format!("max_connections={CONNECTIONS_MAX}"),
        "fsync=on".to_owned(),
        "synchronous_commit=on".to_owned(),
        "full_page_writes=on".to_owned(),
    ]
    .map(|setting| format!("-c {setting}"))
    .join(" ")
}

fn socket(sockets: &Path) -> PathBuf {
    sockets.join(".s.PGSQL.5432")
}

/// `pg_ctl` puts the folder between double quotes for a shell, unescaped.
fn refuse_special_characters(folder: &Path) -> Result<(), Error> {
    let special = |byte: &u8| byte.is_ascii_control() || b"\"$`\\".contains(byte);
    if folder.as_os_str().as_encoded_bytes().iter().any(special) {
        return Err(Error::SpecialCharacters(folder.to_owned()));
    }
    Ok(())
}

fn remove_file(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(at(path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn failed(program: &'static str, output: &Output) -> Error {
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Error::Program {
        program,
        output: text.trim().to_owned(),
    }
}
