//! Fields: the whole schema language of the format (process.md §3).

mod calendar;
mod one_of;
pub(crate) mod values;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub(crate) use calendar::instant;
pub use one_of::OneOf;
pub use values::check_values;

/// A map of fields in file order.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    entries: Vec<(String, Field)>,
    index_of: BTreeMap<String, usize>,
    declared: Map<String, Value>,
}

impl Fields {
    pub(crate) fn new(entries: Vec<(String, Field)>, declared: Map<String, Value>) -> Self {
        let index_of = entries
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (name.clone(), index))
            .collect();
        Self {
            entries,
            index_of,
            declared,
        }
    }

    /// The fields with their names, in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Field)> {
        self.entries.iter().map(|(name, field)| (name.as_str(), field))
    }

    /// The field of this name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.index_of.get(name).map(|index| &self.entries[*index].1)
    }

    /// The wire form: each field as the file declares it, a type name or an object.
    pub fn to_json(&self) -> &Map<String, Value> {
        &self.declared
    }
}

/// One field.
#[derive(Clone, Debug)]
pub struct Field {
    /// The type of its value.
    pub value_type: Type,
    /// What it means.
    pub description: Option<String>,
    /// It may be left out.
    pub optional: bool,
    /// Its value is one of these.
    pub one_of: Option<OneOf>,
    /// What the items of a list are.
    pub items: Option<Box<Field>>,
}

impl Field {
    pub(crate) fn of(value_type: Type) -> Self {
        Self {
            value_type,
            description: None,
            optional: false,
            one_of: None,
            items: None,
        }
    }
}

/// The types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A text.
    String,
    /// A number, digit for digit.
    Number,
    /// True or false.
    Boolean,
    /// A real calendar date, `YYYY-MM-DD`.
    Date,
    /// An instant of RFC 3339 with its offset.
    Datetime,
    /// A list.
    List,
    /// An object of any content.
    Object,
    /// A person: an e-mail address.
    Person,
}

impl Type {
    /// Every type, in the order of process.md §3.
    pub const ALL: [Self; 8] = [
        Self::String,
        Self::Number,
        Self::Boolean,
        Self::Date,
        Self::Datetime,
        Self::List,
        Self::Object,
        Self::Person,
    ];

    /// The word of the file and of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Datetime => "datetime",
            Self::List => "list",
            Self::Object => "object",
            Self::Person => "person",
        }
    }

    /// The type of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|found| found.as_str() == word)
    }

    /// What to write, for a message.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Self::String => "a text",
            Self::Number => "a number",
            Self::Boolean => "`true` or `false`",
            Self::Date => "a date, such as 2026-01-31",
            Self::Datetime => "a date and time with its offset, such as 2026-01-31T09:00:00+01:00",
            Self::List => "a list",
            Self::Object => "a map",
            Self::Person => "an e-mail address",
        }
    }
}
