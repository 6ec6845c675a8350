//! The PostgreSQL of a data folder, ended and started past the server.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};

use crate::support::{Server, until};

/// The cluster, found while it runs.
pub(crate) struct Cluster {
    folder: PathBuf,
    pg_ctl: PathBuf,
}

impl Cluster {
    pub(crate) fn of(server: &Server) -> Self {
        let folder = server.data_folder().join("postgres");
        let command = fs::read_to_string(folder.join("postmaster.opts")).expect("it was started");
        let postgres = PathBuf::from(command.split_whitespace().next().expect("its program"));
        Self {
            pg_ctl: postgres.with_file_name("pg_ctl"),
            folder,
        }
    }

    /// Only the first of its processes: the others find out that they are alone.
    pub(crate) fn kill_postmaster(&self) {
        kill(self.postmaster(), Signal::SIGKILL).expect("it runs");
    }

    /// All of its processes, as when the machine loses its power.
    pub(crate) fn kill_all(&self) {
        let postmaster = self.postmaster();
        // Nobody has children while it is stopped.
        kill(postmaster, Signal::SIGSTOP).expect("it runs");
        let children = children_of(postmaster);
        for pid in children.into_iter().chain([postmaster]) {
            // One that has ended by itself is as dead.
            let _ = kill(pid, Signal::SIGKILL);
        }
    }

    /// Told to drop everything.
    pub(crate) fn stop_at_once(&self) {
        let output = self.run(&["stop", "-w", "-m", "immediate"]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// As it was started before. Orphans of a killed postmaster may need a moment to go.
    pub(crate) fn start(&self) {
        until(|| {
            let log = self.folder.join("server.log");
            self.run(&["restart", "-w", "-l", &log.to_string_lossy()])
                .status
                .success()
        });
    }

    fn postmaster(&self) -> Pid {
        let text = fs::read_to_string(self.folder.join("postmaster.pid")).expect("it runs");
        Pid::from_raw(
            text.lines()
                .next()
                .and_then(|line| line.parse().ok())
                .expect("a process id"),
        )
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let owner = fs::metadata(&self.folder).expect("it is there");
        let mut command = Command::new(&self.pg_ctl);
        if geteuid().is_root() {
            command.uid(owner.uid()).gid(owner.gid());
        }
        command
            .current_dir("/")
            .stdin(Stdio::null())
            .arg("-D")
            .arg(&self.folder);
        command.args(arguments).output().expect("pg_ctl runs")
    }
}

fn children_of(parent: Pid) -> Vec<Pid> {
    let output = Command::new("ps")
        .args(["-o", "pid=", "--ppid", &parent.to_string()])
        .output()
        .expect("ps runs");
    let pids = String::from_utf8_lossy(&output.stdout).into_owned();
    pids.split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .map(Pid::from_raw)
        .collect()
}
