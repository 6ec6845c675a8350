//! The questions that every part of the shape asks: is it a text, a list, a map, and are its keys known?

use std::borrow::Cow;

use doc_kit::json_guard::RESERVED_PREFIX;
use doc_kit::reader::{Entry, Map};
use doc_kit::suggest::nearest;
use doc_kit::{Node, NodeValue, Path, Problem};

use super::habits::{self, Habit, Habits};
use crate::draft::At;

/// A map with fixed keys, as the format knows it.
pub(super) struct Form<'f> {
    /// What a message calls it: `a step`.
    pub(super) what: &'f str,
    /// What to write where something else stands.
    pub(super) instead: &'f str,
    /// Every key that it may have.
    pub(super) keys: &'f [&'f str],
    /// The keys to propose for a strange one.
    pub(super) fitting: &'f [&'f str],
    /// The words that people bring along.
    pub(super) habits: &'f Habits,
}

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
        let found = self.nearest(given, words);
        found.map_or_else(otherwise, |word| format!("Did you mean `{word}`?"))
    }

    /// The map under the keys that it was meant to have. A strange key is reported, and read as the one that was probably
    /// meant: so one slip is one problem, and those below it are found as well.
    pub(super) fn form<'n>(&mut self, node: &'n Node, path: &Path, form: &Form<'_>) -> Option<Cow<'n, Node>> {
        let map = self.map(node, path, form.what, form.instead)?;
        let mut meant = Cow::Borrowed(map);
        // Found once: a map has any number of strange keys.
        let mut absent: Vec<&str> = form.fitting.to_vec();
        absent.retain(|key| map.get(key).is_none());
        for (index, entry) in map.entries.iter().enumerate() {
            if form.keys.contains(&entry.key.as_str()) {
                continue;
            }
            if let Some(key) = self.strange_key(entry, path, form, &absent) {
                key.clone_into(&mut meant.to_mut().entries[index].key);
                absent.retain(|other| *other != key);
            }
        }
        Some(match meant {
            Cow::Borrowed(_) => Cow::Borrowed(node),
            Cow::Owned(map) => Cow::Owned(Node {
                value: NodeValue::Map(map),
                position: node.position,
            }),
        })
    }

    /// Reports a strange key; gives the key that it was probably meant to be, among those that are absent.
    fn strange_key<'k>(
        &mut self,
        entry: &Entry,
        path: &Path,
        form: &Form<'_>,
        absent: &[&'k str],
    ) -> Option<&'k str> {
        let Entry {
            key, key_position, ..
        } = entry;
        let path = path.key(key);
        let habit = habits::of(key, form.habits);
        if matches!(habit, Some(Habit::Profile)) {
            let message = format!("`{key}` needs a profile this server lacks.");
            let problem = Problem::error("needs-profile", &path, *key_position, message);
            self.report(problem.fix("Delete it, or run the process on a server that has the profile."));
            return None;
        }
        let meant = match habit {
            Some(Habit::Called(word)) => absent.iter().copied().find(|key| *key == word),
            Some(_) => None,
            None => self.nearest(key, absent),
        };
        let fix = match (meant, habit) {
            (Some(meant), _) => format!("Did you mean `{meant}`?"),
            (None, Some(Habit::Advice(advice))) => advice.to_owned(),
            (None, _) if key.contains(' ') => {
                "Quote the text if it goes on from the line above, or write it as a block: `|` and the text indented below."
                    .to_owned()
            }
            (None, _) => format!("Allowed here: {}.", form.fitting.join(", ")),
        };
        let message = format!("The key `{}` is not known here.", shorten(key));
        self.report(Problem::error("unknown-key", &path, *key_position, message).fix(fix));
        meant
    }

    fn nearest<'w>(&mut self, given: &str, words: &[&'w str]) -> Option<&'w str> {
        self.suggestions_left = self.suggestions_left.checked_sub(1)?;
        nearest(given, words.iter().copied())
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

    /// A text of any kind.
    pub(super) fn text(&mut self, node: &Node, path: &Path) -> Option<At<String>> {
        let fix = match &node.value {
            NodeValue::Null => "Write the text, in quotes if it begins with `#`.",
            NodeValue::List(_) | NodeValue::Map(_) => {
                "Write it as one text, in quotes if it begins with `{` or `[`."
            }
            _ => "Quote it.",
        };
        self.word(node, path, fix)
    }

    /// A text that must be more than a text: `fix` says what to write where there is none.
    pub(super) fn word(&mut self, node: &Node, path: &Path, fix: &str) -> Option<At<String>> {
        match &node.value {
            NodeValue::String(text) => Some(At {
                value: text.clone(),
                path: path.clone(),
                position: node.position,
            }),
            _ => self.expected("text", node, path, fix),
        }
    }

    pub(super) fn boolean(&mut self, node: &Node, path: &Path) -> Option<At<bool>> {
        match &node.value {
            NodeValue::Bool(value) => Some(At {
                value: *value,
                path: path.clone(),
                position: node.position,
            }),
            _ => self.expected(
                "true or false",
                node,
                path,
                "Write `true` or `false`, without quotes.",
            ),
        }
    }

    pub(super) fn map<'n>(&mut self, node: &'n Node, path: &Path, what: &str, fix: &str) -> Option<&'n Map> {
        let map = node.as_map();
        if map.is_none() {
            self.expected::<()>(what, node, path, fix);
        }
        map
    }

    /// A list. `fix` says what to write where there is none.
    pub(super) fn list<'n>(
        &mut self,
        node: &'n Node,
        path: &Path,
        what: &str,
        fix: &str,
    ) -> Option<&'n [Node]> {
        let items = node.as_list();
        if items.is_none() {
            self.expected::<()>(what, node, path, fix);
        }
        items
    }

    /// A list of such items, with at least one.
    pub(super) fn filled_list<'n>(
        &mut self,
        node: &'n Node,
        path: &Path,
        item: &str,
        fix: &str,
    ) -> Option<&'n [Node]> {
        let items = self.list(node, path, &format!("a list of {item}s"), fix)?;
        if items.is_empty() {
            let message = format!("This list needs at least one {item}.");
            self.report(Problem::error("empty-list", path, node.position, message).fix("Add one."));
        }
        Some(items)
    }

    /// Reports a value of another type, unless it has been reported already.
    pub(super) fn expected<T>(&mut self, what: &str, node: &Node, path: &Path, fix: &str) -> Option<T> {
        if node.value != NodeValue::Unreadable {
            let message = format!("Expected {what} here, not {}.", describe(node));
            self.report(Problem::error("wrong-type", path, node.position, message).fix(fix));
        }
        None
    }
}

/// What a message calls a value that should be another: ``the text `yes` ``, `a list`.
pub(super) fn describe(node: &Node) -> String {
    const CHARS_MAX: usize = 40;
    match node.as_str() {
        Some("") => "an empty text".to_owned(),
        Some(text) if text.chars().count() <= CHARS_MAX && !text.contains(['\n', '`']) => {
            format!("the text `{text}`")
        }
        _ => node.describe(),
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
