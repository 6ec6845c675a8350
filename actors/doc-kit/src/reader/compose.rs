//! Parser events to a tree, collecting problems instead of stopping at the first.

mod aliases;

use std::collections::{BTreeMap, BTreeSet};

use granit_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

use self::aliases::{Anchored, Cost};
use super::mistake;
use super::place::{Place, Step};
use super::scalar::{self, Plain};
use super::{Entry, Limits, Map, Node, NodeValue, Reading};
use crate::problem::PROBLEMS_MAX;
use crate::{Path, Position, Problem};

pub(super) fn compose(text: &str, first_line: usize, limits: &Limits) -> Reading {
    let mut composer = Composer {
        parser: parser(text, limits),
        text,
        read_to: 0,
        first_line,
        limits,
        repeated: aliases::repeated(text, limits),
        anchors: BTreeMap::new(),
        kept: Cost::default(),
        open_anchors: BTreeSet::new(),
        open_brackets: Vec::new(),
        made: Cost::default(),
        by_aliases: Cost::default(),
        problems: Vec::new(),
    };
    let root = composer.document().unwrap_or(None);
    Reading {
        root,
        problems: composer.problems,
    }
}

fn parser<'a>(text: &'a str, limits: &Limits) -> Parser<'a, StrInput<'a>> {
    let options = granit_parser::options! {
        strict_indentation: true,
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_comments: false,
        flow_nesting_limit: limits.depth_max + 1,
        block_nesting_limit: limits.depth_max + 1,
    };
    Parser::new_from_str_with_options(text, options)
}

/// Reading cannot go on; the problem has been recorded.
struct Stop;

/// The content of a collection and how many collections are inside each other below it.
type Content = Result<(NodeValue, usize), Stop>;

struct Composer<'a> {
    parser: Parser<'a, StrInput<'a>>,
    text: &'a str,
    /// The byte up to which the text came out as events.
    read_to: usize,
    first_line: usize,
    limits: &'a Limits,
    /// The anchors that some alias repeats. Only their values are kept.
    repeated: BTreeSet<usize>,
    anchors: BTreeMap<usize, Anchored>,
    kept: Cost,
    open_anchors: BTreeSet<usize>,
    /// Where each list or map between brackets begins that is being read.
    open_brackets: Vec<usize>,
    made: Cost,
    by_aliases: Cost,
    problems: Vec<Problem>,
}

/// The mark of a scalar event that decides its meaning.
struct Scalar<'a> {
    text: &'a str,
    style: ScalarStyle,
    tag: Option<&'a Tag>,
}

