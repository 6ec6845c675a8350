//! Rules about the README, the migrations and the top level.

use crate::Finding;
use crate::tree::File;

/// What the README's Architecture section may have.
const ARCHITECTURE_LINES_MAX: usize = 150;

/// What may stand at the top level. Hidden files hold the tools' settings, so that the visible root stays as given.
const TOP_LEVEL: &[&str] = &[
    ".ci",
    ".clippy.toml",
    ".config",
    ".deny.toml",
    ".gitignore",
    ".rustfmt.toml",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "actors",
    "infra",
    "loadtests",
    "migrations",
    "schemas",
    "services",
];

/// An Architecture section that is missing, too long, or silent about a crate.
pub fn architecture_gaps(readme: &File, crates: &[&str]) -> Vec<Finding> {
    let at = readme.line_of("## Architecture");
    let section: Vec<&str> = readme
        .text
        .lines()
        .skip(at)
        .take_while(|line| !line.starts_with("## "))
        .collect();
    let finding = |mend: String| Finding::new(&readme.path, at, mend);
    let mut findings = Vec::new();
    if section.len() >= ARCHITECTURE_LINES_MAX {
        findings.push(finding(format!(
            "Architecture has {} lines: keep it under {ARCHITECTURE_LINES_MAX}",
            section.len()
        )));
    }
    let is_named = |name: &str| section.iter().any(|line| line.contains(&format!("`{name}`")));
    let silent = crates.iter().filter(|name| !is_named(name));
    findings.extend(silent.map(|name| {
        finding(format!(
            "Architecture does not name `{name}`: say in its code map what it is for"
        ))
    }));
    findings
}

/// Migrations that are not called `YYYYMMDDHHMMSS_what.sql`, or share their instant with another.
pub fn misnamed_migrations(migrations: &[&File]) -> Vec<Finding> {
    let stem = |file: &File| file.path.trim_start_matches("migrations/").to_owned();
    let instant = |file: &File| {
        stem(file)
            .chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
    };
    let is_named = |file: &File| {
        let rest = stem(file).split_off(instant(file).len());
        let subject = rest
            .strip_prefix('_')
            .and_then(|rest| rest.strip_suffix(".sql"))
            .unwrap_or_default();
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        instant(file).len() == 14 && !subject.is_empty() && subject.chars().all(is_word)
    };
    let is_alone = |file: &File| {
        migrations
            .iter()
            .filter(|other| instant(other) == instant(file))
            .count()
            == 1
    };
    let wrong = migrations
        .iter()
        .filter(|file| !is_named(file) || !is_alone(file));
    let mend = "a migration is `YYYYMMDDHHMMSS_what.sql`, moves forward only, and has an instant of its own";
    wrong.map(|file| Finding::new(&file.path, 1, mend)).collect()
}

/// Names at the top level that are not on the owner's list.
pub fn strangers_at_the_top(names: &[String]) -> Vec<Finding> {
    let strangers = names.iter().filter(|name| !TOP_LEVEL.contains(&name.as_str()));
    let mend = "the top level is fixed: put this below actors/, services/ or infra/, or into .gitignore";
    strangers.map(|name| Finding::new(name, 1, mend)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_crate_that_the_section_does_not_name_is_found() {
        let readme = file("README.md", "`b`\n## Architecture\n`a`\n## Glossary\n`b`\n");
        assert_eq!(architecture_gaps(&readme, &["a"]), []);
        assert_eq!(architecture_gaps(&readme, &["a", "b"]).len(), 1);
    }

    #[test]
    fn a_long_section_is_found() {
        let readme = file("README.md", &format!("## Architecture\n{}", "line\n".repeat(150)));
        assert_eq!(architecture_gaps(&readme, &[]).len(), 1);
    }

    #[test]
    fn a_migration_with_another_name_is_found() {
        let good = file("migrations/20261130120000_run_events.sql", "");
        assert_eq!(misnamed_migrations(&[&good]), []);
        for name in [
            "1_x.sql",
            "20261130120000_run_events.down.sql",
            "20261130120000.sql",
            "20261130120000_Runs.sql",
        ] {
            assert_eq!(
                misnamed_migrations(&[&file(&format!("migrations/{name}"), "")]).len(),
                1,
                "{name}"
            );
        }
        let twin = file("migrations/20261130120000_roles.sql", "");
        assert_eq!(misnamed_migrations(&[&good, &twin]).len(), 2);
    }

    #[test]
    fn a_stranger_at_the_top_is_found() {
        assert_eq!(
            strangers_at_the_top(&["actors".to_owned(), "crates".to_owned()]).len(),
            1
        );
    }
}
