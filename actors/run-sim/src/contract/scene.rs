//! An organization with people and agents, and commands that are decided but not yet committed.

use std::sync::Arc;
use std::time::Duration;

use base::{
    AgentId, AgentRights, Caller, GroupId, OrganizationId, PersonId, PersonRole, RunId, Scope, Timestamp,
};
use run_core::command::{Command, Lease, Verdict};
use run_core::decide::{Decision, Written, decide, start};
use run_core::event::Assigned;
use run_core::plan::Starter;
use run_core::project::changes;
use run_core::state::{RunLimits, Submission};
use run_core::{Actor, ClaimId, KeyId, Known, Map, Mode, RunState, StartRun, effects};
use run_ports::{Commit, CommitVerdict, NewRequest, Random, RequestKey};

use super::{Errand, Subject};
use crate::SeededRandom;

/// When scenes begin: 2023-11-14T22:13:20Z.
const BEGINNING_MILLIS: i64 = 1_700_000_000_000;
const LEASE: Duration = Duration::from_mins(10);

/// One organization and what happens in it.
pub struct Scene<'a> {
    /// Where it is kept.
    pub subject: &'a Subject,
    /// Whose it is.
    pub organization: OrganizationId,
    /// A member of `reviewers`.
    pub reviewer: PersonId,
    /// An operator, not a member of `reviewers`.
    pub operator: PersonId,
    /// The group that the role `reviewers` is mapped to.
    pub reviewers: GroupId,
    /// An agent with all rights.
    pub agent: AgentId,
    /// When everything happens.
    pub now: Timestamp,
    /// What runs are of.
    pub plan: Errand,
    dice: SeededRandom,
}

impl<'a> Scene<'a> {
    /// A new organization; scenes of one store need seeds of their own.
    pub async fn new(subject: &'a Subject, seed: u64) -> Self {
        let dice = SeededRandom::new(seed);
        let now = Timestamp::from_millis(BEGINNING_MILLIS);
        let scene = Self {
            subject,
            organization: OrganizationId::new(dice.ulid(now)),
            reviewer: PersonId::new(dice.ulid(now)),
            operator: PersonId::new(dice.ulid(now)),
            reviewers: GroupId::new(dice.ulid(now)),
            agent: AgentId::new(dice.ulid(now)),
            now,
            plan: Errand::new("errand"),
            dice,
        };
        let (accounts, organization) = (&subject.accounts, scene.organization);
        accounts.add_organization(organization).await;
        let people = [
            (scene.reviewer, "rita@example.com", PersonRole::Member),
            (scene.operator, "olga@example.com", PersonRole::Operator),
        ];
        for (person, email, role) in people {
            accounts.add_person(organization, person, email, role).await;
        }
        accounts
            .add_group(organization, scene.reviewers, &[scene.reviewer])
            .await;
        scene
    }

    /// A fresh id.
    pub fn run_id(&self) -> RunId {
        RunId::new(self.dice.ulid(self.now))
    }

    /// A start that is not committed yet, without a request.
    pub fn start(&self, inputs: Map) -> (Commit, Arc<RunState>) {
        let command = StartRun {
            run: self.run_id(),
            version: 1,
            mode: Mode::Live,
            inputs: Arc::new(inputs),
            starter: Starter {
                by: Actor::Agent(self.agent),
                initiator: None,
            },
            limits: RunLimits {
                run_data_bytes: 1 << 18,
            },
        };
        match start(&self.plan, &command, self.now, &self.known()) {
            Ok(Decision::Accepted(written)) => self.commit_of(None, written),
            other => panic!("a start is accepted: {other:?}"),
        }
    }

    /// A start that is committed.
    pub async fn started(&self) -> Arc<RunState> {
        let (commit, state) = self.start(Map::new());
        self.commit(commit).await;
        state
    }

