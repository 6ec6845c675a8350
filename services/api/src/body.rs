//! Reads a body, and tells everything that is wrong with it at once.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

use base::{Issues, Name, Quoted, Scope};
use run_ports::limits::{MEMBER_GROUPS_MAX, RIGHT_PROCESSES_MAX};
use serde_json::{Map, Value};

use crate::refusal::Refusal;

/// What a name must be.
const NAME: &str =
    "a name: lower-case letters and digits, words joined by single hyphens, at most 64 characters";

/// Takes members out of a body one by one and keeps what is wrong with them.
///
/// A method for a required member answers `None` exactly when it has noted an issue; one for an optional member also when the member is
/// absent.
pub(crate) struct Body {
    members: Map<String, Value>,
    issues: Issues,
}

impl Body {
    /// The members of a JSON object. No body at all is an empty one.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let value = if bytes.is_empty() {
            Value::Object(Map::new())
        } else {
            // The guard has let it through, so it is JSON.
            serde_json::from_slice(bytes).unwrap_or_default()
        };
        match value {
            Value::Object(members) => Ok(Self {
                members,
                issues: Issues::default(),
            }),
            _ => Err(refusal(Issues::one("the body must be a JSON object"))),
        }
    }

    /// A body that is the name of a group for each role.
    pub(crate) fn role_groups(bytes: &[u8]) -> Result<BTreeMap<String, String>, Refusal> {
        let mut body = Self::read(bytes)?;
        let named = std::mem::take(&mut body.members);
        let groups = body.groups_of(named, "");
        body.finish(|| Some(groups))
    }

    /// What was read, or everything that was wrong. A member that nobody read is not known.
    pub(crate) fn finish<T>(mut self, read: impl FnOnce() -> Option<T>) -> Result<T, Refusal> {
        let unknown = self.members.keys();
        self.issues
            .extend(unknown.map(|name| format!("{}: not known here", Quoted(name))));
        match read() {
            Some(read) if self.issues.is_empty() => Ok(read),
            _ => Err(refusal(self.issues)),
        }
    }

    /// A text. `expected` says what it must be.
    pub(crate) fn text<T: FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        let value = self.required(name, expected)?;
        self.parsed(name, &value, expected)
    }

    /// A text, or nothing.
    pub(crate) fn optional_text<T: FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        let value = self.members.remove(name)?;
        self.parsed(name, &value, expected)
    }

    /// A name.
    pub(crate) fn name(&mut self, name: &str) -> Option<Name> {
        self.text(name, NAME)
    }

    /// A name, or nothing.
    pub(crate) fn optional_name(&mut self, name: &str) -> Option<Name> {
        self.optional_text(name, NAME)
    }

    /// A whole number within bounds, or nothing.
    pub(crate) fn optional_whole(&mut self, name: &str, bounds: RangeInclusive<u64>) -> Option<u64> {
        let value = self.members.remove(name)?;
        let whole = value.as_number().and_then(contracts::whole);
        let whole = whole.and_then(|number| u64::try_from(number).ok());
        let within = whole.filter(|number| bounds.contains(number));
        if within.is_none() {
            let (low, high) = bounds.into_inner();
            self.expected(name, &format!("a whole number from {low} to {high}"));
        }
        within
    }

    /// Names of groups, each once, or nothing.
    pub(crate) fn optional_groups(&mut self, name: &str) -> Option<Vec<Name>> {
        let value = self.members.remove(name)?;
        self.names(name, value, ("a list of names of groups", MEMBER_GROUPS_MAX))
    }

    /// `"all"`, or names of processes.
    pub(crate) fn scope(&mut self, name: &str) -> Option<Scope> {
        let value = self.required(name, "\"all\" or a list of names of processes")?;
        self.scope_of(name, value)
    }

    /// The same, or nothing.
    pub(crate) fn optional_scope(&mut self, name: &str) -> Option<Scope> {
        let value = self.members.remove(name)?;
        self.scope_of(name, value)
    }

    /// The name of a group for each of some roles; none when the member is absent.
    pub(crate) fn roles(&mut self, name: &str) -> BTreeMap<String, String> {
        match self.members.remove(name) {
            Some(Value::Object(named)) => self.groups_of(named, &format!("{name}.")),
            Some(_) => {
                self.expected(name, "an object with the name of a group for each role");
                BTreeMap::new()
            }
            None => BTreeMap::new(),
        }
    }

    fn groups_of(&mut self, named: Map<String, Value>, place: &str) -> BTreeMap<String, String> {
        let mut groups = BTreeMap::new();
        for (role, group) in named {
            if let Value::String(group) = group {
                groups.insert(role, group);
            } else {
                let place = format!("{place}{}", Quoted(&role));
                self.expected(&place, "the name of a group");
            }
        }
        groups
    }

    fn scope_of(&mut self, name: &str, value: Value) -> Option<Scope> {
        if value == "all" {
            return Some(Scope::All);
        }
        let expected = "\"all\" or a list of names of processes";
        let names = self.names(name, value, (expected, RIGHT_PROCESSES_MAX))?;
        let names = names.iter().map(ToString::to_string).collect();
        Some(Scope::Processes(names))
    }

    fn names(&mut self, name: &str, value: Value, (expected, most): (&str, usize)) -> Option<Vec<Name>> {
        let Value::Array(items) = value else {
            self.expected(name, expected);
            return None;
        };
        if items.len() > most {
            let count = items.len();
            self.issues
                .push(format_args!("{name}: {count} names, expected at most {most}"));
            return None;
        }
        let mut names = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let place = format!("{name}[{index}]");
            let Some(read) = self.parsed(&place, item, NAME) else {
                continue;
            };
            if names.contains(&read) {
                self.issues
                    .push(format_args!("{place}: {read} stands there twice"));
            } else {
                names.push(read);
            }
        }
        Some(names)
    }

    fn required(&mut self, name: &str, expected: &str) -> Option<Value> {
        let value = self.members.remove(name);
        if value.is_none() {
            self.issues.push(format_args!("{name}: missing; {expected}"));
        }
        value
    }

    fn parsed<T: FromStr>(&mut self, place: &str, value: &Value, expected: &str) -> Option<T> {
        let parsed = value.as_str().and_then(|text| text.parse().ok());
        if parsed.is_none() {
            self.expected(place, expected);
        }
        parsed
    }

    fn expected(&mut self, place: &str, what: &str) {
        self.issues.push(format_args!("{place}: must be {what}"));
    }
}

