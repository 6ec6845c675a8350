//! Every number of the frontmatter is covered by the content hash digit for digit (process.md §9.1).

use doc_kit::number::survives_double;
use doc_kit::{Node, NodeValue, Path, Problem};

pub(super) fn check(root: &Node, problems: &mut Vec<Problem>) {
    walk(root, &Path::root(), problems);
}

/// True when [`check`] has nothing to say.
pub(crate) fn all_covered(node: &Node) -> bool {
    match &node.value {
        NodeValue::Number(number) => survives_double(number),
        NodeValue::List(items) => items.iter().all(all_covered),
        NodeValue::Map(map) => map.entries.iter().all(|entry| all_covered(&entry.value)),
        _ => true,
    }
}

fn walk(node: &Node, path: &Path, problems: &mut Vec<Problem>) {
    match &node.value {
        NodeValue::Number(number) if !survives_double(number) => {
            let message = "This number has more digits or a larger exponent than the content hash covers.";
            let problem = Problem::error("number-not-covered", path, node.position, message);
            problems.push(problem.fix("Write at most 15 digits, and an exponent below 300."));
        }
        NodeValue::List(items) => {
            for (index, item) in items.iter().enumerate().filter(|(_, item)| !all_covered(item)) {
                walk(item, &path.index(index), problems);
            }
        }
        NodeValue::Map(map) => {
            for entry in map.entries.iter().filter(|entry| !all_covered(&entry.value)) {
                walk(&entry.value, &path.key(&entry.key), problems);
            }
        }
        _ => {}
    }
}
