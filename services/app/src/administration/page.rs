//! Pages of lists: signed cursors over keys that never change, bound to the list and what it was asked for.

use std::str::FromStr;

use run_ports::{Entries, Page};
use serde_json::json;

use super::{Admin, Administration, Error};

/// Entries of a page when nobody says how many.
pub const PAGE_DEFAULT: usize = 50;
/// The most entries of a page.
pub const PAGE_MAX: usize = 100;

/// Which page of a list is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paging {
    /// At most so many entries, from 1 to [`PAGE_MAX`].
    pub limit: usize,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// The entries.
    pub entries: Vec<T>,
    /// Asks for the page after; none on the last one.
    pub next_cursor: Option<String>,
}

/// A list, and whatever else it was asked for: a cursor of it is of no use elsewhere.
pub(super) struct Listing<'a> {
    pub(super) administration: &'a Administration,
    pub(super) admin: Admin,
    pub(super) name: &'static str,
    pub(super) of: String,
}

impl Listing<'_> {
    /// The page that is asked for.
    pub(super) fn page<K: FromStr>(&self, paging: &Paging) -> Result<Page<K>, Error> {
        let key = |cursor: &String| {
            let keys = &self.administration.app.keys;
            let content = keys.unsealed(self.admin.organization(), cursor)?;
            let [name, of, key]: [String; 3] = serde_json::from_str(&content).ok()?;
            if name == self.name && of == self.of {
                key.parse().ok()
            } else {
                None
            }
        };
        let after = paging
            .cursor
            .as_ref()
            .map(|cursor| key(cursor).ok_or_else(|| Error::invalid("cursor: not one of this list")))
            .transpose()?;
        let limit = paging.limit.clamp(1, PAGE_MAX);
        Ok(Page { after, limit })
    }

    /// The page that was found. `key` is what the list is ordered by.
    pub(super) fn listed<T, K: ToString>(&self, found: Entries<T>, key: impl FnOnce(&T) -> K) -> Listed<T> {
        let last = found.entries.last().filter(|_| found.has_more);
        let next_cursor = last.map(|last| {
            let content = json!([self.name, self.of, key(last).to_string()]);
            let keys = &self.administration.app.keys;
            keys.sealed(self.admin.organization(), &content.to_string())
        });
        Listed {
            entries: found.entries,
            next_cursor,
        }
    }
}

impl Administration {
    /// A list that is asked for as a whole.
    pub(super) fn listing(&self, admin: Admin, name: &'static str) -> Listing<'_> {
        self.listing_of(admin, name, String::new())
    }

    /// A list of something.
    pub(super) fn listing_of(&self, admin: Admin, name: &'static str, of: String) -> Listing<'_> {
        Listing {
            administration: self,
            admin,
            name,
            of,
        }
    }
}
