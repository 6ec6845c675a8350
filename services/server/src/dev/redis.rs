//! A private Redis of the data folder, when the machine has the program. It holds no truth: without it the server works too.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::account::Account;
use super::error::{Error, at};
use super::folder::DataFolder;
use super::programs;

const SOCKET: &str = "redis.sock";
const FOLDER: &str = "redis";
const WAIT_SECONDS_MAX: u64 = 20;
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// How long one answer may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// Sees to it that Redis runs, and gives its address; none when the machine has no Redis.
pub(super) fn ensure_running(data: &DataFolder, sockets: &Path) -> Result<Option<String>, Error> {
    let socket = sockets.join(SOCKET);
    let url = format!("unix://{}", socket.display());
    if ask(&socket, "PING").is_some() {
        wait_until_ready(&socket, &log(data))?;
        return Ok(Some(url));
    }
    let Some(program) = programs::redis_program() else {
        return Ok(None);
    };
    start(&program, data, &socket)?;
    wait_until_ready(&socket, &log(data))?;
    Ok(Some(url))
}

/// Stops it if it runs.
pub(super) fn stop(sockets: &Path) {
    let socket = sockets.join(SOCKET);
    let deadline = Instant::now() + Duration::from_secs(WAIT_SECONDS_MAX);
    // It closes the connection without an answer and takes its socket away when it has written everything down.
    while ask(&socket, "SHUTDOWN").is_some() && Instant::now() < deadline {
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn start(program: &Path, data: &DataFolder, socket: &Path) -> Result<(), Error> {
    let folder = data.join_path(FOLDER);
    Account::Own.make_private_folder(&folder)?;
    let mut command = Account::Own.command(program);
    command.args([
        "--port",
        "0",
        "--unixsocketperm",
        "700",
        "--save",
        "",
        "--appendonly",
        "yes",
    ]);
    command.args(["--daemonize", "yes", "--pidfile", ""]);
    command.arg("--unixsocket").arg(socket);
    command.arg("--dir").arg(&folder).arg("--logfile").arg(log(data));
    let output = command.output().map_err(at(program))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Program {
        program: "redis-server",
        output: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}

fn wait_until_ready(socket: &Path, log: &Path) -> Result<(), Error> {
    let deadline = Instant::now() + Duration::from_secs(WAIT_SECONDS_MAX);
    while ask(socket, "PING").as_deref() != Some("+PONG") {
        if Instant::now() > deadline {
            return Err(Error::TooSlow {
                server: "Redis",
                awaited: "ready",
                seconds: WAIT_SECONDS_MAX,
                log: log.to_owned(),
            });
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

/// The first line of the answer to a command; none when nobody answers.
fn ask(socket: &Path, command: &str) -> Option<String> {
    let mut stream = UnixStream::connect(socket).ok()?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT)).ok()?;
    stream.write_all(format!("{command}\r\n").as_bytes()).ok()?;
    let mut answer = [0; 64];
    let length = stream.read(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer[..length]).trim().to_owned())
}

fn log(data: &DataFolder) -> PathBuf {
    data.join_path(FOLDER).join("server.log")
}
