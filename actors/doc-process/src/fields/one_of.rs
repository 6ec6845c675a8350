//! The values that a field may have.

use std::collections::BTreeSet;
use std::fmt;

use base::Quoted;
use doc_kit::number::Decimal;
use serde_json::Value;

use super::Type;

/// A set of allowed values. Numbers compare by value and persons without case (process.md §9.2).
#[derive(Clone, Debug)]
pub struct OneOf {
    value_type: Type,
    values: Vec<Value>,
    keys: BTreeSet<String>,
}

impl OneOf {
    pub(crate) fn new(value_type: Type, values: Vec<Value>) -> Self {
        let keys = values.iter().map(|value| key(value, value_type)).collect();
        Self {
            value_type,
            values,
            keys,
        }
    }

    /// The values as the file declares them.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// True for a value that is one of them.
    pub fn contains(&self, value: &Value) -> bool {
        self.keys.contains(&key(value, self.value_type))
    }
}

/// The same text for equal values of one type.
fn key(value: &Value, value_type: Type) -> String {
    match value {
        Value::Number(number) => match Decimal::parse(number.as_str()) {
            Some(decimal) => decimal.to_ecmascript(),
            None => number.to_string(),
        },
        Value::String(text) if value_type == Type::Person => text.to_lowercase(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `a, b, c`: what an issue says. Long lists and long values are cut.
impl fmt::Display for OneOf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN_MAX: usize = 20;
        for (index, value) in self.values.iter().take(SHOWN_MAX).enumerate() {
            if index > 0 {
                formatter.write_str(", ")?;
            }
            match value {
                Value::String(text) => Quoted(text).fmt(formatter)?,
                other => Quoted(&other.to_string()).fmt(formatter)?,
            }
        }
        if self.values.len() > SHOWN_MAX {
            formatter.write_str(", …")
        } else {
            Ok(())
        }
    }
}
