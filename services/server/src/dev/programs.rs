//! Where the machine keeps the programs of PostgreSQL and Redis.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use store_pg::POSTGRES_MAJOR_MIN;

use super::error::Error;

/// Names the folder of PostgreSQL's programs, before any other.
const POSTGRES_FOLDER_VARIABLE: &str = "BATON_POSTGRES_BIN";
/// Names the Redis server program, before any other.
const REDIS_PROGRAM_VARIABLE: &str = "BATON_REDIS_SERVER";
/// What a folder must have to be PostgreSQL's.
const POSTGRES_PROGRAMS: [&str; 3] = ["initdb", "pg_ctl", "postgres"];
/// Folders that hold one folder a version, each with a `bin`.
const VERSIONED_FOLDERS: [(&str, &str); 4] = [
    ("/usr/lib/postgresql", ""),
    ("/usr", "pgsql-"),
    ("/opt/homebrew/opt", "postgresql"),
    ("/usr/local/opt", "postgresql"),
];

/// One installed PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PostgresPrograms {
    /// The folder of `initdb`, `pg_ctl` and `postgres`.
    pub(super) folder: PathBuf,
    /// Its major version, such as `15`.
    pub(super) major: String,
}

impl PostgresPrograms {
    /// The PostgreSQL for a cluster: the version that made it, or for a new one the first that will do.
    pub(super) fn find(cluster: &Path) -> Result<Self, Error> {
        choose(installed_postgres(), made_by(cluster).as_deref(), cluster)
    }

    /// Whether it has all that the migrations use.
    fn is_new_enough(&self) -> bool {
        version_in(&self.major) >= POSTGRES_MAJOR_MIN
    }

    /// The path of one program.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// The first that fits the version that made the cluster.
fn choose(
    installed: Vec<PostgresPrograms>,
    made_by: Option<&str>,
    cluster: &Path,
) -> Result<PostgresPrograms, Error> {
    let found: Vec<String> = installed.iter().map(|programs| programs.major.clone()).collect();
    let mut usable = installed.into_iter().filter(PostgresPrograms::is_new_enough);
    match made_by {
        _ if found.is_empty() => Err(Error::PostgresMissing),
        None => usable.next().ok_or(Error::PostgresTooOld { found }),
        Some(major) => usable
            .find(|programs| programs.major == major)
            .ok_or_else(|| Error::OtherMajor {
                folder: cluster.to_owned(),
                made_by: major.to_owned(),
                found,
            }),
    }
}

/// The major version in a cluster's `PG_VERSION`; none for a cluster that does not exist yet.
fn made_by(cluster: &Path) -> Option<String> {
    let text = std::fs::read_to_string(cluster.join("PG_VERSION")).ok()?;
    Some(text.trim().to_owned())
}

/// Every PostgreSQL of the machine, the preferred one first.
fn installed_postgres() -> Vec<PostgresPrograms> {
    let mut found: Vec<PostgresPrograms> = Vec::new();
    for folder in postgres_folders() {
        let Ok(folder) = folder
            .join("postgres")
            .canonicalize()
            .map(|program| parent(&program))
        else {
            continue;
        };
        let complete = POSTGRES_PROGRAMS.iter().all(|name| folder.join(name).is_file());
        if !complete || found.iter().any(|programs| programs.folder == folder) {
            continue;
        }
        if let Some(major) = output_of(&folder.join("postgres"), "--version").and_then(|text| major_of(&text))
        {
            found.push(PostgresPrograms { folder, major });
        }
    }
    found
}

/// Where to look: the setting, `PATH`, what `pg_config` says, then the usual places, newest version first.
fn postgres_folders() -> Vec<PathBuf> {
    let setting = std::env::var_os(POSTGRES_FOLDER_VARIABLE).map(PathBuf::from);
    let configured = output_of(Path::new("pg_config"), "--bindir").map(|text| PathBuf::from(text.trim()));
    let usual = VERSIONED_FOLDERS
        .iter()
        .flat_map(|(folder, prefix)| versions_in(Path::new(folder), prefix));
    setting
        .into_iter()
        .chain(search_path())
        .chain(configured)
        .chain(usual)
        .collect()
}

/// The `bin` folders below a folder of versions, newest first.
fn versions_in(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.starts_with(prefix))
        .collect();
    names.sort_by_key(|name| std::cmp::Reverse(version_in(name)));
    names.iter().map(|name| folder.join(name).join("bin")).collect()
}