fn refusal(issues: Issues) -> Refusal {
    Refusal::invalid("The body is not valid.", issues)
}

#[cfg(test)]
mod tests {
    use base::EmailAddress;

    use super::*;

    #[test]
    fn a_body_is_read_or_everything_wrong_with_it_is_told() {
        let read = |body: &str| {
            let mut body = Body::read(body.as_bytes())?;
            let email: Option<EmailAddress> = body.text("email", "an e-mail address");
            let groups = body.optional_groups("groups").unwrap_or_default();
            let start = body.optional_scope("start");
            let roles = body.roles("roles");
            body.finish(|| Some((email?, groups, start, roles)))
        };
        let good = r#"{"email": "a@b", "groups": ["x"], "start": "all", "roles": {"clerk": "y"}}"#;
        let (email, groups, start, roles) = read(good).unwrap_or_else(|_| panic!("it is good"));
        assert_eq!((email.as_str(), groups[0].as_str()), ("a@b", "x"));
        assert_eq!((start, roles["clerk"].as_str()), (Some(Scope::All), "y"));

        let issues = |body: &str| match read(body) {
            Ok(_) => panic!("{body} is wrong"),
            Err(refusal) => refusal.issues(),
        };
        assert_eq!(issues("[]"), ["the body must be a JSON object"]);
        assert_eq!(issues(""), ["email: missing; an e-mail address"]);
        let wrong =
            r#"{"email": 1, "groups": ["a", "a", 2], "start": "some", "roles": {"clerk": 1}, "more": null}"#;
        assert_eq!(
            issues(wrong),
            [
                "email: must be an e-mail address".to_owned(),
                "groups[1]: a stands there twice".to_owned(),
                format!("groups[2]: must be {NAME}"),
                "start: must be \"all\" or a list of names of processes".to_owned(),
                "roles.clerk: must be the name of a group".to_owned(),
                "more: not known here".to_owned(),
            ]
        );
    }
}
