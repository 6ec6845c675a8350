//! The shape of one step.

use std::borrow::Cow;

use doc_kit::reader::Map;
use doc_kit::suggest::nearest;
use doc_kit::{Node, NodeValue, Path, Problem};

use super::habits::{self, Habit};
use super::shape::{Form, Shape, shorten};
use super::{fields, questions};
use crate::draft::{At, DraftNext, DraftRoute, DraftStep};
use crate::model::{EvidenceKind, Kind};

const KEYS: [&str; 19] = [
    "id",
    "agent",
    "task",
    "approve",
    "wait",
    "wait_until",
    "wait_for",
    "finish",
    "parallel",
    "output",
    "evidence",
    "next",
    "person",
    "on_reject",
    "due",
    "timeout",
    "on_timeout",
    "check",
    "advisory",
];

const ROUTE: Form<'_> = Form {
    what: "a step id or `{to, when}`",
    instead: "Write the id of a step.",
    keys: &["to", "when"],
    fitting: &["to", "when"],
    habits: habits::ROUTE,
};

pub(super) fn step(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<DraftStep> {
    let node = &*kind_as_key(node, path, shape);
    let fitting = fitting_keys(node);
    let form = Form {
        what: "a step",
        instead: "Begin it with `id:`, and say below what kind of step it is, such as `agent: What to do.`",
        keys: &KEYS,
        fitting: &fitting,
        habits: habits::STEP,
    };
    let node = &*shape.form(node, path, &form)?;
    let map = node.as_map()?;
    let kind = kind(node, map, path, shape);
    let text = kind
        .as_ref()
        .filter(|kind| kind.value != Kind::Parallel)
        .and_then(|kind| {
            let key = kind.value.as_str();
            map.get(key)
                .and_then(|node| shape.word(node, &path.key(key), &instead(key, node)))
        });
    let mut optional_text = |key: &str| {
        map.get(key)
            .and_then(|node| shape.word(node, &path.key(key), &instead(key, node)))
    };
    let (person, on_reject, due) = (
        optional_text("person"),
        optional_text("on_reject"),
        optional_text("due"),
    );
    let (timeout, on_timeout) = (optional_text("timeout"), optional_text("on_timeout"));
    let place = |key: &str| map.get(key).map(|node| (node, path.key(key)));
    let keys = map.entries.iter();
    Some(DraftStep {
        path: path.clone(),
        position: node.position,
        keys: keys
            .map(|entry| At {
                value: entry.key.clone(),
                path: path.key(&entry.key),
                position: entry.key_position,
            })
            .collect(),
        id: shape
            .required(node, "id", path)
            .and_then(|node| shape.word(node, &path.key("id"), &instead("id", node))),
        kind,
        text,
        entries_broken: place("parallel").is_some_and(|(node, _)| {
            node.as_list()
                .is_none_or(|items| items.len() < 2 || items.iter().any(|item| item.as_str().is_none()))
        }),
        entries: place("parallel")
            .map(|(node, path)| entries(node, &path, shape))
            .unwrap_or_default(),
        output: place("output").map(|(node, path)| fields::fields(node, &path, shape).unwrap_or_default()),
        evidence: place("evidence").map(|(node, path)| evidence(node, &path, shape)),
        next: place("next").map(|(node, path)| next(node, &path, shape)),
        person,
        on_reject,
        due,
        timeout,
        on_timeout,
        questions: place("check").map(|(node, path)| questions::questions(node, &path, shape)),
        advisory: place("advisory").and_then(|(node, path)| shape.boolean(node, &path)),
    })
}

/// The keys that fit the kind of a step; all while it has none.
fn fitting_keys(node: &Node) -> Vec<&'static str> {
    let kinds = node.as_map().map(kinds).unwrap_or_default();
    let fits = |key: &&str| match (kinds.first(), Kind::from_key(key)) {
        (None, _) => true,
        (Some(kind), None) => kind.takes(key),
        (Some(_), Some(_)) => false,
    };
    KEYS.into_iter().filter(fits).collect()
}

