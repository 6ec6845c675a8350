//! `baton process publish PATH --role NAME=GROUP …`

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::entry::Entry;
use crate::output::Streams;
use crate::server::{Answer, ServerArguments};
use crate::source::explain;
use crate::{Outcome, OutputFormat};

/// What the same text again does.
const REMAPPED: &str =
    "  roles  mean the groups that were named, and open work items have moved to them; the others stay";

/// Groups to choose from.
const GROUPS_TOLD: usize = 100;

/// A role cannot be mapped to two groups.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("--role names `{0}` more than once; a role has one group")]
struct RoleTwice(String);

/// The arguments of `publish`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A PROCESS.md file, or the folder that holds it
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The group whose members do the work of a role; a role that has a group already may be left out
    #[arg(long = "role", value_name = "NAME=GROUP", value_parser = role)]
    roles: Vec<(String, String)>,
    #[command(flatten)]
    server: ServerArguments,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = OutputFormat::Json)]
    format: OutputFormat,
}

/// A file with errors is not sent: its problems are shown as `check` shows them.
pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> io::Result<Outcome> {
    let roles = match each_once(&arguments.roles) {
        Ok(roles) => roles,
        Err(error) => return cannot_run(streams, &error),
    };
    let entry = match Entry::read(&arguments.path) {
        Ok(entry) => entry,
        Err(error) => return cannot_run(streams, &error),
    };
    if entry.outcome() != Outcome::Valid {
        entry.write_problems(streams.err)?;
        entry.write_summary(streams.err)?;
        return Ok(Outcome::Problems);
    }
    let body = json!({"source": entry.text(), "roles": roles});
    match arguments.server.post("processes/publish", &body) {
        Ok(answer) => {
            let outcome = show(&answer, arguments.format, streams)?;
            if is_about_roles(&answer) {
                write_groups(&arguments.server, streams.err)?;
            }
            Ok(outcome)
        }
        Err(error) => cannot_run(streams, &error),
    }
}

fn show(answer: &Answer, format: OutputFormat, streams: &mut Streams<'_>) -> io::Result<Outcome> {
    match answer.status {
        200 | 201 => {
            let version = &answer.body;
            match format {
                OutputFormat::Json => {
                    let short = json!({
                        "name": version["name"], "version": version["version"], "contentHash": version["contentHash"],
                    });
                    writeln!(streams.out, "{short}")?;
                }
                OutputFormat::Human => {
                    let (name, number) = (text(&version["name"]), &version["version"]);
                    let verb = if version["unchanged"] == true {
                        "is already"
                    } else {
                        "is now"
                    };
                    writeln!(streams.out, "{name} {verb} version {number}")?;
                    writeln!(streams.out, "  hash   {}", text(&version["contentHash"]))?;
                    if version["unchanged"] == true {
                        writeln!(streams.out, "{REMAPPED}")?;
                    }
                }
            }
            write_problems(version, streams.err)?;
            Ok(Outcome::Valid)
        }
        status => {
            write_error(&answer.body, streams.err)?;
            if let Some(advice) = advice(answer) {
                writeln!(streams.err, "  {advice}")?;
            }
            Ok(match status {
                400 | 422 => Outcome::Problems,
                _ => Outcome::CannotRun,
            })
        }
    }
}

/// What the server refuses, with everything that it names.
fn write_error(body: &Value, err: &mut dyn Write) -> io::Result<()> {
    let message = text(&body["error"]["message"]);
    let message = message
        .split_once("; see ")
        .map_or(message, |(message, _)| message); // They follow.
    writeln!(err, "baton: {message}")?;
    for issue in body["error"]["issues"].as_array().into_iter().flatten() {
        writeln!(err, "  {}", text(issue))?;
    }
    write_problems(body, err)
}

/// What to do about a refusal, where it is for this command to say.
fn advice(answer: &Answer) -> Option<&'static str> {
    match answer.status {
        401 => Some(
            "use the token of an admin in --token (or BATON_TOKEN), of the organization in --org (or BATON_ORG)",
        ),
        404 => {
            Some("write --url (or BATON_URL) as the server's address alone, such as http://127.0.0.1:8080")
        }
        _ if is_about_roles(answer) => Some(
            "name a group for each role that has none yet, and for no role of another process, with --role NAME=GROUP",
        ),
        _ => None,
    }
}

/// Whether roles are named wrongly, or too few of them.
fn is_about_roles(answer: &Answer) -> bool {
    let issues = answer.body["error"]["issues"].as_array();
    issues.is_some_and(|issues| issues.iter().any(|issue| text(issue).starts_with("roles.")))
}

