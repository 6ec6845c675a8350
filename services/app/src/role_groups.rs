//! Roles and the groups that somebody names for them.

use std::collections::BTreeMap;

use base::{GroupId, Issues, OrganizationId, Quoted};
use run_ports::PortError;

use crate::App;

/// What is wanted of a mapping.
pub(crate) struct RoleGroups<'a> {
    /// The roles that must be named.
    pub(crate) must: Vec<&'a str>,
    /// The roles that may be.
    pub(crate) may: Vec<&'a str>,
    /// What issues about a role begin with, before its name.
    pub(crate) place: &'static str,
    /// The name of a group for each role.
    pub(crate) named: &'a BTreeMap<String, String>,
}

impl RoleGroups<'_> {
    /// The groups of the roles that are named, or everything that is missing or does not exist.
    pub(crate) async fn find(
        &self,
        app: &App,
        organization: OrganizationId,
    ) -> Result<Result<Vec<(String, GroupId)>, Issues>, PortError> {
        let (mut groups, mut issues, place) = (Vec::new(), Issues::default(), self.place);
        for role in self.must.iter().filter(|role| !self.named.contains_key(**role)) {
            issues.push(format_args!(
                "{place}{role}: missing; name the group whose members do this work"
            ));
        }
        for (role, name) in self.named {
            if issues.is_full() {
                break;
            }
            let role_text = Quoted(role);
            if !self.must.contains(&role.as_str()) && !self.may.contains(&role.as_str()) {
                issues.push(format_args!("{place}{role_text}: the process has no such role"));
                continue;
            }
            match app.directory.group(organization, name).await? {
                Some(group) => groups.push((role.clone(), group)),
                None => issues.push(format_args!(
                    "{place}{role_text}: there is no group {} in this organization",
                    Quoted(name)
                )),
            }
        }
        Ok(if issues.is_empty() {
            Ok(groups)
        } else {
            Err(issues)
        })
    }
}
