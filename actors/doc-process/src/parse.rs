//! The frontmatter's shape: known keys, required keys, types. What the values mean is for the rules in `check`.

mod fields;
mod questions;
mod shape;
mod steps;

use doc_kit::{Node, NodeValue, Path, Problem, reader};

use crate::draft::Draft;
use crate::source::{FRONTMATTER_LINE, Parts};
use shape::Shape;
pub(crate) use shape::shorten;

const KEYS: [&str; 5] = ["name", "description", "inputs", "requires", "steps"];
/// Keys of the public schema that belong to another server's private profiles.
const FOREIGN_KEYS: [&str; 3] = ["data_sources", "emails", "files"];

/// Reads the frontmatter. `None` when there is nothing to go on with; the reason has been reported.
pub(crate) fn parse(parts: &Parts<'_>, problems: &mut Vec<Problem>) -> Option<(Node, Draft)> {
    let reading = reader::read(parts.frontmatter, FRONTMATTER_LINE, &reader::Limits::default());
    let readable = reading.problems.is_empty();
    problems.extend(reading.problems);
    let mut shape = Shape::new(problems);
    let Some(root) = reading.root.filter(|root| root.value != NodeValue::Null) else {
        if readable {
            let place = doc_kit::Position {
                line: FRONTMATTER_LINE,
                column: 1,
            };
            let fix = "Write at least `name`, `description` and `steps`.";
            shape.report(
                Problem::error(
                    "frontmatter-empty",
                    &Path::root(),
                    place,
                    "The frontmatter is empty.",
                )
                .fix(fix),
            );
        }
        return None;
    };
    let draft = frontmatter(&root, &mut shape)?;
    Some((root, draft))
}

fn frontmatter(root: &Node, shape: &mut Shape<'_>) -> Option<Draft> {
    let path = Path::root();
    let map = shape.map(root, &path)?;
    let (foreign, known): (Vec<_>, Vec<_>) = map
        .entries
        .iter()
        .partition(|entry| FOREIGN_KEYS.contains(&entry.key.as_str()));
    for entry in foreign {
        let message = format!("`{}` needs a profile this server lacks.", entry.key);
        let problem = Problem::error(
            "needs-profile",
            &path.key(&entry.key),
            entry.key_position,
            message,
        );
        shape.report(problem.fix("Delete it, or run the process on a server that has the profile."));
    }
    for entry in known {
        shape.known_key(entry, &path, &KEYS);
    }
    let mut draft = Draft {
        name: shape
            .required(root, "name", &path)
            .and_then(|node| shape.text(node, &path.key("name"))),
        description: shape
            .required(root, "description", &path)
            .and_then(|node| shape.text(node, &path.key("description"))),
        ..Draft::default()
    };
    if let Some(inputs) = map.get("inputs") {
        draft.inputs = fields::fields(inputs, &path.key("inputs"), shape).unwrap_or_default();
    }
    if let Some(requires) = map.get("requires") {
        draft.systems = systems(requires, &path.key("requires"), shape).unwrap_or_default();
    }
    if let Some(steps) = shape.required(root, "steps", &path) {
        let path = path.key("steps");
        let steps = match steps.as_list() {
            Some(_) => shape.filled_list(steps, &path, "step"),
            None => shape.expected("a list of steps", steps, &path, "Begin each step with `- id:`."),
        }
        .unwrap_or_default();
        draft.steps = steps
            .iter()
            .enumerate()
            .filter_map(|(index, step)| steps::step(step, &path.index(index), shape))
            .collect();
    }
    Some(draft)
}

fn systems(requires: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<Vec<crate::draft::At<String>>> {
    let map = shape.map(requires, path)?;
    for entry in &map.entries {
        shape.known_key(entry, path, &["systems"]);
    }
    let systems = shape.required(requires, "systems", path)?;
    let path = path.key("systems");
    let systems = shape.filled_list(systems, &path, "system")?;
    Some(
        systems
            .iter()
            .enumerate()
            .filter_map(|(index, system)| shape.text(system, &path.index(index)))
            .collect(),
    )
}
