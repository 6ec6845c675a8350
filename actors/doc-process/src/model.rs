//! A checked process, in the words of the specification.

use std::time::Duration;

use base::Digest;
use doc_kit::Node;
use serde_json::{Map, Number, Value};

use crate::fields::Fields;

/// The reserved word at which a branch ends (process.md §6).
pub(crate) const JOIN: &str = "join";

/// A whole file without errors.
#[derive(Clone, Debug)]
pub struct Document {
    /// What the frontmatter says.
    pub process: Process,
    /// The body, exactly as written.
    pub body: String,
    /// SHA-256 of the frontmatter in RFC 8785, one newline, and the body bytes.
    pub content_hash: Digest,
    /// The role names in the order of their first use.
    pub roles: Vec<String>,
    pub(crate) frontmatter: Node,
}

/// The frontmatter.
#[derive(Clone, Debug)]
pub struct Process {
    /// 1 to 64 characters: words of lower-case letters and digits, joined by hyphens.
    pub name: String,
    /// What a catalog shows.
    pub description: String,
    /// The fields that `start_run` takes.
    pub inputs: Fields,
    /// The names of outside systems that the work needs; shown, never checked.
    pub systems: Vec<String>,
    /// The steps in file order, at least one.
    pub steps: Vec<Step>,
}

impl Process {
    /// The step of this id.
    pub fn step(&self, id: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.id == id)
    }

    /// The place of a step in file order.
    pub fn step_index(&self, id: &str) -> Option<usize> {
        self.steps.iter().position(|step| step.id == id)
    }
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Unique in its process.
    pub id: String,
    /// Its kind with what belongs to that kind alone.
    pub kind: StepKind,
    /// Where it goes on when it completes.
    pub next: Next,
    /// How long after becoming ready it is due.
    pub due: Option<Duration>,
}

/// The kinds by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Done by an agent.
    Agent,
    /// Done by a person.
    Task,
    /// Decided by a person.
    Approve,
    /// Waits for a length of time.
    Wait,
    /// Waits until a moment that the run data hold.
    WaitUntil,
    /// Waits for an event.
    WaitFor,
    /// Ends the run.
    Finish,
    /// Forks into branches.
    Parallel,
}

impl Kind {
    /// Every kind, in the order of process.md §2.
    pub const ALL: [Self; 8] = [
        Self::Agent,
        Self::Task,
        Self::Approve,
        Self::Wait,
        Self::WaitUntil,
        Self::WaitFor,
        Self::Finish,
        Self::Parallel,
    ];

    /// The key of the file, which is also the word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Task => "task",
            Self::Approve => "approve",
            Self::Wait => "wait",
            Self::WaitUntil => "wait_until",
            Self::WaitFor => "wait_for",
            Self::Finish => "finish",
            Self::Parallel => "parallel",
        }
    }

    /// The kind of this key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == key)
    }

    /// The kinds that an optional key belongs on (process.md §2); `None` for the keys of every step and for unknown ones.
    pub(crate) fn all_with(key: &str) -> Option<&'static [Self]> {
        use Kind::{Agent, Approve, Parallel, Task, Wait, WaitFor, WaitUntil};
        Some(match key {
            "output" | "evidence" | "check" | "advisory" => &[Agent, Task],
            "next" => &[Agent, Task, Approve, Wait, WaitUntil, WaitFor, Parallel],
            "person" => &[Task, Approve],
            "on_reject" => &[Approve],
            "due" => &[Agent, Task, Approve],
            "timeout" | "on_timeout" => &[WaitFor],
            _ => return None,
        })
    }

    /// Whether a step of this kind may have a key.
    pub(crate) fn takes(self, key: &str) -> bool {
        Self::all_with(key).is_none_or(|kinds| kinds.contains(&self))
    }
}

