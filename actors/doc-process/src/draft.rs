//! What a file says before it is known to be right: every part may be missing, and every part knows its place.

use std::collections::{BTreeMap, BTreeSet};

use doc_kit::{Path, Position};

use crate::fields::{Field, Fields};
use crate::model::{
    Check, DataPath, EvidenceKind, Kind, Next, Person, Process, Question, Route, Step, StepKind, Work,
    parse_duration,
};

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) path: Path,
    pub(crate) position: Position,
}

/// The frontmatter.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) name: Option<At<String>>,
    pub(crate) description: Option<At<String>>,
    pub(crate) inputs: DraftFields,
    pub(crate) systems: Vec<At<String>>,
    pub(crate) steps: Vec<DraftStep>,
}

/// A map of fields, the broken ones without a value.
#[derive(Debug, Default)]
pub(crate) struct DraftFields {
    pub(crate) by_name: BTreeMap<String, Option<Field>>,
    pub(crate) fields: Fields,
}

impl DraftFields {
    /// What is declared under this name.
    pub(crate) fn declared(&self, name: &str) -> Declared<'_> {
        match self.by_name.get(name) {
            None => Declared::Absent,
            Some(None) => Declared::Broken,
            Some(Some(field)) => Declared::As(field),
        }
    }

    /// Every declared name.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

/// What a map of fields says about a name.
pub(crate) enum Declared<'a> {
    /// Nothing.
    Absent,
    /// Something that has been reported.
    Broken,
    /// A field.
    As(&'a Field),
}

/// One step.
#[derive(Debug)]
pub(crate) struct DraftStep {
    pub(crate) path: Path,
    pub(crate) position: Position,
    /// The keys in file order, with their places.
    pub(crate) keys: Vec<At<String>>,
    pub(crate) id: Option<At<String>>,
    /// The one kind key; absent when there is none or several.
    pub(crate) kind: Option<At<Kind>>,
    /// The value of the kind key, unless it is `parallel`.
    pub(crate) text: Option<At<String>>,
    /// The entries of a parallel step that could be read.
    pub(crate) entries: Vec<At<String>>,
    /// True when some entry is missing or could not be read; reported.
    pub(crate) entries_broken: bool,
    pub(crate) output: Option<DraftFields>,
    pub(crate) evidence: Option<Vec<At<EvidenceKind>>>,
    pub(crate) next: Option<DraftNext>,
    pub(crate) person: Option<At<String>>,
    pub(crate) on_reject: Option<At<String>>,
    pub(crate) due: Option<At<String>>,
    pub(crate) timeout: Option<At<String>>,
    pub(crate) on_timeout: Option<At<String>>,
    pub(crate) questions: Option<Vec<Question>>,
    pub(crate) advisory: Option<At<bool>>,
}

impl DraftStep {
    pub(crate) fn is(&self, kind: Kind) -> bool {
        self.kind.as_ref().is_some_and(|found| found.value == kind)
    }

    pub(crate) fn key(&self, key: &str) -> Option<&At<String>> {
        self.keys.iter().find(|found| found.value == key)
    }

    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_ref().map(|id| id.value.as_str())
    }

    /// What a message calls the step: `` `check_vendor` ``, or its place when it has no id.
    pub(crate) fn label(&self) -> String {
        self.id()
            .map_or_else(|| format!("`{}`", self.path), |id| format!("`{id}`"))
    }
}

/// The value of `next`.
#[derive(Debug)]
pub(crate) enum DraftNext {
    To(At<String>),
    Choose {
        routes: Vec<DraftRoute>,
        at: At<()>,
    },
    /// Neither a text nor a list; reported.
    Broken,
}

/// One route of a choice.
#[derive(Debug)]
pub(crate) struct DraftRoute {
    pub(crate) to: Option<At<String>>,
    pub(crate) when: Option<At<String>>,
}

impl Draft {
    /// The role names in the order of their first use.
    pub(crate) fn roles(&self) -> Vec<String> {
        let mut roles: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for person in self.steps.iter().filter_map(|step| step.person.as_ref()) {
            let role = person.value.as_str();
            if is_role(role) && known.insert(role) {
                roles.push(role.to_owned());
            }
        }
        roles
    }

    /// The process. `None` only when an error has been reported.
    pub(crate) fn into_process(self) -> Option<Process> {
        let ids: Vec<Option<String>> = self
            .steps
            .iter()
            .map(|step| step.id().map(str::to_owned))
            .collect();
        let steps = self.steps.into_iter().enumerate();
        let steps = steps
            .map(|(index, step)| into_step(step, ids.get(index + 1).cloned().flatten()))
            .collect::<Option<_>>()?;
        Some(Process {
            name: self.name?.value,
            description: self.description?.value,
            inputs: self.inputs.fields,
            systems: self.systems.into_iter().map(|system| system.value).collect(),
            steps,
        })
    }
}

/// True for a text that names a role: no path and not the initiator.
pub(crate) fn is_role(person: &str) -> bool {
    !person.contains('.') && person != "initiator" && !person.trim().is_empty()
}

fn into_step(step: DraftStep, following: Option<String>) -> Option<Step> {
    let kind = step.kind.as_ref()?.value;
    let next = match (kind, step.next) {
        (Kind::Finish, _) => Next::Nowhere,
        (_, None) => Next::To(following?),
        (_, Some(DraftNext::To(to))) => Next::To(to.value),
        (_, Some(DraftNext::Choose { routes, .. })) => {
            let route = |route: DraftRoute| {
                Some(Route {
                    to: route.to?.value,
                    when: route.when.map(|when| when.value),
                })
            };
            Next::Choose(routes.into_iter().map(route).collect::<Option<_>>()?)
        }
        (_, Some(DraftNext::Broken)) => return None,
    };
    let advisory = step.advisory.is_some_and(|advisory| advisory.value);
    let work = Work {
        output: step.output.map(|output| output.fields),
        evidence: step
            .evidence
            .map(|kinds| kinds.into_iter().map(|kind| kind.value).collect()),
        check: step.questions.map(|questions| Check { questions, advisory }),
    };
    let person = step.person.and_then(|person| into_person(person.value));
    let text = step.text.map(|text| text.value);
    let kind = match kind {
        Kind::Agent => StepKind::Agent {
            instructions: text?,
            work,
        },
        Kind::Task => StepKind::Task {
            instructions: text?,
            person: person?,
            work,
        },
        Kind::Approve => StepKind::Approve {
            text: text?,
            person: person?,
            on_reject: step.on_reject.map(|to| to.value),
        },
        Kind::Wait => StepKind::Wait(parse_duration(&text?).ok()?),
        Kind::WaitUntil => StepKind::WaitUntil(DataPath::parse(&text?)?),
        Kind::WaitFor => StepKind::WaitFor {
            event: text?,
            timeout: step
                .timeout
                .and_then(|timeout| parse_duration(&timeout.value).ok()),
            on_timeout: step.on_timeout.map(|to| to.value),
        },
        Kind::Finish => StepKind::Finish(text?),
        Kind::Parallel => StepKind::Parallel(step.entries.into_iter().map(|entry| entry.value).collect()),
    };
    Some(Step {
        id: step.id?.value,
        kind,
        next,
        due: step.due.and_then(|due| parse_duration(&due.value).ok()),
    })
}

fn into_person(person: String) -> Option<Person> {
    match person.as_str() {
        "initiator" => Some(Person::Initiator),
        role if is_role(role) => Some(Person::Role(person)),
        path => DataPath::parse(path).map(Person::Path),
    }
}
