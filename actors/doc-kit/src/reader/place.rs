//! Where the composer is.

use crate::Path;

/// Where a node sits: a chain up to the root. Its path is spelled only when there is something to report.
pub(super) struct Place<'p> {
    around: Option<(&'p Place<'p>, Step<'p>)>,
    /// How many collections are around it.
    pub(super) depth: usize,
}

pub(super) enum Step<'p> {
    Key(&'p str),
    Index(usize),
}

impl<'p> Place<'p> {
    pub(super) const ROOT: Self = Self {
        around: None,
        depth: 0,
    };

    pub(super) fn step(&'p self, step: Step<'p>) -> Self {
        Self {
            around: Some((self, step)),
            depth: self.depth + 1,
        }
    }

    pub(super) fn path(&self) -> Path {
        match &self.around {
            None => Path::root(),
            Some((around, Step::Key(key))) => around.path().key(key),
            Some((around, Step::Index(index))) => around.path().index(*index),
        }
    }
}