/// A kind with what belongs to it alone.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// Done by an agent.
    Agent {
        /// What to do.
        instructions: String,
        /// What must come out.
        work: Work,
    },
    /// Done by a person.
    Task {
        /// What to do.
        instructions: String,
        /// Who.
        person: Person,
        /// What must come out.
        work: Work,
    },
    /// Decided by a person.
    Approve {
        /// What is approved.
        text: String,
        /// Who.
        person: Person,
        /// Where a rejection goes; without it the run ends `rejected`.
        on_reject: Option<String>,
    },
    /// Waits for a length of time.
    Wait(Duration),
    /// Waits until a moment that the run data hold.
    WaitUntil(DataPath),
    /// Waits for an event.
    WaitFor {
        /// The name of the event.
        event: String,
        /// How long at most.
        timeout: Option<Duration>,
        /// Where a timeout goes; without it where `next` says.
        on_timeout: Option<String>,
    },
    /// Ends the run with this outcome.
    Finish(String),
    /// Forks into the branches that begin with these steps.
    Parallel(Vec<String>),
}

impl StepKind {
    /// The kind by name.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Agent { .. } => Kind::Agent,
            Self::Task { .. } => Kind::Task,
            Self::Approve { .. } => Kind::Approve,
            Self::Wait(_) => Kind::Wait,
            Self::WaitUntil(_) => Kind::WaitUntil,
            Self::WaitFor { .. } => Kind::WaitFor,
            Self::Finish(_) => Kind::Finish,
            Self::Parallel(_) => Kind::Parallel,
        }
    }
}

/// What must come out of an agent step or a task.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// The fields of the output; `None` when the step declares none.
    pub output: Option<Fields>,
    /// The kinds of evidence that must be attached; `None` when the step declares none.
    pub evidence: Option<Vec<EvidenceKind>>,
    /// The questions that a submission must pass.
    pub check: Option<Check>,
}

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvidenceKind {
    /// An uploaded file.
    File,
    /// A reference, recorded as stated.
    Link,
}

impl EvidenceKind {
    /// The word of the file and of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Link => "link",
        }
    }

    /// The kind of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::File, Self::Link]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}

/// Where a step goes on when it completes. Default edges are resolved: no step follows another only by its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nowhere: a finish.
    Nowhere,
    /// To this step, or to the reserved word `join` inside a branch.
    To(String),
    /// To one of these, chosen by whoever completes the step.
    Choose(Vec<Route>),
}

impl Next {
    /// The list that a claim and a work item show: `[{to, when?}]`, or null when there is no choice.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Nowhere | Self::To(_) => Value::Null,
            Self::Choose(routes) => routes.iter().map(Route::to_json).collect(),
        }
    }
}

/// One route of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// A step, or `join` inside a branch.
    pub to: String,
    /// When to choose it; never evaluated.
    pub when: Option<String>,
}

impl Route {
    fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("to".to_owned(), self.to.as_str().into());
        if let Some(when) = &self.when {
            object.insert("when".to_owned(), when.as_str().into());
        }
        Value::Object(object)
    }
}

/// Who does a person step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Person {
    /// A role, mapped to a group at import.
    Role(String),
    /// The person who started the run.
    Initiator,
    /// The person that the run data name.
    Path(DataPath),
}

/// A field of the run data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataPath {
    /// `inputs.<field>`
    Input {
        /// The field.
        field: String,
    },
    /// `steps.<step>.output.<field>`
    Output {
        /// The step whose output it is.
        step: String,
        /// The field.
        field: String,
    },
}

impl DataPath {
    /// Reads a path. The field name is the whole rest of it, dots included (process.md §2).
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(field) = text.strip_prefix("inputs.") {
            return (!field.is_empty()).then(|| Self::Input {
                field: field.to_owned(),
            });
        }
        let (step, rest) = text.strip_prefix("steps.")?.split_once('.')?;
        let field = rest.strip_prefix("output.")?;
        let complete = !step.is_empty() && !field.is_empty();
        complete.then(|| Self::Output {
            step: step.to_owned(),
            field: field.to_owned(),
        })
    }
}

impl std::fmt::Display for DataPath {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input { field } => write!(formatter, "inputs.{field}"),
            Self::Output { step, field } => write!(formatter, "steps.{step}.output.{field}"),
        }
    }
}

/// Why a text is no duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DurationError {
    Spelling,
    TooLong,
}

