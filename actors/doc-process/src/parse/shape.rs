//! The questions that every part of the shape asks: is it a text, a list, a map, and are its keys known?

use doc_kit::json_guard::RESERVED_PREFIX;
use doc_kit::reader::{Entry, Map};
use doc_kit::suggest::nearest;
use doc_kit::{Node, NodeValue, Path, Problem};

use crate::draft::At;

/// Asks, and reports what is not as it should be.
pub(super) struct Shape<'a> {
    problems: &'a mut Vec<Problem>,
    suggestions_left: usize,
}

impl<'a> Shape<'a> {
    pub(super) fn new(problems: &'a mut Vec<Problem>) -> Self {
        const SUGGESTIONS_MAX: usize = 100;
        Self {
            problems,
            suggestions_left: SUGGESTIONS_MAX,
        }
    }

    pub(super) fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// The word that was probably meant, or else what to write.
    pub(super) fn suggest(
        &mut self,
        given: &str,
        words: &[&str],
        otherwise: impl FnOnce() -> String,
    ) -> String {
        let found = self.suggestions_left.checked_sub(1).and_then(|left| {
            self.suggestions_left = left;
            nearest(given, words.iter().copied())
        });
        found.map_or_else(otherwise, |word| format!("Did you mean `{word}`?"))
    }

    /// Reports a key that is not among the allowed ones.
    pub(super) fn known_key(&mut self, entry: &Entry, path: &Path, allowed: &[&str]) {
        if allowed.contains(&entry.key.as_str()) {
            return;
        }
        let fix = self.suggest(&entry.key, allowed, || {
            format!("Allowed here: {}.", allowed.join(", "))
        });
        let message = format!("The key `{}` is not known here.", shorten(&entry.key));
        self.report(
            Problem::error("unknown-key", &path.key(&entry.key), entry.key_position, message).fix(fix),
        );
    }

    /// Reports a key that the guard in front of every JSON entry point would refuse: nobody could send its value.
    pub(super) fn json_key(&mut self, entry: &Entry, path: &Path) {
        if entry.key.starts_with(RESERVED_PREFIX) {
            let message = format!("No name may begin with `{RESERVED_PREFIX}`.");
            let problem = Problem::error("reserved-name", path, entry.key_position, message);
            self.report(problem.fix("Choose another name."));
        }
    }

    /// The value of a key that must be there.
    pub(super) fn required<'n>(&mut self, node: &'n Node, key: &str, path: &Path) -> Option<&'n Node> {
        let found = node.get(key);
        if found.is_none() {
            let message = format!("`{key}` is missing.");
            let problem = Problem::error("missing-key", &path.key(key), node.position, message);
            self.report(problem.fix(format!("Add `{key}:` here.")));
        }
        found
    }

    pub(super) fn text(&mut self, node: &Node, path: &Path) -> Option<At<String>> {
        self.word(node, path, "Quote it.")
    }

    /// A text of which no number and no boolean would be an instance if it were quoted: `fix` says what to write.
    pub(super) fn word(&mut self, node: &Node, path: &Path, fix: &str) -> Option<At<String>> {
        match &node.value {
            NodeValue::String(text) => Some(At {
                value: text.clone(),
                path: path.clone(),
                position: node.position,
            }),
            NodeValue::Null => self.expected(
                "text",
                node,
                path,
                "Write the text, in quotes if it begins with `#`.",
            ),
            NodeValue::Number(_) | NodeValue::Bool(_) => self.expected("text", node, path, fix),
            _ => self.expected(
                "text",
                node,
                path,
                "Write a text, in quotes if it begins with `{` or `[`.",
            ),
        }
    }

    pub(super) fn boolean(&mut self, node: &Node, path: &Path) -> Option<At<bool>> {
        match &node.value {
            NodeValue::Bool(value) => Some(At {
                value: *value,
                path: path.clone(),
                position: node.position,
            }),
            _ => self.expected("true or false", node, path, "Write `true` or `false`."),
        }
    }

    pub(super) fn map<'n>(&mut self, node: &'n Node, path: &Path) -> Option<&'n Map> {
        let map = node.as_map();
        if map.is_none() {
            self.expected::<()>("a map", node, path, "Write keys with values.");
        }
        map
    }

    pub(super) fn list<'n>(&mut self, node: &'n Node, path: &Path) -> Option<&'n [Node]> {
        let items = node.as_list();
        if items.is_none() {
            self.expected::<()>("a list", node, path, "Write a list, such as `[a, b]`.");
        }
        items
    }

    /// A list with at least one item.
    pub(super) fn filled_list<'n>(&mut self, node: &'n Node, path: &Path, item: &str) -> Option<&'n [Node]> {
        let items = self.list(node, path)?;
        if items.is_empty() {
            let message = format!("This list needs at least one {item}.");
            self.report(Problem::error("empty-list", path, node.position, message).fix("Add one."));
        }
        Some(items)
    }

    /// Reports a value of another type, unless it has been reported already.
    pub(super) fn expected<T>(&mut self, what: &str, node: &Node, path: &Path, fix: &str) -> Option<T> {
        if node.value != NodeValue::Unreadable {
            let message = format!("Expected {what} here, not {}.", node.describe());
            self.report(Problem::error("wrong-type", path, node.position, message).fix(fix));
        }
        None
    }
}

/// What a message shows of a text that somebody else chose.
pub(crate) fn shorten(text: &str) -> String {
    const CHARS_MAX: usize = 80;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
