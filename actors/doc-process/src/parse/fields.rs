//! The shape of a map of fields (process.md §3).

use std::collections::BTreeMap;

use doc_kit::reader::Map;
use doc_kit::{Node, NodeValue, Path, Problem};
use serde_json::Value;

use super::habits::{self, Habit};
use super::shape::{Form, Shape, describe, shorten};
use crate::draft::DraftFields;
use crate::fields::{Field, Fields, OneOf, Type, values};

const KEYS: [&str; 5] = ["type", "description", "optional", "one_of", "items"];
const FIELD: Form<'_> = Form {
    what: "a type or a map with `type`",
    instead: "Write a type, such as `string`.",
    keys: &KEYS,
    fitting: &KEYS,
    habits: habits::FIELD,
};

pub(super) fn fields(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<DraftFields> {
    let map = shape.map(
        node,
        path,
        "fields",
        "Write each field as `name: type`, such as `total: number`.",
    )?;
    if is_json_schema(map) {
        let problem = Problem::error(
            "json-schema",
            path,
            node.position,
            "This is a JSON Schema, not a map of fields.",
        );
        shape.report(problem.fix("Write each field as `name: type`, such as `total: number`."));
        return None;
    }
    let (mut whole, mut by_name) = (Vec::new(), BTreeMap::new());
    for entry in &map.entries {
        let path = path.key(&entry.key);
        if entry.key.is_empty() {
            let problem = Problem::error("field-name", &path, entry.key_position, "A field needs a name.");
            shape.report(problem.fix("Put the name between the quotes."));
        }
        shape.json_key(entry, &path);
        let field = field(&entry.value, &path, shape);
        whole.extend(field.clone().map(|field| (entry.key.clone(), field)));
        by_name.insert(entry.key.clone(), field);
    }
    let declared = match node.to_json() {
        Some(Value::Object(declared)) => declared,
        _ => serde_json::Map::new(), // Something in it is unreadable, and reported.
    };
    Some(DraftFields {
        by_name,
        fields: Fields::new(whole, declared),
    })
}

/// `{type: object, properties: {…}}`.
fn is_json_schema(map: &Map) -> bool {
    let is_object = map.get("type").and_then(Node::as_str) == Some("object");
    is_object
        && map
            .get("properties")
            .is_some_and(|properties| properties.as_map().is_some())
}

fn field(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<Field> {
    if node.as_str().is_some() {
        return field_type(node, path, shape).map(Field::of);
    }
    let node = &*shape.form(node, path, &FIELD)?;
    let found = shape
        .required(node, "type", path)
        .and_then(|node| field_type(node, &path.key("type"), shape));
    let description = node
        .get("description")
        .and_then(|node| shape.text(node, &path.key("description")));
    let optional = node
        .get("optional")
        .and_then(|node| shape.boolean(node, &path.key("optional")));
    let items = node
        .get("items")
        .and_then(|node| items(node, found, &path.key("items"), shape));
    let field = Field {
        value_type: found?,
        description: description.map(|description| description.value),
        optional: optional.is_some_and(|optional| optional.value),
        one_of: None,
        items: items.map(Box::new),
    };
    let one_of = node
        .get("one_of")
        .and_then(|node| one_of(node, &field, &path.key("one_of"), shape));
    Some(Field { one_of, ..field })
}

fn field_type(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<Type> {
    let words = Type::ALL.map(Type::as_str);
    let all = format!("The types are {}.", words.join(", "));
    let word = shape.word(node, path, &all)?;
    let found = Type::from_word(&word.value);
    if found.is_none() {
        let fix = match habits::of(&word.value.to_lowercase(), habits::TYPES) {
            Some(Habit::Called(meant)) => format!("Did you mean `{meant}`?"),
            Some(Habit::Advice(advice)) => advice.to_owned(),
            _ => shorthand(&word.value).unwrap_or_else(|| shape.suggest(&word.value, &words, || all)),
        };
        let message = format!("`{}` is no type.", shorten(&word.value));
        shape.report(Problem::error("unknown-type", path, node.position, message).fix(fix));
    }
    found
}

/// How to write `number?`, `string[]`, `list[string]` and `array<string>`.
fn shorthand(word: &str) -> Option<String> {
    let is_type = |word: &&str| Type::from_word(word).is_some();
    if let Some(optional) = word.strip_suffix('?').filter(is_type) {
        return Some(format!("Write `{{type: {optional}, optional: true}}`."));
    }
    let inner = word.split_once(['[', '<']).and_then(|(outer, rest)| {
        let inner = rest.strip_suffix([']', '>'])?;
        Some(if inner.is_empty() { outer } else { inner })
    });
    let items = inner.filter(is_type)?;
    Some(format!("Write `{{type: list, items: {items}}}`."))
}

/// `items` only on a list, without `optional`.
fn items(node: &Node, outer: Option<Type>, path: &Path, shape: &mut Shape<'_>) -> Option<Field> {
    if let Some(outer) = outer.filter(|outer| *outer != Type::List) {
        let message = format!("`items` belongs to the type `list`, not to `{}`.", outer.as_str());
        let problem = Problem::error("items-without-list", path, node.position, message);
        shape.report(problem.fix("Delete `items`, or make the type `list`."));
    }
    if let Some(optional) = node.get("optional") {
        let message = "`optional` means nothing for the items of a list.";
        let problem = Problem::warning(
            "optional-items",
            &path.key("optional"),
            optional.position,
            message,
        );
        shape.report(problem.fix("Delete it."));
    }
    field(node, path, shape)
}

/// Not empty, scalars of the field's type.
fn one_of(node: &Node, field: &Field, path: &Path, shape: &mut Shape<'_>) -> Option<OneOf> {
    let found = field.value_type;
    if matches!(found, Type::List | Type::Object) {
        let message = format!("`one_of` takes single values, not the type `{}`.", found.as_str());
        let problem = Problem::error("one-of-not-scalar", path, node.position, message);
        shape.report(problem.fix("Delete `one_of`, or put it on the items of the list."));
        return None;
    }
    let items = shape.filled_list(node, path, "value", "Write a list, such as `[a, b]`.")?;
    let mut allowed = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some(value) = item.to_json() else { continue };
        if values::is_of_type(&value, found) {
            allowed.push(value);
            continue;
        }
        let message = format!(
            "Expected a {} here, as the field's type says, not {}.",
            found.as_str(),
            describe(item)
        );
        let fix = match (found, &item.value) {
            (Type::String, NodeValue::Number(_) | NodeValue::Bool(_)) => "Quote it.".to_owned(),
            _ => format!("Write {}.", found.example()),
        };
        shape.report(Problem::error("one-of-type", &path.index(index), item.position, message).fix(fix));
    }
    Some(OneOf::new(found, allowed))
}
