//! What every document format needs: a strict YAML reader that knows places, problems as data, canonical
//! JSON with exact numbers, digests, and the guard in front of every JSON entry point.
//!
//! Nothing here reads a file, a clock or the environment; text and bytes come in, values and problems go out.

pub mod canonical;
pub mod digest;
pub mod json_guard;
pub mod number;
pub mod path;
pub mod problem;
pub mod reader;
pub mod suggest;

pub use path::Path;
pub use problem::{Position, Problem, Severity};
pub use reader::{Node, NodeValue};
