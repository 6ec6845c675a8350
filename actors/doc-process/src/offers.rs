//! What a process needs from the server that publishes it.

use doc_kit::{Path, Position, Problem};

use crate::model::{Document, EvidenceKind, StepKind, Work};

/// Something that a server may or may not offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// The tool `upload`, which `evidence: [file]` needs.
    Upload,
    /// An evaluator, which `check` needs.
    Evaluator,
}

/// A feature, and where the process asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The feature.
    pub feature: Feature,
    /// The key that asks for it.
    pub path: Path,
    /// Where the key stands.
    pub position: Position,
}

impl Document {
    /// Everything that the process needs, in file order.
    pub fn needs(&self) -> Vec<Need> {
        let mut needs = Vec::new();
        let root = Path::root().key("steps");
        for (index, step) in self.process.steps.iter().enumerate() {
            let path = root.index(index);
            let mut need = |feature, key: &str| {
                let position = self.key_position(index, key);
                needs.push(Need {
                    feature,
                    path: path.key(key),
                    position,
                });
            };
            if let StepKind::Agent { work, .. } | StepKind::Task { work, .. } = &step.kind {
                if asks_for_files(work) {
                    need(Feature::Upload, "evidence");
                }
                if work.check.is_some() {
                    need(Feature::Evaluator, "check");
                }
            }
        }
        needs
    }

    fn key_position(&self, step: usize, key: &str) -> Position {
        let steps = self.frontmatter.get("steps").and_then(|steps| steps.as_list());
        let step = steps.and_then(|steps| steps.get(step));
        let entry = step.and_then(|step| step.as_map()).and_then(|map| map.entry(key));
        entry.map_or(Position::START, |entry| entry.key_position)
    }
}

fn asks_for_files(work: &Work) -> bool {
    work.evidence
        .as_ref()
        .is_some_and(|kinds| kinds.contains(&EvidenceKind::File))
}

/// What keeps a server with these features from publishing the document: an error for every need it cannot meet
/// (process.md §8 and §9.4).
pub fn publishable(document: &Document, offered: &[Feature]) -> Vec<Problem> {
    let unmet = document
        .needs()
        .into_iter()
        .filter(|need| !offered.contains(&need.feature));
    unmet.map(|need| refusal(&need)).collect()
}

fn refusal(need: &Need) -> Problem {
    let (message, fix) = match need.feature {
        Feature::Upload => (
            "This server does not take files yet: it has no `upload` tool.",
            "Ask for `link` evidence, or publish it once the server has the tool.",
        ),
        Feature::Evaluator => (
            "This server has no evaluator for `check`.",
            "Delete `check`, or ask whoever runs the server to configure one.",
        ),
    };
    Problem::error("not-offered", &need.path, need.position, message).fix(fix)
}