/// `type: agent` and `instructions: …` are reported, and read as `agent: …`.
fn kind_as_key<'n>(node: &'n Node, path: &Path, shape: &mut Shape<'_>) -> Cow<'n, Node> {
    let Some(map) = node.as_map().filter(|map| kinds(map).is_empty()) else {
        return Cow::Borrowed(node);
    };
    let told = map.entries.iter().enumerate().find_map(|(index, entry)| {
        let told = matches!(entry.key.as_str(), "type" | "kind");
        let kind = entry.value.as_str().filter(|_| told).and_then(meant_kind)?;
        Some((index, entry, kind))
    });
    let Some((index, entry, kind)) = told else {
        return Cow::Borrowed(node);
    };
    let mut meant = map.clone();
    let text = map.entries.iter().position(|other| {
        other.key != entry.key && !KEYS.contains(&other.key.as_str()) && other.value.as_str().is_some()
    });
    let kind = kind.as_str();
    let fix = if let Some(text) = text {
        kind.clone_into(&mut meant.entries[text].key);
        meant.entries.remove(index);
        format!(
            "Write `{kind}: …` in place of `{}` and `{}`.",
            entry.key,
            shorten(&map.entries[text].key)
        )
    } else {
        kind.clone_into(&mut meant.entries[index].key);
        meant.entries[index].value.value = NodeValue::Unreadable;
        format!("Write `{kind}: …` in place of `{}`.", entry.key)
    };
    let message = format!("The kind of a step is a key, not the value of `{}`.", entry.key);
    shape.report(
        Problem::error(
            "kind-as-value",
            &path.key(&entry.key),
            entry.key_position,
            message,
        )
        .fix(fix),
    );
    Cow::Owned(Node {
        value: NodeValue::Map(meant),
        position: node.position,
    })
}

/// The kinds that the keys of a step name.
fn kinds(map: &Map) -> Vec<Kind> {
    map.entries
        .iter()
        .filter_map(|entry| Kind::from_key(&entry.key))
        .collect()
}

fn meant_kind(word: &str) -> Option<Kind> {
    let called = match habits::of(word, habits::STEP) {
        Some(Habit::Called(called)) => Kind::from_key(called),
        _ => None,
    };
    let near = || nearest(word, Kind::ALL.map(Kind::as_str)).and_then(Kind::from_key);
    called.or_else(near)
}

/// What to write under a key in place of something that is no text.
fn instead(key: &str, node: &Node) -> String {
    let fix = match (key, &node.value) {
        ("wait" | "due" | "timeout", NodeValue::Number(number)) if number.as_str().parse::<u32>().is_ok() => {
            return format!("Write a duration, such as {number}d.");
        }
        ("wait" | "due" | "timeout", _) => "Write a duration, such as 2d.",
        ("id", _) => "Write a name that begins with a letter.",
        ("wait_for", _) => "Write the name of an event, such as `payment`.",
        ("on_reject" | "on_timeout", _) => "Write the id of a step.",
        ("wait_until", _) => "Write the path of a `datetime`, such as `inputs.start`.",
        ("person", _) => "Write one role, `initiator`, or a path such as `inputs.manager`.",
        ("finish", _) => "Write the outcome in one word, such as `approved`.",
        (_, NodeValue::Bool(_)) => "Write what is to be done.",
        (_, NodeValue::Null) => "Write what is to be done, in quotes if it begins with `#`.",
        (_, NodeValue::List(_) | NodeValue::Map(_)) => {
            "Write what is to be done as one text, in quotes if it begins with `{` or `[`."
        }
        _ => "Quote it.",
    };
    fix.to_owned()
}