/// The first number in a name; 0 when there is none.
fn version_in(name: &str) -> u32 {
    let digits: String = name
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap_or(0)
}

/// The major version in what `postgres --version` prints.
fn major_of(text: &str) -> Option<String> {
    let version = version_in(text.strip_prefix("postgres (PostgreSQL)")?);
    (version > 0).then(|| version.to_string())
}

/// The Redis server program, if the machine has one.
pub(super) fn redis_program() -> Option<PathBuf> {
    let setting = std::env::var_os(REDIS_PROGRAM_VARIABLE).map(PathBuf::from);
    let named = ["redis-server", "valkey-server"].into_iter().flat_map(|name| {
        search_path()
            .chain(["/opt/homebrew/bin".into(), "/usr/local/bin".into()])
            .map(move |folder| folder.join(name))
    });
    setting.into_iter().chain(named).find(|program| program.is_file())
}

fn search_path() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).collect::<Vec<_>>().into_iter()
}

fn parent(program: &Path) -> PathBuf {
    program.parent().map(Path::to_owned).unwrap_or_default()
}

/// What a program prints for one argument; none when it cannot run or fails.
fn output_of(program: &Path, argument: &str) -> Option<String> {
    let output = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(majors: &[&str]) -> Vec<PostgresPrograms> {
        majors
            .iter()
            .map(|major| PostgresPrograms {
                folder: PathBuf::from(format!("/pg/{major}/bin")),
                major: (*major).to_owned(),
            })
            .collect()
    }

    #[test]
    fn a_cluster_gets_the_version_that_made_it() {
        let chosen = choose(installed(&["17", "15"]), Some("15"), Path::new("/data")).expect("15 is there");
        assert_eq!(chosen.major, "15");
    }

    #[test]
    fn a_new_cluster_gets_the_first_that_is_found() {
        let chosen = choose(installed(&["15", "17"]), None, Path::new("/data")).expect("there are two");
        assert_eq!(chosen.major, "15");
    }

    #[test]
    fn another_major_version_is_refused_by_name() {
        let error = choose(installed(&["16"]), Some("15"), Path::new("/data")).expect_err("15 is missing");
        assert!(
            error
                .to_string()
                .starts_with("/data was made by PostgreSQL 15, and only 16 is installed.")
        );
    }

    #[test]
    fn versions_before_14_are_passed_over() {
        let chosen = choose(installed(&["13", "14"]), None, Path::new("/data")).expect("14 will do");
        assert_eq!(chosen.major, "14");
        let error = choose(installed(&["13", "9"]), None, Path::new("/data")).expect_err("too old");
        let message = error.to_string();
        assert!(message.starts_with("Baton needs PostgreSQL 14 or later, and only 13, 9 is installed."));
    }

    #[test]
    fn no_postgres_names_the_package() {
        let error = choose(Vec::new(), None, Path::new("/data")).expect_err("there is none");
        assert!(error.to_string().contains("apt-get install postgresql"));
    }

    #[test]
    fn versions_are_read_from_names_and_from_what_programs_print() {
        let cases = [
            ("15", 15),
            ("pgsql-16", 16),
            ("postgresql@17", 17),
            ("postgresql", 0),
        ];
        for (name, version) in cases {
            assert_eq!(version_in(name), version, "{name}");
        }
        assert_eq!(
            major_of("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n").as_deref(),
            Some("15")
        );
        assert_eq!(major_of("postgres (PostgreSQL) 18beta1\n").as_deref(), Some("18"));
        assert_eq!(major_of("something else 3"), None);
    }
}
