//! `postmaster.pid`: how a cluster that runs is found again, whoever started it.

use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::signal::kill;
use nix::unistd::Pid;

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Postmaster {
    /// The process.
    pid: u32,
    /// Where its socket is; none while it starts.
    pub(super) socket_folder: Option<PathBuf>,
    /// What it is doing.
    pub(super) status: Status,
}

/// What a postmaster says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// Not yet ready.
    Starting,
    /// Takes connections.
    Ready,
    /// On its way out.
    Stopping,
}

impl Postmaster {
    /// The postmaster of a cluster, if one is alive. A file left by a crash names a process that is gone, or is by now
    /// somebody else.
    pub(super) fn of(cluster: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(file(cluster)).ok()?;
        let found = Self::parse(&text)?;
        is_postmaster(found.pid, cluster).then_some(found)
    }

    /// The lines are: process, data folder, start time, port, socket folder, address, shared memory, status.
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(str::trim);
        let pid = lines.next()?.parse().ok()?;
        let socket_folder = lines.nth(3).filter(|line| !line.is_empty()).map(PathBuf::from);
        let status = match lines.nth(2) {
            Some("ready") => Status::Ready,
            Some("stopping") => Status::Stopping,
            _ => Status::Starting,
        };
        Some(Self {
            pid,
            socket_folder,
            status,
        })
    }
}

/// The file of a cluster.
pub(super) fn file(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

/// Whether the file names a live process that is not the cluster's postmaster. PostgreSQL would take it for one and
/// refuse to start; a process that is gone it handles by itself.
pub(super) fn names_somebody_else(cluster: &Path) -> bool {
    let named = std::fs::read_to_string(file(cluster))
        .ok()
        .and_then(|text| Postmaster::parse(&text));
    named.is_some_and(|found| is_alive(found.pid) && !is_postmaster(found.pid, cluster))
}

/// A process that has ended and is not yet collected by its parent counts as alive here, as it does for PostgreSQL.
fn is_alive(pid: u32) -> bool {
    kill(Pid::from_raw(pid.cast_signed()), None).is_ok()
}

/// A postmaster works in its cluster's folder. Where the system does not show that, its name must do.
fn is_postmaster(pid: u32, cluster: &Path) -> bool {
    if Path::new("/proc/self/cwd").exists() {
        return std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|folder| folder == cluster);
    }
    Command::new("ps")
        .args(["-o", "args=", "-p", &pid.to_string()])
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("postgres"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_at_every_stage_of_its_writing() {
        let cases = [
            ("123\n", None, Status::Starting),
            (
                "123\n/d\n1700000000\n5432\n/sockets\n\n",
                Some("/sockets"),
                Status::Starting,
            ),
            (
                "123\n/d\n1700000000\n5432\n/sockets\n\n  54 1\nstarting\n",
                Some("/sockets"),
                Status::Starting,
            ),
            (
                "123\n/d\n1700000000\n5432\n/sockets\n\n  54 1\nready   \n",
                Some("/sockets"),
                Status::Ready,
            ),
            (
                "123\n/d\n1700000000\n5432\n/sockets\n\n  54 1\nstopping\n",
                Some("/sockets"),
                Status::Stopping,
            ),
        ];
        for (text, socket_folder, status) in cases {
            let expected = Postmaster {
                pid: 123,
                socket_folder: socket_folder.map(PathBuf::from),
                status,
            };
            assert_eq!(Postmaster::parse(text), Some(expected), "{text:?}");
        }
        assert_eq!(Postmaster::parse(""), None);
        assert_eq!(Postmaster::parse("not a number\n"), None);
    }

    #[test]
    fn a_file_that_names_somebody_else_is_stale() {
        let cluster = tempfile::tempdir().expect("a temporary folder");
        let this_test = std::process::id();
        std::fs::write(
            file(cluster.path()),
            format!("{this_test}\n/d\n1\n5432\n/sockets\n\n  5 1\nready\n"),
        )
        .expect("written");
        assert_eq!(Postmaster::of(cluster.path()), None);
        assert!(names_somebody_else(cluster.path()));
    }
}