impl<'a> Composer<'a> {
    fn document(&mut self) -> Result<Option<Node>, Stop> {
        let mut root = None;
        let mut documents = 0;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(root),
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents > 1 {
                        let message = "A second YAML document begins here; there may be only one.";
                        let fix = "Delete this line and what follows, or put it into a file of its own.";
                        return Err(self.stop("second-document", (&Path::root(), span.start), message, fix));
                    }
                    let event = self.next()?;
                    root = Some(self.node(event, &Place::ROOT)?.0);
                }
                _ => {}
            }
        }
    }

    /// The next event that carries structure (another crate may have switched comment events on).
    fn next(&mut self) -> Result<(Event<'a>, Span), Stop> {
        loop {
            match self.parser.next_event() {
                Some(Ok((event, span))) if is_structure(&event) => {
                    self.read_to = self.read_to.max(span.end.byte_offset().unwrap_or_default());
                    return Ok((event, span));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(self.syntax(&error)),
                None => return Ok((Event::StreamEnd, Span::default())),
            }
        }
    }

    /// One node and its height: 0 for a scalar, 1 for a collection of scalars.
    fn node(&mut self, (event, span): (Event<'a>, Span), place: &Place<'_>) -> Result<(Node, usize), Stop> {
        let position = self.position(span.start);
        let before = self.made;
        self.made.nodes += 1;
        let (anchor, value, height) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.made.bytes += text.len();
                let scalar = Scalar {
                    text: &text,
                    style,
                    tag: tag.as_deref(),
                };
                (anchor, self.scalar(&scalar, &span, place), 0)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "seq", &span, place);
                let (items, height) = self.collection(anchor, &span, place, Self::list)?;
                (anchor, items, height)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "map", &span, place);
                let (map, height) = self.collection(anchor, &span, place, Self::map)?;
                (anchor, map, height)
            }
            Event::Alias(id) => return self.alias(id, &span, place),
            Event::UnresolvedAlias(name) => {
                let message = format!("No anchor `&{name}` stands before this alias.");
                let fix =
                    "Quote it if it is text; else put `&` and the same name before the value to repeat.";
                self.report("unknown-alias", (&place.path(), span.start), message, fix);
                (0, NodeValue::Unreadable, 0)
            }
            _ => (0, NodeValue::Unreadable, 0),
        };
        let node = Node { value, position };
        if self.repeated.contains(&anchor) {
            let cost = Cost {
                nodes: self.made.nodes - before.nodes,
                bytes: self.made.bytes - before.bytes,
            };
            self.keep(anchor, &node, cost, height);
        }
        Ok((node, height))
    }

    fn collection(
        &mut self,
        anchor: usize,
        span: &Span,
        place: &Place<'_>,
        content: fn(&mut Self, &Place<'_>) -> Content,
    ) -> Content {
        if place.depth >= self.limits.depth_max {
            return Err(self.too_deep(&place.path(), span.start));
        }
        self.open_anchors.insert(anchor);
        let open_brackets = self.open_brackets.len();
        let begin = span.start.byte_offset();
        self.open_brackets
            .extend(begin.filter(|begin| self.text[*begin..].starts_with(['[', '{'])));
        let (value, height) = content(self, place)?;
        self.open_brackets.truncate(open_brackets);
        self.open_anchors.remove(&anchor);
        Ok((value, height + 1))
    }

    fn list(&mut self, place: &Place<'_>) -> Content {
        let mut items = Vec::new();
        let mut height = 0;
        loop {
            let event = self.next()?;
            if matches!(event.0, Event::SequenceEnd | Event::StreamEnd) {
                return Ok((NodeValue::List(items), height));
            }
            let (item, item_height) = self.node(event, &place.step(Step::Index(items.len())))?;
            height = height.max(item_height);
            items.push(item);
        }
    }

    fn map(&mut self, place: &Place<'_>) -> Content {
        let mut entries: Vec<Entry> = Vec::new();
        let mut places: BTreeMap<String, Position> = BTreeMap::new();
        // What a merge key would have brought: it is refused, and nothing of it is missed as well.
        let mut merged: Vec<Entry> = Vec::new();
        let mut height = 0;
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd | Event::StreamEnd) {
                merged.retain(|entry| places.insert(entry.key.clone(), entry.key_position).is_none());
                entries.append(&mut merged);
                return Ok((NodeValue::Map(Map { entries }), height));
            }
            let key_position = self.position(span.start);
            let is_refused_merge = is_merge(&event);
            let key = self.key((event, span), place)?;
            let value_place = place.step(Step::Key(key.as_deref().unwrap_or("?")));
            let value_event = self.next()?;
            let (value, value_height) = self.node(value_event, &value_place)?;
            height = height.max(value_height);
            if let NodeValue::Map(map) = &value.value
                && is_refused_merge
            {
                merged.extend_from_slice(&map.entries);
            }
            let Some(key) = key else { continue };
            if let Some(first) = places.get(&key) {
                let Position { line, column } = *first;
                let message = format!(
                    "The key `{key}` is here a second time; the first is at line {line}, column {column}."
                );
                let problem = Problem::error("duplicate-key", &place.path().key(&key), key_position, message);
                self.note(problem.fix("Keep one of the two."));
                continue;
            }
            places.insert(key.clone(), key_position);
            entries.push(Entry {
                key,
                key_position,
                value,
            });
        }
    }

    /// A key, or `None` when it is refused.
    fn key(&mut self, (event, span): (Event<'a>, Span), place: &Place<'_>) -> Result<Option<String>, Stop> {
        if is_merge(&event) {
            let fix = "Write the keys out, or quote it (\"<<\") if it is meant as a key.";
            self.report(
                "merge-key",
                (&place.path(), span.start),
                "Merge keys (`<<`) are not part of YAML 1.2.",
                fix,
            );
            return Ok(None);
        }
        let known = self.problems.len();
        let (node, _) = self.node((event, span), place)?;
        match node.value {
            NodeValue::String(key) => Ok(Some(key)),
            NodeValue::Unreadable if self.problems.len() > known => Ok(None),
            _ => {
                let message = format!("A key must be text, not {}.", node.describe());
                let fix = match node.value {
                    NodeValue::List(_) | NodeValue::Map(_) => {
                        "Text that begins with `{` or `[` must be quoted."
                    }
                    _ => "Quote it.",
                };
                self.report("key-not-text", (&place.path(), span.start), message, fix);
                Ok(None)
            }
        }
    }

    fn scalar(&mut self, scalar: &Scalar<'_>, span: &Span, place: &Place<'_>) -> NodeValue {
        let tag = match scalar.tag {
            None if scalar.style != ScalarStyle::Plain => Some("str"),
            None => None,
            Some(tag) => match tag.core_suffix() {
                Some(core) => Some(core),
                None => return self.foreign_tag(tag, span, place),
            },
        };
        if tag == Some("str") {
            return self.text(scalar.text, span, place);
        }
        let plain = scalar::resolve(scalar.text, self.limits);
        if let Some(tag) = tag.filter(|tag| !scalar::fits_tag(tag, &plain, scalar.text)) {
            let message = format!("The content does not fit the tag `!!{tag}`.");
            self.report(
                "tag-misfit",
                (&place.path(), tag_start(span)),
                message,
                "Delete the tag or correct the content.",
            );
            return NodeValue::Unreadable;
        }
        match plain {
            Plain::Null => NodeValue::Null,
            Plain::Bool(value) => NodeValue::Bool(value),
            Plain::Number(number) => NodeValue::Number(number),
            Plain::Text => self.text(scalar.text, span, place),
            Plain::NotFinite => {
                let message = format!("`{}` is not a number that JSON has.", scalar.text);
                self.report(
                    "number-not-finite",
                    (&place.path(), span.start),
                    message,
                    "Write a finite number; if it is meant as text, quote it.",
                );
                NodeValue::Unreadable
            }
            Plain::TooLong => {
                let message = format!(
                    "A number may have {} characters and an exponent up to {}.",
                    self.limits.number_chars_max, self.limits.exponent_max
                );
                self.report(
                    "number-too-long",
                    (&place.path(), span.start),
                    message,
                    "Shorten it; if it is meant as text, quote it.",
                );
                NodeValue::Unreadable
            }
        }
    }

    fn text(&mut self, text: &str, span: &Span, place: &Place<'_>) -> NodeValue {
        if text.contains('\0') {
            let message = "The character U+0000 cannot be stored.";
            self.report(
                "nul-character",
                (&place.path(), span.start),
                message,
                "Delete the escape `\\0`.",
            );
            return NodeValue::Unreadable;
        }
        NodeValue::String(text.to_owned())
    }

    fn collection_tag(&mut self, tag: Option<&Tag>, expected: &str, span: &Span, place: &Place<'_>) {
        let Some(tag) = tag else { return };
        match tag.core_suffix() {
            Some(core) if core == expected => {}
            Some(core) => {
                let message = format!("The content does not fit the tag `!!{core}`.");
                self.report(
                    "tag-misfit",
                    (&place.path(), tag_start(span)),
                    message,
                    "Delete the tag.",
                );
            }
            None => {
                self.foreign_tag(tag, span, place);
            }
        }
    }

    fn foreign_tag(&mut self, tag: &Tag, span: &Span, place: &Place<'_>) -> NodeValue {
        let message = format!("The tag `{}` is not one of the core schema.", tag.original());
        let fix = "Delete the tag; text that begins with `!` must be quoted.";
        self.report("unknown-tag", (&place.path(), tag_start(span)), message, fix);
        NodeValue::Unreadable
    }

    fn position(&self, marker: Marker) -> Position {
        Position {
            line: marker.line() + self.first_line - 1,
            column: marker.col() + 1,
        }
    }

    fn report(
        &mut self,
        code: &'static str,
        (path, marker): (&Path, Marker),
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        let problem = Problem::error(code, path, self.position(marker), message);
        self.note(problem.fix(fix));
    }

    /// Hostile text could have a problem in every other character.
    fn note(&mut self, problem: Problem) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem);
        }
    }

    fn stop(&mut self, code: &'static str, at: (&Path, Marker), message: &str, fix: &str) -> Stop {
        self.report(code, at, message, fix);
        Stop
    }

    fn too_deep(&mut self, path: &Path, marker: Marker) -> Stop {
        let message = format!(
            "Lists and maps are nested more than {} deep here.",
            self.limits.depth_max
        );
        self.stop("too-deep", (path, marker), &message, "Flatten them.")
    }

    fn syntax(&mut self, error: &ScanError) -> Stop {
        use granit_parser::ErrorKind;
        let marker = *error.marker();
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => self.too_deep(&Path::root(), marker),
            ErrorKind::DirectiveDisallowed => {
                let message = "YAML directives (`%…`) are refused.";
                self.stop("directive", (&Path::root(), marker), message, "Delete this line.")
            }
            _ => {
                let progress = mistake::Progress {
                    read_to: self.read_to,
                    brackets_from: self.open_brackets.first().copied(),
                };
                let mistake = mistake::find(self.text, progress, error);
                let line = mistake.place.line + self.first_line - 1;
                let position = Position {
                    line,
                    ..mistake.place
                };
                if let Some(column) = mistake.explains_from {
                    self.problems
                        .retain(|known| known.position.line != line || known.position.column < column);
                }
                let problem = Problem::error("yaml-syntax", &Path::root(), position, mistake.message);
                self.note(problem.fix(mistake.fix));
                Stop
            }
        }
    }
}

fn is_structure(event: &Event<'_>) -> bool {
    event.is_node()
        || matches!(
            event,
            Event::SequenceEnd | Event::MappingEnd | Event::DocumentStart(..) | Event::StreamEnd
        )
}

fn is_merge(event: &Event<'_>) -> bool {
    matches!(event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<")
}

fn tag_start(span: &Span) -> Marker {
    span.tag_start.unwrap_or(span.start)
}
