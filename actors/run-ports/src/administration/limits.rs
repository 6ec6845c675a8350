//! How many of each thing an organization may have.

/// Members, removed ones aside.
pub const MEMBERS_MAX: usize = 10_000;
/// Groups, the operators' aside.
pub const GROUPS_MAX: usize = 1_000;
/// Members of one group: an event carries all of them when an item opens.
pub const GROUP_MEMBERS_MAX: usize = 1_000;
/// Groups of one member.
pub const MEMBER_GROUPS_MAX: usize = 100;
/// Agents, removed ones aside.
pub const AGENTS_MAX: usize = 1_000;
/// Processes that an agent's right names one by one.
pub const RIGHT_PROCESSES_MAX: usize = 1_000;
/// Tokens of one agent, expired ones included.
pub const AGENT_TOKENS_MAX: usize = 20;
/// Drafts.
pub const DRAFTS_MAX: usize = 100;
