//! Who is in a demo organization.

use base::PersonRole;

/// A demo person.
#[derive(Debug, Clone, Copy)]
pub(super) struct DemoPerson {
    /// The e-mail address, also the name to sign in with.
    pub(super) email: &'static str,
    /// What the person may do.
    pub(super) role: PersonRole,
    /// The group the person is in, if any.
    pub(super) group: Option<&'static str>,
}

/// The admin.
pub(super) const ADMIN: &str = "admin@example.com";

/// The demo people. The groups are those that occur here.
pub(super) const PEOPLE: [DemoPerson; 9] = [
    person(ADMIN, PersonRole::Admin, None),
    person("olga@example.com", PersonRole::Operator, None),
    person("mira@example.com", PersonRole::Member, Some("finance")),
    person("omar@example.com", PersonRole::Member, Some("finance")),
    person("lena@example.com", PersonRole::Member, Some("legal")),
    person("hugo@example.com", PersonRole::Member, Some("hr")),
    person("sam@example.com", PersonRole::Member, Some("operations")),
    person("ines@example.com", PersonRole::Member, Some("security")),
    person("kofi@example.com", PersonRole::Member, Some("communications")),
];

/// The demo agents; both may start and work everything.
pub(super) const AGENTS: [&str; 2] = ["alpha", "beta"];

/// The names of the organizations: `demo`, `demo2`, …
pub(super) fn organizations(count: u16) -> impl Iterator<Item = String> {
    (1..=count).map(|number| match number {
        1 => "demo".to_owned(),
        _ => format!("demo{number}"),
    })
}

const fn person(email: &'static str, role: PersonRole, group: Option<&'static str>) -> DemoPerson {
    DemoPerson { email, role, group }
}
