//! Reads the arguments of a tool and reports every problem at once.

use std::ops::RangeInclusive;

use base::{Issues, Quoted};
use serde_json::{Map, Value};

use crate::number::whole;
use crate::{ErrorCode, EvidenceItem, ToolError};

#[cfg(test)]
mod tests;

/// The most items of evidence in a submission or a decision.
const EVIDENCE_ITEMS_MAX: usize = 1_000;

/// Entries on a page when the caller does not say.
pub const PAGE_LIMIT_DEFAULT: u8 = 20;
/// The most entries on a page.
const PAGE_LIMIT_MAX: i64 = 100;

/// Arguments of a tool, readable from JSON.
pub trait Read: Sized {
    /// The tool's name, for the message.
    const TOOL: &'static str;

    /// Reads every member (a member that is never read counts as not declared) and only then gives up on what failed.
    fn read(reader: &mut Reader) -> Option<Self>;
}

/// The arguments as their type, or `invalid` with an issue for each problem. Issues about the shape name the path from
/// `arguments`; issues about a rule read as the specification spells them (`note: required`).
pub fn decode<A: Read>(arguments: Map<String, Value>) -> Result<A, ToolError> {
    let mut reader = Reader::new("arguments".to_owned(), arguments);
    let read = A::read(&mut reader);
    reader.refuse_the_rest();
    match read {
        Some(arguments) if reader.issues.is_empty() => Ok(arguments),
        _ => {
            let message = format!("The arguments of {} are not valid. {}", A::TOOL, reader.taken());
            Err(ToolError::new(ErrorCode::Invalid, message).with_issues(reader.issues))
        }
    }
}

/// One of a closed set of words.
pub trait Choice: Copy + 'static {
    /// Every word with its value, in the order in which they are told.
    const ALL: &'static [(&'static str, Self)];
}

/// Takes members out of an object one by one and keeps what is wrong with them.
///
/// A method for a required member answers `None` exactly when it has noted an issue; one for an optional member also
/// when the member is absent.
#[derive(Debug)]
pub struct Reader {
    path: String,
    members: Map<String, Value>,
    asked: Vec<Asked>,
    issues: Issues,
}

/// A member that was asked for.
#[derive(Debug)]
struct Asked {
    name: String,
    need: Need,
    given: bool,
}

/// Whether a member may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    Optional,
}

impl Reader {
    fn new(path: String, members: Map<String, Value>) -> Self {
        Self {
            path,
            members,
            asked: Vec::new(),
            issues: Issues::default(),
        }
    }

    /// Notes a broken rule about arguments, as the specification spells it.
    pub fn issue(&mut self, issue: &str) {
        self.issues.push(issue);
    }