/// Exactly one kind key.
fn kind(node: &Node, map: &Map, path: &Path, shape: &mut Shape<'_>) -> Option<At<Kind>> {
    let mut found = map
        .entries
        .iter()
        .filter_map(|entry| Some((entry, Kind::from_key(&entry.key)?)));
    let Some((entry, kind)) = found.next() else {
        if map
            .entries
            .iter()
            .any(|entry| !KEYS.contains(&entry.key.as_str()))
        {
            return None; // A strange key is reported, with the keys that there are.
        }
        let keys = Kind::ALL.map(Kind::as_str).join(", ");
        let problem = Problem::error(
            "kind-missing",
            path,
            node.position,
            "The step does not say what it is.",
        );
        shape.report(problem.fix(format!("Add exactly one of: {keys}.")));
        return None;
    };
    let rest: Vec<_> = found.collect();
    for (other, second) in &rest {
        let message = format!(
            "A step has one kind; this one is `{}` and `{}`.",
            kind.as_str(),
            second.as_str()
        );
        let problem = Problem::error("kind-twice", &path.key(&other.key), other.key_position, message);
        shape.report(problem.fix("Keep one and make a step of its own for the other."));
    }
    rest.is_empty().then(|| At {
        value: kind,
        path: path.key(&entry.key),
        position: entry.key_position,
    })
}

fn entries(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Vec<At<String>> {
    const FIX: &str = "Write the ids of the branches' first steps, such as `[legal, money]`.";
    let Some(items) = shape.list(node, path, "a list of branches", FIX) else {
        return Vec::new();
    };
    if items.len() < 2 {
        let problem = Problem::error(
            "parallel-too-few",
            path,
            node.position,
            "A parallel step needs two or more branches.",
        );
        shape.report(problem.fix("Add the id of another branch's first step."));
    }
    items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| {
            let fix = "Write the id of the branch's first step; the step itself stands in the list `steps`.";
            shape.word(item, &path.index(index), fix)
        })
        .collect()
}

fn evidence(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Vec<At<EvidenceKind>> {
    let fix = "Write `[file]`, `[link]` or `[file, link]`.";
    let items = shape
        .list(node, path, "a list of kinds of evidence", fix)
        .unwrap_or_default();
    let mut kinds = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let path = path.index(index);
        let Some(word) = shape.word(item, &path, "Write `file` or `link`.") else {
            continue;
        };
        if let Some(value) = EvidenceKind::from_word(&word.value) {
            kinds.push(At {
                value,
                path,
                position: word.position,
            });
            continue;
        }
        let fix = shape.suggest(&word.value, &["file", "link"], || {
            "Write `file` or `link`.".to_owned()
        });
        let message = format!("`{}` is no kind of evidence.", shorten(&word.value));
        shape.report(Problem::error("unknown-evidence", &path, word.position, message).fix(fix));
    }
    kinds
}

fn next(node: &Node, path: &Path, shape: &mut Shape<'_>) -> DraftNext {
    if node.as_str().is_some() {
        return shape.text(node, path).map_or(DraftNext::Broken, DraftNext::To);
    }
    let Some(items) = node.as_list() else {
        shape.expected::<()>(
            "a step id or a list of routes",
            node,
            path,
            "Write the id of the next step, or routes such as `[{to: pay, when: all is well}, {to: ask, when: in doubt}]`.",
        );
        return DraftNext::Broken;
    };
    if items.len() < 2 {
        let problem = Problem::error(
            "routes-too-few",
            path,
            node.position,
            "A list of routes needs two or more.",
        );
        shape.report(problem.fix("Write the id alone, or add another route."));
    }
    let routes = items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| route(item, &path.index(index), shape))
        .collect();
    DraftNext::Choose {
        routes,
        at: At {
            value: (),
            path: path.clone(),
            position: node.position,
        },
    }
}

fn route(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<DraftRoute> {
    if node.as_str().is_some() {
        return Some(DraftRoute {
            to: shape.text(node, path),
            when: None,
        });
    }
    let node = &*shape.form(node, path, &ROUTE)?;
    Some(DraftRoute {
        to: shape
            .required(node, "to", path)
            .and_then(|node| shape.text(node, &path.key("to"))),
        when: node
            .get("when")
            .and_then(|node| shape.text(node, &path.key("when"))),
    })
}