/// Digits and `m`, `h` or `d`, at most 36,500 days (process.md §4).
pub(crate) fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    const DAYS_MAX: u64 = 36_500;
    let unit_minutes = match text.bytes().last() {
        Some(b'm') => 1,
        Some(b'h') => 60,
        Some(b'd') => 24 * 60,
        _ => return Err(DurationError::Spelling),
    };
    let digits = &text[..text.len() - 1];
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DurationError::Spelling);
    }
    match digits
        .parse::<u64>()
        .ok()
        .and_then(|count| count.checked_mul(unit_minutes))
    {
        Some(minutes) if minutes <= DAYS_MAX * 24 * 60 => Ok(Duration::from_secs(minutes * 60)),
        _ => Err(DurationError::TooLong),
    }
}

/// The questions that a submission must pass (check-1).
#[derive(Clone, Debug)]
pub struct Check {
    /// At least one.
    pub questions: Vec<Question>,
    /// An advisory check is recorded and never holds the step.
    pub advisory: bool,
}

/// One question.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question itself.
    pub ask: String,
    /// Its kind with its thresholds; what is absent takes the server's limit.
    pub kind: QuestionKind,
}

/// How a question is answered and judged.
#[derive(Clone, Debug)]
pub enum QuestionKind {
    /// Yes or no, with a probability.
    YesNo {
        /// Passes from here.
        pass: Option<Number>,
        /// Fails below here; between the two it is unsure.
        fail: Option<Number>,
    },
    /// One of several named answers.
    Choice {
        /// The answers and what they mean, in file order.
        one_of: Vec<(String, String)>,
        /// The answers that pass.
        pass: Vec<String>,
        /// The answers that are unsure.
        unsure: Vec<String>,
        /// Below this confidence it is unsure.
        confidence: Option<Number>,
    },
    /// One of several levels, worst first.
    Rubric {
        /// The levels.
        levels: Vec<String>,
        /// The first level that passes, from 0.
        pass: usize,
        /// Below this confidence it is unsure.
        confidence: Option<Number>,
    },
}

#[cfg(test)]
mod tests {
    use super::{DataPath, DurationError, parse_duration};

    #[test]
    fn duration_is_digits_and_one_unit() {
        let minutes = |text| parse_duration(text).map(|duration| duration.as_secs() / 60);
        for (text, expected) in [
            ("30m", 30),
            ("4h", 240),
            ("3d", 4320),
            ("0m", 0),
            ("007d", 10_080),
        ] {
            assert_eq!(minutes(text), Ok(expected), "{text}");
        }
        for text in [
            "", "m", "3", "3s", "3D", "+3d", "-3d", "3.5h", "3 d", "1d2h", "3d ", "٣d", "3d\n",
        ] {
            assert_eq!(minutes(text), Err(DurationError::Spelling), "{text}");
        }
    }

    #[test]
    fn day_has_24_hours() {
        for (days, hours) in [("1d", "24h"), ("7d", "168h"), ("365d", "8760h")] {
            assert_eq!(parse_duration(days), parse_duration(hours), "{days}");
            assert!(parse_duration(days).is_ok(), "{days}");
        }
    }

    #[test]
    fn duration_has_at_most_36500_days() {
        for text in ["36500d", "876000h", "52560000m", "00036500d"] {
            let seconds = parse_duration(text).map(|duration| duration.as_secs());
            assert_eq!(seconds, Ok(3_153_600_000), "{text}");
        }
        for text in ["36501d", "876001h", "52560001m", "99999999999999999999d"] {
            assert_eq!(parse_duration(text), Err(DurationError::TooLong), "{text}");
        }
    }

    #[test]
    fn field_name_is_the_whole_rest_of_a_path() {
        let input = |field: &str| {
            Some(DataPath::Input {
                field: field.to_owned(),
            })
        };
        let output = |step: &str, field: &str| {
            Some(DataPath::Output {
                step: step.to_owned(),
                field: field.to_owned(),
            })
        };
        assert_eq!(DataPath::parse("inputs.a.b"), input("a.b"));
        assert_eq!(
            DataPath::parse("steps.s.output.output.x"),
            output("s", "output.x")
        );
        for wrong in [
            "",
            "inputs",
            "inputs.",
            "steps.s",
            "steps.s.output",
            "steps.s.output.",
            "steps..output.x",
            "x.y",
        ] {
            assert_eq!(DataPath::parse(wrong), None, "{wrong}");
        }
    }
}