    /// Whether the member is there and has not been read yet, whatever it is.
    pub fn is_given(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// A text of any length.
    pub fn text(&mut self, name: &str) -> Option<String> {
        self.text_of(name, 0..=usize::MAX)
    }

    /// A text with so many characters.
    pub fn text_of(&mut self, name: &str, characters: RangeInclusive<usize>) -> Option<String> {
        let value = self.required(name)?;
        self.bounded_text(name, value, characters)
    }

    /// A text of any length, or nothing.
    pub fn optional_text(&mut self, name: &str) -> Option<String> {
        self.optional_text_of(name, 0..=usize::MAX)
    }

    /// A text with so many characters, or nothing.
    pub fn optional_text_of(&mut self, name: &str, characters: RangeInclusive<usize>) -> Option<String> {
        let value = self.optional(name)?;
        self.bounded_text(name, value, characters)
    }

    /// A request id: 1 to 128 characters (`tools.md`, argument limits).
    pub fn request_id(&mut self) -> Option<String> {
        self.text_of("requestId", 1..=128)
    }

    /// An object.
    pub fn object(&mut self, name: &str) -> Option<Map<String, Value>> {
        let value = self.required(name)?;
        self.object_at(name, value)
    }

    /// An object, or nothing.
    pub fn optional_object(&mut self, name: &str) -> Option<Map<String, Value>> {
        let value = self.optional(name)?;
        self.object_at(name, value)
    }

    /// An object with at most so many fields, or nothing.
    pub fn optional_object_of(&mut self, name: &str, fields_max: usize) -> Option<Map<String, Value>> {
        let members = self.optional_object(name)?;
        let count = members.len();
        if count <= fields_max {
            return Some(members);
        }
        self.issues.push(format_args!(
            "{}.{name}: {count} fields, expected at most {fields_max}",
            self.path
        ));
        None
    }

    /// How many entries a page may have (1 to 100), or nothing.
    pub fn page_limit(&mut self) -> Option<u8> {
        let limit = self.optional_whole("limit", 1..=PAGE_LIMIT_MAX)?;
        u8::try_from(limit).ok()
    }

    /// A whole number within bounds, or nothing.
    pub fn optional_whole(&mut self, name: &str, bounds: RangeInclusive<i64>) -> Option<i64> {
        let value = self.optional(name)?;
        let number = match &value {
            Value::Number(number) => whole(number),
            _ => None,
        };
        let within = number.filter(|number| bounds.contains(number));
        if within.is_none() {
            let (low, high) = bounds.into_inner();
            self.expected(name, &format!("whole number from {low} to {high}"));
        }
        within
    }

    /// One of the words of `C`.
    pub fn choice<C: Choice>(&mut self, name: &str) -> Option<C> {
        let value = self.required(name)?;
        self.choice_at(name, &value)
    }

    /// One of the words of `C`, or nothing.
    pub fn optional_choice<C: Choice>(&mut self, name: &str) -> Option<C> {
        let value = self.optional(name)?;
        self.choice_at(name, &value)
    }

    /// A list of at most 1000 items of evidence, or nothing.
    pub fn optional_evidence(&mut self, name: &str) -> Option<Vec<EvidenceItem>> {
        let value = self.optional(name)?;
        let Value::Array(items) = value else {
            self.expected(name, "list");
            return None;
        };
        let count = items.len();
        if count > EVIDENCE_ITEMS_MAX {
            self.issues.push(format_args!(
                "{}.{name}: {count} items, expected at most {EVIDENCE_ITEMS_MAX}",
                self.path
            ));
            return None;
        }
        let mut evidence = Vec::with_capacity(count);
        for (index, item) in items.into_iter().enumerate() {
            let place = format!("{name}[{index}]");
            let Value::Object(members) = item else {
                self.expected(&place, "object with kind and ref");
                continue;
            };
            let mut inner = Self::new(format!("{}.{place}", self.path), members);
            evidence.extend(EvidenceItem::read(&mut inner));
            inner.refuse_the_rest();
            self.issues.extend(inner.issues);
        }
        Some(evidence)
    }

    fn optional(&mut self, name: &str) -> Option<Value> {
        self.ask(name, Need::Optional)
    }

    fn required(&mut self, name: &str) -> Option<Value> {
        let value = self.ask(name, Need::Required);
        if value.is_none() {
            self.issues.push(format_args!("{}.{name}: missing", self.path));
        }
        value
    }

    fn ask(&mut self, name: &str, need: Need) -> Option<Value> {
        let value = self.members.remove(name);
        self.asked.push(Asked {
            name: name.to_owned(),
            need,
            given: value.is_some(),
        });
        value
    }

    fn bounded_text(
        &mut self,
        name: &str,
        value: Value,
        characters: RangeInclusive<usize>,
    ) -> Option<String> {
        let Value::String(text) = value else {
            self.expected(name, "string");
            return None;
        };
        let count = text.chars().count();
        if characters.contains(&count) {
            return Some(text);
        }
        let (low, high) = characters.into_inner();
        let bound = if count < low {
            format!("at least {low}")
        } else {
            format!("at most {high}")
        };
        self.issues.push(format_args!(
            "{}.{name}: {count} characters, expected {bound}",
            self.path
        ));
        None
    }

    fn object_at(&mut self, name: &str, value: Value) -> Option<Map<String, Value>> {
        if let Value::Object(members) = value {
            return Some(members);
        }
        let what = match &value {
            Value::String(text) if text.trim_start().starts_with('{') => {
                "object, not a string that holds one"
            }
            _ => "object",
        };
        self.expected(name, what);
        None
    }

    fn choice_at<C: Choice>(&mut self, name: &str, value: &Value) -> Option<C> {
        let found = C::ALL.iter().find(|(word, _)| value.as_str() == Some(word));
        if found.is_none() {
            let words: Vec<_> = C::ALL.iter().map(|(word, _)| *word).collect();
            self.expected(name, &format!("one of {}", words.join(", ")));
        }
        found.map(|(_, choice)| *choice)
    }

    fn expected(&mut self, name: &str, what: &str) {
        self.issues
            .push(format_args!("{}.{name}: expected {what}", self.path));
    }

    fn refuse_the_rest(&mut self) {
        for name in self.members.keys() {
            let meant = self
                .asked
                .iter()
                .find(|asked| !asked.given && asked.is_meant_by(name));
            let hint = meant.map(|asked| format!(", did you mean {}", asked.name));
            self.issues.push(format_args!(
                "{}.{}: not declared{}",
                self.path,
                Quoted(name),
                hint.unwrap_or_default()
            ));
        }
    }

    /// What there is to give, in words.
    fn taken(&self) -> String {
        let names = |need: Need| {
            let asked = self.asked.iter().filter(|asked| asked.need == need);
            asked
                .map(|asked| asked.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match (names(Need::Required), names(Need::Optional)) {
            (required, optional) if required.is_empty() && optional.is_empty() => "It takes none.".to_owned(),
            (required, optional) if optional.is_empty() => format!("It takes {required}."),
            (required, optional) if required.is_empty() => format!("It takes, if wanted, {optional}."),
            (required, optional) => format!("It takes {required} and, if wanted, {optional}."),
        }
    }
}

impl Asked {
    /// `run_id`, `RunID` and `run` are meant as `runId`.
    fn is_meant_by(&self, name: &str) -> bool {
        let (given, wanted) = (letters(name), letters(&self.name));
        given == wanted || wanted.strip_suffix("id") == Some(&given)
    }
}

fn letters(name: &str) -> String {
    const CHARS_MAX: usize = 40;
    let letters = name.chars().take(CHARS_MAX).filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}
