//! The frontmatter's shape: known keys, required keys, types. What the values mean is for the rules in `check`.

mod fields;
mod habits;
mod questions;
mod shape;
mod steps;

use doc_kit::{Node, NodeValue, Path, Problem, reader};

use crate::draft::Draft;
use crate::source::{FRONTMATTER_LINE, Parts};
pub(crate) use shape::shorten;
use shape::{Form, Shape};

const KEYS: [&str; 5] = ["name", "description", "inputs", "requires", "steps"];
const FRONTMATTER: Form<'_> = Form {
    what: "the keys of a process",
    instead: "Write at least `name:`, `description:` and `steps:`.",
    keys: &KEYS,
    fitting: &KEYS,
    habits: habits::FRONTMATTER,
};
const REQUIRES: Form<'_> = Form {
    what: "a map with `systems`",
    instead: "Write `requires: {systems: [a, b]}`.",
    keys: &["systems"],
    fitting: &["systems"],
    habits: &[],
};

/// The most steps of a process. The format names no bound; this server does, because what it settles at one instant grows with the
/// square of the steps that are open at once.
pub const STEPS_MAX: usize = 1000;

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
                    "Nothing stands between the two lines `---`.",
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
    let root = &*shape.form(root, &path, &FRONTMATTER)?;
    let mut draft = Draft {
        name: shape
            .required(root, "name", &path)
            .and_then(|node| shape.text(node, &path.key("name"))),
        description: shape
            .required(root, "description", &path)
            .and_then(|node| shape.text(node, &path.key("description"))),
        ..Draft::default()
    };
    if let Some(inputs) = root.get("inputs") {
        draft.inputs = fields::fields(inputs, &path.key("inputs"), shape).unwrap_or_default();
    }
    if let Some(requires) = root.get("requires") {
        draft.systems = systems(requires, &path.key("requires"), shape).unwrap_or_default();
    }
    if let Some(steps) = shape.required(root, "steps", &path) {
        let path = path.key("steps");
        let listed = shape
            .filled_list(steps, &path, "step", "Begin each step with `- id:`.")
            .unwrap_or_default();
        if listed.len() > STEPS_MAX {
            let message = format!(
                "A process may have {STEPS_MAX} steps; this one has {}.",
                listed.len()
            );
            let problem = Problem::error("too-many-steps", &path, steps.position, message);
            shape.report(problem.fix("Divide it into several processes."));
            return Some(draft);
        }
        draft.steps = listed
            .iter()
            .enumerate()
            .filter_map(|(index, step)| steps::step(step, &path.index(index), shape))
            .collect();
    }
    Some(draft)
}

fn systems(requires: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<Vec<crate::draft::At<String>>> {
    let requires = &*shape.form(requires, path, &REQUIRES)?;
    let systems = shape.required(requires, "systems", path)?;
    let path = path.key("systems");
    let systems = shape.filled_list(systems, &path, "system", "Write a list, such as `[a, b]`.")?;
    Some(
        systems
            .iter()
            .enumerate()
            .filter_map(|(index, system)| shape.text(system, &path.index(index)))
            .collect(),
    )
}
