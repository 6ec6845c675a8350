//! One `baton dev` under test: started, waited for, ended. Whatever a failed test leaves is ended on drop.

use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

/// Generous: the machine may be busy.
const READY_SECONDS_MAX: u64 = 120;
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A running binary.
pub(crate) struct Server {
    child: Child,
    folder: Folder,
}

/// A temporary folder.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn text(&self) -> String {
        self.0.path().to_string_lossy().into_owned()
    }
}

/// A data folder's place.
pub(crate) fn temporary_folder() -> Folder {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // PostgreSQL's account must get through.
    fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("ours");
    Folder(folder)
}

/// A process that waits for the end of its standard input, under the account that owns a folder.
pub(crate) struct Bystander(Child);

impl Bystander {
    pub(crate) fn of_the_owner_of(folder: &Path) -> Self {
        let owner = fs::metadata(folder).expect("it is there");
        let mut command = Command::new("cat");
        if nix::unistd::geteuid().is_root() {
            command.uid(owner.uid()).gid(owner.gid());
        }
        let child = command
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        Self(child.expect("cat runs"))
    }

    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Whether `nohup` started the tests: whom they start inherits that.
pub(crate) fn is_hangup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // SIGHUP is the lowest bit.
    mask.and_then(|mask| mask.chars().last()?.to_digit(16))
        .is_some_and(|digit| digit & 1 == 1)
}

/// Waits for a condition; another test's server may be the one that brings it about.
pub(crate) fn until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(READY_SECONDS_MAX);
    while !condition() {
        assert!(Instant::now() < deadline, "it did not come about");
        std::thread::sleep(POLL_INTERVAL);
    }
}

