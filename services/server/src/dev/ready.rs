//! What is said when the server is ready: the ready file for programs, a page for people.

use std::fmt::{self, Display, Write};
use std::io;
use std::path::Path;

use serde::Serialize;
use serde_json::json;

use super::address::without_password;
use super::credentials::{Credentials, Tokens};
use super::demo;
use super::error::{Error, at};
use super::folder::write_atomically;
use super::written_secret::WrittenSecret;

/// Where everything is.
#[derive(Debug, Clone)]
pub(super) struct Addresses {
    /// The server, without a slash at the end.
    pub(super) url: String,
    /// The database.
    pub(super) database_url: WrittenSecret,
    /// Redis, if there is one.
    pub(super) redis_url: Option<WrittenSecret>,
}

/// The content of the ready file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ready {
    #[serde(flatten)]
    first: Organization,
    /// Every organization, the first one too.
    orgs: Vec<Organization>,
}

/// One organization's part; the whole file has the same shape.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Organization {
    url: String,
    org: String,
    mcp: String,
    api: String,
    console: String,
    database_url: WrittenSecret,
    redis_url: Option<WrittenSecret>,
    pid: u32,
    tokens: Tokens,
}

impl Ready {
    /// For the first so many demo organizations.
    pub(super) fn new(addresses: &Addresses, credentials: &Credentials, organization_count: u16) -> Self {
        let entry = |name: String| {
            let tokens = credentials.organizations.get(&name).cloned().unwrap_or_default();
            Organization::new(addresses, name, tokens)
        };
        let orgs: Vec<Organization> = demo::organizations(organization_count).map(entry).collect();
        let first = orgs.first().cloned().unwrap_or_else(|| entry("demo".to_owned()));
        Self { first, orgs }
    }

    /// Writes the ready file, whole or not at all.
    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(self).map_err(|source| at(path)(io::Error::other(source)))?;
        write_atomically(path, &text)
    }
}

impl Organization {
    fn new(addresses: &Addresses, org: String, tokens: Tokens) -> Self {
        let url = &addresses.url;
        Self {
            mcp: format!("{url}/o/{org}/mcp"),
            api: format!("{url}/api/o/{org}"),
            console: format!("{url}/o/{org}"),
            url: url.clone(),
            org,
            database_url: addresses.database_url.clone(),
            redis_url: addresses.redis_url.clone(),
            pid: std::process::id(),
            tokens,
        }
    }

    /// The configuration that MCP clients read from a file.
    fn client_configuration(&self, token: &str) -> String {
        let configuration = json!({"mcpServers": {"baton": {
            "type": "http",
            "url": self.mcp,
            "headers": {"Authorization": format!("Bearer {token}")},
        }}});
        format!("{configuration:#}")
    }
}

/// The page for people.
impl Display for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let here = &self.first;
        writeln!(f, "\nBaton is ready at {}\n", here.url)?;
        writeln!(f, "  MCP server  {}", here.mcp)?;
        writeln!(
            f,
            "  Database    {}",
            without_password(here.database_url.expose())
        )?;
        match &here.redis_url {
            Some(url) => writeln!(
                f,
                "  Redis       {} (nothing depends on it yet)",
                without_password(url.expose())
            )?,
            None => writeln!(f, "  Redis       none found; timers run inside the server")?,
        }
        if self.orgs.len() > 1 {
            let names: Vec<&str> = self
                .orgs
                .iter()
                .map(|organization| organization.org.as_str())
                .collect();
            writeln!(
                f,
                "  Organizations  {} (their tokens are in the ready file)",
                names.join(", ")
            )?;
        }
        if let Some(token) = here.tokens.agents.values().next().map(WrittenSecret::expose) {
            writeln!(f, "\nPaste this into the configuration of your MCP client:\n")?;
            let mut indented = Indented { inner: f };
            writeln!(indented, "{}", here.client_configuration(token))?;
            writeln!(f, "\nor, for Claude Code, into a shell:\n")?;
            let mcp = &here.mcp;
            writeln!(
                f,
                "  claude mcp add --transport http baton {mcp} --header \"Authorization: Bearer {token}\""
            )?;
        }
        writeln!(f, "\nDemo tokens of the organization `{}`:\n", here.org)?;
        for (name, token) in &here.tokens.agents {
            writeln!(f, "  {:<26}{}", format!("agent {name}"), token.expose())?;
        }
        for person in demo::PEOPLE {
            if let Some(token) = here.tokens.people.get(person.email) {
                let (email, token) = (person.email, token.expose());
                writeln!(f, "  {email:<26}{token}  {}", duty(&person))?;
            }
        }
        if let Some(token) = here.tokens.people.get(demo::ADMIN).map(WrittenSecret::expose) {
            writeln!(
                f,
                "\nPaste this into the shell where you run `baton process publish`:\n"
            )?;
            writeln!(f, "  export BATON_URL={}", here.url)?;
            writeln!(f, "  export BATON_ORG={}", here.org)?;
            writeln!(f, "  export BATON_TOKEN={token}")?;
        }
        writeln!(
            f,
            "\nCtrl-C ends it; everything stays in the data folder unless it is ephemeral."
        )
    }
}

fn duty(person: &demo::DemoPerson) -> String {
    match (person.role, person.group) {
        (base::PersonRole::Admin, _) => "admin".to_owned(),
        (base::PersonRole::Operator, _) => "operator".to_owned(),
        (base::PersonRole::Member, Some(group)) => format!("group {group}"),
        (base::PersonRole::Member, None) => "member".to_owned(),
    }
}

/// Puts two spaces before each line.
struct Indented<'a, W> {
    inner: &'a mut W,
}

impl<W: Write> Write for Indented<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for line in text.split_inclusive('\n') {
            if line == "\n" {
                self.inner.write_str(line)?;
            } else {
                write!(self.inner, "  {line}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
