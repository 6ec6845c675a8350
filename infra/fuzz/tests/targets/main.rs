//! What must hold for every input whatever. See the crate's documentation for where inputs come from.

mod arguments;
mod guard;
mod place;
mod process;
mod reader;
mod stored;
