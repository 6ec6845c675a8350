//! The shape of one step.

use doc_kit::reader::Map;
use doc_kit::{Node, NodeValue, Path, Problem};

use super::shape::{Shape, shorten};
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

pub(super) fn step(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<DraftStep> {
    let map = shape.map(node, path)?;
    for entry in &map.entries {
        shape.known_key(entry, path, &KEYS);
    }
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

/// What to write under a key in place of a number or a boolean.
fn instead(key: &str, node: &Node) -> String {
    match (key, &node.value) {
        ("wait" | "due" | "timeout", NodeValue::Number(number)) if number.as_str().parse::<u32>().is_ok() => {
            format!("Write a duration, such as {number}d.")
        }
        ("wait" | "due" | "timeout", _) => "Write a duration, such as 2d.".to_owned(),
        ("id" | "wait_for", _) => "Write a name that begins with a letter.".to_owned(),
        ("on_reject" | "on_timeout", _) => "Write the id of a step.".to_owned(),
        ("wait_until", _) => "Write the path of a `datetime`, such as `inputs.start`.".to_owned(),
        _ => "Quote it.".to_owned(),
    }
}

/// Exactly one kind key.
fn kind(node: &Node, map: &Map, path: &Path, shape: &mut Shape<'_>) -> Option<At<Kind>> {
    let mut found = map
        .entries
        .iter()
        .filter_map(|entry| Some((entry, Kind::from_key(&entry.key)?)));
    let Some((entry, kind)) = found.next() else {
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
    let Some(items) = shape.list(node, path) else {
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
        .filter_map(|(index, item)| shape.text(item, &path.index(index)))
        .collect()
}

fn evidence(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Vec<At<EvidenceKind>> {
    let items = shape.list(node, path).unwrap_or_default();
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
            "Write the id of the step to go on to.",
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
    let Some(map) = node.as_map() else {
        return shape.expected("a step id or `{to, when}`", node, path, "Write the id of a step.");
    };
    for entry in &map.entries {
        shape.known_key(entry, path, &["to", "when"]);
    }
    Some(DraftRoute {
        to: shape
            .required(node, "to", path)
            .and_then(|node| shape.text(node, &path.key("to"))),
        when: map
            .get("when")
            .and_then(|node| shape.text(node, &path.key("when"))),
    })
}