    /// A command that is accepted and not committed yet, without a request.
    pub fn decide(&self, state: &Arc<RunState>, command: &Command) -> (Commit, Arc<RunState>) {
        match decide(&self.plan, state, command, self.now, &self.known()) {
            Decision::Accepted(written) => self.commit_of(Some(state), written),
            other => panic!("{command:?} is accepted: {other:?}"),
        }
    }

    /// A command that is committed.
    pub async fn done(&self, state: &Arc<RunState>, command: &Command) -> Arc<RunState> {
        let (commit, state) = self.decide(state, command);
        self.commit(commit).await;
        state
    }

    /// Commits what must be accepted.
    pub async fn commit(&self, commit: Commit) {
        let verdict = self.subject.runs.commit(commit).await;
        assert!(matches!(verdict, CommitVerdict::Committed), "{verdict:?}");
    }

    /// The agent's claim.
    pub fn claim(&self, step: &str) -> Command {
        Command::Claim {
            step: step.to_owned(),
            by: self.agent(),
            lease: Lease {
                duration: LEASE,
                key: KeyId(1),
            },
        }
    }

    /// The agent hands in what it claimed last.
    pub fn submit(&self, state: &RunState) -> Command {
        Command::Submit {
            claim: self.last_claim(state),
            by: self.agent(),
            submission: Submission {
                summary: Some("Done.".to_owned()),
                ..Submission::default()
            },
        }
    }

    /// The agent gives up what it claimed last.
    pub fn escalate(&self, state: &RunState) -> Command {
        Command::Escalate {
            claim: self.last_claim(state),
            by: self.agent(),
            note: "The door is locked.".to_owned(),
        }
    }

    /// A person decides the newest item.
    pub fn verdict(&self, state: &RunState, by: PersonId, verdict: Verdict) -> Command {
        let role = if by == self.operator {
            PersonRole::Operator
        } else {
            PersonRole::Member
        };
        Command::Decide {
            item: state.item_id(state.items_opened - 1).to_string(),
            by: Caller::Person {
                id: by,
                email: String::new(),
                role,
            },
            snapshot: state.snapshot().to_string(),
            verdict,
        }
    }

    /// The agent with all rights.
    pub fn agent(&self) -> Caller {
        Caller::Agent {
            id: self.agent,
            acting_for: None,
            rights: AgentRights {
                start: Scope::All,
                work: Scope::All,
            },
        }
    }

    /// A request of the agent whose first event is the commit's first one.
    pub fn request(&self, id: &str, commit: &Commit) -> NewRequest {
        NewRequest {
            key: RequestKey {
                id: id.parse().expect("the tests write short ids"),
                caller: Actor::Agent(self.agent),
                tool: "start_run".to_owned(),
                arguments: base::Digest::new([7; 32]),
            },
            first_seq: commit.expected_seq + 1,
            at: self.now,
        }
    }

    fn last_claim(&self, state: &RunState) -> ClaimId {
        ClaimId {
            run: state.run,
            number: run_core::ClaimNumber(state.claims_made - 1),
            agent: self.agent,
            key: KeyId(1),
        }
    }

    fn known(&self) -> Known {
        let group = |group, person| Assigned::Group {
            group,
            members: vec![person],
        };
        let mut known = Known::default();
        known.note_role("reviewers".to_owned(), Some(group(self.reviewers, self.reviewer)));
        known.note_operators(group(GroupId::new(self.organization.ulid()), self.operator));
        known
    }

    fn commit_of(&self, before: Option<&Arc<RunState>>, written: Written) -> (Commit, Arc<RunState>) {
        let commit = Commit {
            organization: self.organization,
            run: written.state.run,
            expected_seq: before.map_or(0, |state| state.seq),
            changes: changes(&self.plan, before.map(AsRef::as_ref), &written.state),
            effects: effects(&written.state, &written.events),
            events: written.events,
            request: None,
            directory_revision: None,
        };
        (commit, Arc::new(written.state))
    }
}
