//! Values against their fields: every issue at once, in the words of tools.md (`output.cleared: expected boolean`).

use std::fmt;

use base::{EmailAddress, Issues, Quoted};
use serde_json::{Map, Value};

use super::calendar::{instant, is_date};
use super::{Field, Fields, Type};

/// The issues of `values`, in file order and then the undeclared ones. `root` is what their paths begin with: `inputs` or
/// `output`.
pub fn check_values(fields: &Fields, root: &str, values: &Map<String, Value>) -> Issues {
    let mut issues = Issues::default();
    for (name, field) in fields.iter() {
        match values.get(name) {
            Some(value) => check_value(value, field, Place::Field(root, name), &mut issues),
            None if field.optional => {}
            None => issues.push(format_args!("{root}.{name}: missing")),
        }
    }
    let undeclared = values.keys().filter(|name| fields.get(name).is_none());
    issues.extend(undeclared.map(|name| format!("{root}.{}: not declared", Quoted(name))));
    issues
}

/// Where a value stands. It is written out only where something is wrong.
#[derive(Clone, Copy)]
enum Place<'a> {
    Field(&'a str, &'a str),
    Item(&'a Self, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(root, name) => write!(f, "{root}.{name}"),
            Self::Item(list, index) => write!(f, "{list}[{index}]"),
        }
    }
}

fn check_value(value: &Value, field: &Field, place: Place<'_>, issues: &mut Issues) {
    if !is_of_type(value, field.value_type) {
        issues.push(format_args!("{place}: expected {}", field.value_type.as_str()));
        return;
    }
    if let Some(allowed) = field.one_of.as_ref().filter(|allowed| !allowed.contains(value)) {
        issues.push(format_args!("{place}: expected one of {allowed}"));
    }
    if let (Some(field), Value::Array(items)) = (&field.items, value) {
        for (index, item) in items.iter().enumerate() {
            if issues.is_full() {
                return;
            }
            check_value(item, field, Place::Item(&place, index), issues);
        }
    }
}

/// True for a value of the type. Null is of no type; what is inside an object or an untyped list is free.
pub(crate) fn is_of_type(value: &Value, field_type: Type) -> bool {
    match (field_type, value) {
        (Type::String, Value::String(_))
        | (Type::Number, Value::Number(_))
        | (Type::Boolean, Value::Bool(_))
        | (Type::List, Value::Array(_))
        | (Type::Object, Value::Object(_)) => true,
        (Type::Date, Value::String(text)) => is_date(text),
        (Type::Datetime, Value::String(text)) => instant(text).is_some(),
        (Type::Person, Value::String(text)) => EmailAddress::matches(text),
        _ => false,
    }
}
