//! The rules, each in a file of its own. A rule sees the whole draft and reports what breaks it; none stops another.

mod cycle;
mod default_next;
mod description;
mod duration;
mod event;
mod evidence;
mod finish;
mod graph;
mod instructions;
mod keys;
mod name;
pub(crate) mod numbers;
mod parallel;
mod paths;
mod person;
mod questions;
mod reachable;
mod requires;
mod roles;
mod routes;
mod step_id;
mod target;
mod timeout;
mod wait_until;

use base::Name;
use doc_kit::{Node, Problem};

use crate::draft::Draft;
use graph::Graph;

/// Runs every rule.
pub(crate) fn run(root: &Node, draft: &Draft, folder_name: Option<&str>, problems: &mut Vec<Problem>) {
    numbers::check(root, problems);
    name::check(draft, folder_name, problems);
    let rules: [fn(&Draft, &mut Vec<Problem>); 16] = [
        description::check,
        duration::check,
        event::check,
        evidence::check,
        finish::check,
        instructions::check,
        keys::check,
        person::check,
        questions::check,
        requires::check,
        roles::check,
        routes::check,
        step_id::check,
        timeout::check,
        wait_until::check,
        default_next::check,
    ];
    for rule in rules {
        rule(draft, problems);
    }
    let graph = Graph::of(draft);
    let graph_rules: [fn(&Draft, &Graph<'_>, &mut Vec<Problem>); 4] =
        [target::check, reachable::check, cycle::check, parallel::check];
    for rule in graph_rules {
        rule(draft, &graph, problems);
    }
}

/// `^[a-z][a-z0-9_-]{0,63}$`: the pattern of step ids and event names.
pub(crate) fn is_id(text: &str) -> bool {
    const BYTES_MAX: usize = 64;
    let letter = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    text.len() <= BYTES_MAX
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(letter)
}

/// The id that a text was probably meant to be: `check_vendor` for `Check vendor`.
fn propose_id(text: &str) -> Option<String> {
    joined(text, '_').filter(|id| is_id(id))
}

/// The name that a text was probably meant to be: `invoice-approval` for `Invoice Approval`.
fn propose_name(text: &str) -> Option<String> {
    joined(text, '-').filter(|name| Name::matches(name))
}

/// What to write in place of a text that is no id.
fn id_fix(text: &str) -> String {
    let rule = "a lower-case letter, then up to 63 lower-case letters, digits, `_` and `-`";
    propose_id(text).map_or_else(
        || format!("Choose another: {rule}."),
        |id| format!("Write `{id}`: {rule}."),
    )
}

/// What to write in place of a text that is no name.
fn name_fix(text: &str) -> String {
    let rule = "1 to 64 lower-case letters and digits, in words joined by single hyphens";
    propose_name(text).map_or_else(
        || format!("Choose another: {rule}."),
        |name| format!("Write `{name}`: {rule}."),
    )
}

/// The words of a text in lower case.
fn joined(text: &str, joint: char) -> Option<String> {
    const BYTES_MAX: usize = 100;
    let words = text
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join(joint.encode_utf8(&mut [0; 4]));
    // A letter that is not in the pattern was part of a word, and no guess replaces it.
    let is_guess = text.len() > BYTES_MAX
        || text
            .chars()
            .any(|character| character.is_alphanumeric() && !character.is_ascii());
    (!is_guess && !joined.is_empty()).then(|| joined.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{is_id, propose_id, propose_name};

    #[test]
    fn proposals_keep_the_words() {
        assert_eq!(propose_id("Check vendor").as_deref(), Some("check_vendor"));
        assert_eq!(propose_id("“check”").as_deref(), Some("check"));
        assert_eq!(
            propose_name("Invoice_Approval!").as_deref(),
            Some("invoice-approval")
        );
        for text in ["", "1a", "prüfen", "?", &"a".repeat(65)] {
            assert_eq!(propose_id(text), None, "{text}");
        }
    }

    #[test]
    fn ids_begin_with_a_letter() {
        for id in ["a", "a_-9", "a-", &"a".repeat(64)] {
            assert!(is_id(id), "{id}");
        }
        for id in [
            "",
            "1a",
            "_a",
            "-a",
            "A",
            "aB",
            "a b",
            "a.b",
            "ä",
            "a\n",
            &"a".repeat(65),
        ] {
            assert!(!is_id(id), "{id}");
        }
    }
}
