//! The steps as a graph: every edge with its kind and its place.

use std::borrow::Cow;
use std::collections::BTreeMap;

use doc_kit::suggest::nearest;
use doc_kit::{Path, Position};

use super::{is_id, propose_id};
use crate::draft::{At, Draft, DraftNext, DraftStep};
use crate::model::{JOIN, Kind};

/// What makes an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeKind {
    /// Spelled in `next`.
    Next,
    /// The following step, because `next` is absent.
    Following,
    /// Spelled in `on_timeout`.
    OnTimeout,
    /// Spelled in `on_reject`.
    OnReject,
    /// Spelled in `parallel`.
    Entry,
}

impl EdgeKind {
    /// The edges along which no step may be visited twice.
    pub(super) fn goes_on(self) -> bool {
        matches!(self, Self::Next | Self::Following | Self::OnTimeout)
    }

    /// The key of the file.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Next | Self::Following => "next",
            Self::OnTimeout => "on_timeout",
            Self::OnReject => "on_reject",
            Self::Entry => "parallel",
        }
    }
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To the step of this index.
    Step(usize),
    /// To the end of a branch.
    Join,
    /// To no step; `nearest` is the one that was probably meant.
    Unknown { nearest: Option<usize> },
}

impl Target {
    /// The step that an edge leads to, or was probably meant to lead to.
    pub(super) fn meant(self) -> Option<usize> {
        match self {
            Self::Step(index) => Some(index),
            Self::Unknown { nearest } => nearest,
            Self::Join => None,
        }
    }
}

/// One edge.
#[derive(Clone, Debug)]
pub(super) struct Edge<'a> {
    pub(super) from: usize,
    pub(super) to: Target,
    pub(super) kind: EdgeKind,
    pub(super) path: Path,
    pub(super) position: Position,
    /// The id as spelled.
    pub(super) spelled: &'a str,
    /// False for an edge whose key may not stand there: that is reported, and the edge only makes steps reachable.
    pub(super) sound: bool,
}

/// The graph of a draft.
pub(super) struct Graph<'a> {
    pub(super) edges: Vec<Edge<'a>>,
    /// The edges that leave each step, by their index.
    outgoing: Vec<Vec<usize>>,
    /// The steps by their ids; those whose id is reported also by the one that the report proposes.
    index_of: BTreeMap<Cow<'a, str>, usize>,
    has_parallel: bool,
    /// True when some branch is not known; reported.
    branches_unclear: bool,
    /// How many suggestions may still be looked up: each costs a pass over all ids.
    suggestions_left: usize,
}

impl<'a> Graph<'a> {
    pub(super) fn of(draft: &'a Draft) -> Self {
        const SUGGESTIONS_MAX: usize = 20;
        let mut index_of = BTreeMap::new();
        for (index, step) in draft.steps.iter().enumerate() {
            if let Some(id) = step.id() {
                index_of.entry(Cow::Borrowed(id)).or_insert(index);
            }
        }
        for (index, step) in draft.steps.iter().enumerate() {
            if let Some(proposal) = step.id().filter(|id| !is_id(id)).and_then(propose_id) {
                index_of.entry(Cow::Owned(proposal)).or_insert(index);
            }
        }
        let mut graph = Self {
            edges: Vec::new(),
            outgoing: vec![Vec::new(); draft.steps.len()],
            index_of,
            has_parallel: draft.steps.iter().any(|step| step.is(Kind::Parallel)),
            branches_unclear: draft.steps.iter().any(|step| step.entries_broken),
            suggestions_left: SUGGESTIONS_MAX,
        };
        for (index, step) in draft.steps.iter().enumerate() {
            graph.add_step(index, step);
            if follows(step) && index + 1 < draft.steps.len() {
                let to = Target::Step(index + 1);
                graph.push(Edge {
                    from: index,
                    to,
                    kind: EdgeKind::Following,
                    path: step.path.clone(),
                    position: step.position,
                    spelled: draft.steps[index + 1].id().unwrap_or_default(),
                    sound: true,
                });
            }
        }
        graph.branches_unclear |= graph
            .edges
            .iter()
            .any(|edge| edge.kind == EdgeKind::Entry && edge.to.meant().is_none());
        graph
    }

    /// The edges that leave a step.
    pub(super) fn leaving(&self, step: usize) -> impl Iterator<Item = &Edge<'a>> {
        self.outgoing[step].iter().map(|edge| &self.edges[*edge])
    }

    pub(super) fn index_of(&self, id: &str) -> Option<usize> {
        self.index_of.get(id).copied()
    }

    /// True when some branch is not known, for a reason that is reported.
    pub(super) fn branches_unclear(&self) -> bool {
        self.branches_unclear
    }

    pub(super) fn has_parallel(&self) -> bool {
        self.has_parallel
    }

    fn add_step(&mut self, index: usize, step: &'a DraftStep) {
        match &step.next {
            Some(DraftNext::To(to)) => self.add((index, step), EdgeKind::Next, to),
            Some(DraftNext::Choose { routes, .. }) => {
                routes
                    .iter()
                    .filter_map(|route| route.to.as_ref())
                    .for_each(|to| self.add((index, step), EdgeKind::Next, to));
            }
            Some(DraftNext::Broken) | None => {}
        }
        let single = [
            (EdgeKind::OnTimeout, &step.on_timeout),
            (EdgeKind::OnReject, &step.on_reject),
        ];
        for (kind, to) in single {
            if let Some(to) = to {
                self.add((index, step), kind, to);
            }
        }
        for entry in &step.entries {
            self.add((index, step), EdgeKind::Entry, entry);
        }
    }

    fn add(&mut self, (from, step): (usize, &DraftStep), kind: EdgeKind, to: &'a At<String>) {
        let spelled = to.value.as_str();
        let target = if self.has_parallel && spelled == JOIN && kind.goes_on() {
            Target::Join
        } else if let Some(index) = self.index_of(spelled) {
            Target::Step(index)
        } else {
            Target::Unknown {
                nearest: self.suggest(spelled),
            }
        };
        self.push(Edge {
            from,
            to: target,
            kind,
            path: to.path.clone(),
            position: to.position,
            spelled,
            sound: is_sound(step, kind),
        });
    }

    fn suggest(&mut self, spelled: &str) -> Option<usize> {
        self.suggestions_left = self.suggestions_left.checked_sub(1)?;
        let id = nearest(spelled, self.index_of.keys().map(AsRef::as_ref))?;
        self.index_of(id)
    }

    fn push(&mut self, edge: Edge<'a>) {
        self.outgoing[edge.from].push(self.edges.len());
        self.edges.push(edge);
    }
}

/// True for a step that goes on to the following one: no finish, and `next` is absent.
fn follows(step: &DraftStep) -> bool {
    !step.is(Kind::Finish) && step.key("next").is_none()
}

/// Whether the key of an edge may stand on its step, and a list of routes as well if it is one.
fn is_sound(step: &DraftStep, kind: EdgeKind) -> bool {
    let chosen = kind == EdgeKind::Next && matches!(step.next, Some(DraftNext::Choose { .. }));
    step.kind.as_ref().is_none_or(|step| match step.value {
        Kind::Agent | Kind::Task => step.value.takes(kind.key()),
        other => other.takes(kind.key()) && !chosen,
    })
}