impl Server {
    /// Starts it and waits until it is ready.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let server = Self::spawn(arguments);
        server.ready();
        server
    }

    /// Starts it on any port unless one is given.
    pub(crate) fn spawn(arguments: &[&str]) -> Self {
        Self::spawn_on(None, arguments)
    }

    /// The same on a given database.
    pub(crate) fn spawn_on(database_url: Option<&str>, arguments: &[&str]) -> Self {
        let folder = temporary_folder();
        let mut command = Command::new(env!("CARGO_BIN_EXE_baton"));
        command.arg("dev").args(arguments);
        if !arguments.contains(&"--port") {
            command.args(["--port", "0"]);
        }
        command.env_remove("DATABASE_URL").env_remove("REDIS_URL");
        if let Some(url) = database_url {
            command.env("DATABASE_URL", url);
        }
        let child = command
            .arg("--ready-file")
            .arg(folder.path().join("ready.json"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.path().join("stderr")).expect("a file for stderr"))
            .spawn()
            .expect("the binary runs");
        Self { child, folder }
    }

    /// The ready file, waited for.
    pub(crate) fn ready(&self) -> Value {
        let path = self.folder.path().join("ready.json");
        let pid = Pid::from_raw(self.child.id().cast_signed());
        let deadline = Instant::now() + Duration::from_secs(READY_SECONDS_MAX);
        loop {
            if let Ok(text) = fs::read(&path) {
                return serde_json::from_slice(&text).expect("the ready file is whole");
            }
            let ended = nix::sys::wait::waitid(
                nix::sys::wait::Id::Pid(pid),
                nix::sys::wait::WaitPidFlag::WEXITED
                    | nix::sys::wait::WaitPidFlag::WNOHANG
                    | nix::sys::wait::WaitPidFlag::WNOWAIT,
            );
            let ended = !matches!(ended, Ok(nix::sys::wait::WaitStatus::StillAlive));
            assert!(
                !ended && Instant::now() < deadline,
                "not ready: {}",
                self.stderr()
            );
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The folder in the database's address.
    pub(crate) fn socket_folder(&self) -> PathBuf {
        let ready = self.ready();
        let url = ready["databaseUrl"].as_str().expect("an address").to_owned();
        PathBuf::from(url.split_once("?host=").expect("a socket").1)
    }

    /// The data folder, as the running PostgreSQL shows it: the file of locks names the cluster's folder.
    pub(crate) fn data_folder(&self) -> PathBuf {
        let lock = self.socket_folder().join(".s.PGSQL.5432.lock");
        let text = fs::read_to_string(lock).expect("it runs");
        let cluster = PathBuf::from(text.lines().nth(1).expect("the cluster's folder"));
        cluster.parent().expect("a data folder").to_owned()
    }

    pub(crate) fn postgres_is_running(&self) -> bool {
        std::os::unix::net::UnixStream::connect(self.socket_folder().join(".s.PGSQL.5432")).is_ok()
    }

    /// Status and body of a GET.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let url = self.url(path);
        wait_for(async {
            let response = reqwest::get(url).await.expect("an answer");
            (response.status().as_u16(), response.text().await.expect("a body"))
        })
    }

    /// Status and JSON of a POST, as the holder of a token.
    pub(crate) fn post(&self, path: &str, token: &str, body: &Value) -> (u16, Value) {
        let request = reqwest::Client::new()
            .post(self.url(path))
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .bearer_auth(token)
            .json(body);
        wait_for(async {
            let response = request.send().await.expect("an answer");
            let status = response.status().as_u16();
            let bytes = response.bytes().await.expect("a body");
            (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
        })
    }

    /// What a tool answers to an agent of an organization.
    pub(crate) fn call(
        &self,
        organization: &str,
        token: &str,
        tool: &str,
        arguments: &Value,
    ) -> (u16, Value) {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments,
        }});
        let (status, answer) = self.post(&format!("/o/{organization}/mcp"), token, &message);
        (status, answer["result"]["structuredContent"].clone())
    }

    /// The token of agent `alpha` in `demo`.
    pub(crate) fn agent_token(&self) -> String {
        text(&self.ready()["tokens"]["agents"]["alpha"])
    }

    /// The token of a person in `demo`.
    pub(crate) fn person_token(&self, email: &str) -> String {
        text(&self.ready()["tokens"]["people"][email])
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", text(&self.ready()["url"]))
    }

    pub(crate) fn terminate(mut self) -> ExitStatus {
        self.signal(Signal::SIGTERM);
        self.child.wait().expect("it ends")
    }

    pub(crate) fn interrupt(mut self) -> ExitStatus {
        self.signal(Signal::SIGINT);
        self.child.wait().expect("it ends")
    }

    pub(crate) fn hang_up(mut self) -> ExitStatus {
        self.signal(Signal::SIGHUP);
        self.child.wait().expect("it ends")
    }

    pub(crate) fn kill(mut self) {
        self.signal(Signal::SIGKILL);
        self.child.wait().expect("it ends");
    }

    /// As when the machine loses its power: the server and its PostgreSQL at once.
    pub(crate) fn kill_with_postgres(mut self) {
        let file = self.data_folder().join("postgres/postmaster.pid");
        let text = fs::read_to_string(file).expect("it runs");
        let postmaster: i32 = text
            .lines()
            .next()
            .expect("a process id")
            .parse()
            .expect("a number");
        self.signal(Signal::SIGKILL);
        kill(Pid::from_raw(postmaster), Signal::SIGKILL).expect("it ran");
        self.child.wait().expect("it ends");
    }

    /// How it ended by itself, and what it said.
    pub(crate) fn outcome(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("it ends");
        (status, self.stderr())
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().cast_signed()), signal).expect("it runs");
    }

    /// What it has said so far.
    pub(crate) fn stderr(&self) -> String {
        let mut text = String::new();
        let mut file = fs::File::open(self.folder.path().join("stderr")).expect("it was made");
        file.read_to_string(&mut text).expect("it is text");
        text
    }
}

/// The text of a JSON string.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Runs one future.
pub(crate) fn wait_for<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(future)
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.signal(Signal::SIGTERM);
            let _ = self.child.wait();
        }
    }
}