/// The groups to choose from. A server that does not tell them has refused the publication all the same.
fn write_groups(server: &ServerArguments, err: &mut dyn Write) -> io::Result<()> {
    match server.get(&format!("groups?limit={GROUPS_TOLD}")) {
        Ok(answer) if answer.status == 200 => writeln!(err, "  {}", groups(&answer.body)),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Groups in one line, in the order of their names.
fn groups(page: &Value) -> String {
    let items = page["items"].as_array().into_iter().flatten();
    let mut names: Vec<_> = items.map(|group| text(&group["name"])).collect();
    if names.is_empty() {
        return "this organization has no groups yet".to_owned();
    }
    names.sort_unstable();
    let more = if page["nextCursor"].is_string() {
        ", …"
    } else {
        ""
    };
    format!("groups of this organization: {}{more}", names.join(", "))
}

fn write_problems(body: &Value, err: &mut dyn Write) -> io::Result<()> {
    for problem in body["problems"].as_array().into_iter().flatten() {
        let (line, column) = (&problem["line"], &problem["column"]);
        let (severity, message) = (text(&problem["severity"]), text(&problem["message"]));
        writeln!(err, "  {line}:{column}: {severity}: {message}")?;
    }
    Ok(())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn cannot_run(streams: &mut Streams<'_>, error: &dyn std::error::Error) -> io::Result<Outcome> {
    writeln!(streams.err, "baton: {}", explain(error))?;
    Ok(Outcome::CannotRun)
}

/// `NAME=GROUP`; a role's name may have any character but `=`.
fn role(argument: &str) -> Result<(String, String), &'static str> {
    match argument.split_once('=') {
        Some((role, group)) if !role.is_empty() && !group.is_empty() => {
            Ok((role.to_owned(), group.to_owned()))
        }
        _ => Err("write it as NAME=GROUP"),
    }
}

fn each_once(named: &[(String, String)]) -> Result<BTreeMap<&str, &str>, RoleTwice> {
    let mut roles = BTreeMap::new();
    for (role, group) in named {
        if roles.insert(role.as_str(), group.as_str()).is_some() {
            return Err(RoleTwice(role.clone()));
        }
    }
    Ok(roles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &Answer, format: OutputFormat, expected: (Outcome, &str, &str)) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams = Streams {
            out: &mut out,
            err: &mut err,
        };
        let outcome = show(answer, format, &mut streams).expect("memory takes everything");
        let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
        assert_eq!((outcome, &*out, &*err), expected);
    }

    #[test]
    fn a_published_version_is_shown() {
        let answer = Answer {
            status: 201,
            body: json!({"name": "p", "version": 2, "contentHash": "sha256:00", "unchanged": false, "problems": []}),
        };
        let line = "{\"contentHash\":\"sha256:00\",\"name\":\"p\",\"version\":2}\n";
        check(&answer, OutputFormat::Json, (Outcome::Valid, line, ""));
        let page = "p is now version 2\n  hash   sha256:00\n";
        check(&answer, OutputFormat::Human, (Outcome::Valid, page, ""));
    }

    #[test]
    fn the_same_text_again_maps_the_roles_anew() {
        let answer = Answer {
            status: 200,
            body: json!({"name": "p", "version": 2, "contentHash": "sha256:00", "unchanged": true, "problems": []}),
        };
        let page = format!("p is already version 2\n  hash   sha256:00\n{REMAPPED}\n");
        check(&answer, OutputFormat::Human, (Outcome::Valid, &page, ""));
    }

    #[test]
    fn a_refusal_names_everything_that_is_wrong() {
        let answer = Answer {
            status: 422,
            body: json!({
                "error": {"code": "not_accepted", "message": "no; see issues", "issues": ["roles.clerk: missing"]},
                "problems": [{"line": 3, "column": 1, "severity": "error", "message": "Not yet."}],
            }),
        };
        let said = "baton: no\n  roles.clerk: missing\n  3:1: error: Not yet.\n  \
                    name a group for each role that has none yet, and for no role of another process, with --role NAME=GROUP\n";
        check(&answer, OutputFormat::Json, (Outcome::Problems, "", said));
        let answer = Answer {
            status: 401,
            body: json!({"error": {"code": "unauthorized", "message": "no"}}),
        };
        let said = "baton: no\n  \
                    use the token of an admin in --token (or BATON_TOKEN), of the organization in --org (or BATON_ORG)\n";
        check(&answer, OutputFormat::Json, (Outcome::CannotRun, "", said));
    }

    #[test]
    fn groups_to_choose_from_are_told_by_name() {
        let page = json!({"items": [{"name": "legal"}, {"name": "finance"}]});
        assert_eq!(groups(&page), "groups of this organization: finance, legal");
        let page = json!({"items": [{"name": "legal"}], "nextCursor": "x"});
        assert_eq!(groups(&page), "groups of this organization: legal, …");
        assert_eq!(
            groups(&json!({"items": []})),
            "this organization has no groups yet"
        );
    }

    #[test]
    fn a_role_is_written_with_its_group() {
        assert_eq!(
            role("clerk=finance"),
            Ok(("clerk".to_owned(), "finance".to_owned()))
        );
        assert_eq!(role("clerk=a=b"), Ok(("clerk".to_owned(), "a=b".to_owned())));
        for wrong in ["clerk", "clerk=", "=finance"] {
            assert!(role(wrong).is_err(), "{wrong}");
        }
    }
}
