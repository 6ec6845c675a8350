-- Everything about runs is written by `commit_runs` alone: nobody but the owner has a right to write here. There are no foreign keys
-- on the way of a commit, so that it locks no row beside its runs' own.

set local role baton_owner;

-- The head of each run: the row that a commit locks, and what lists and timers show of it.
--
-- `next_deadline` is the run's one timer. It stands here and not in a table of its own because the head is written anyway; as long as
-- it stays the same the update touches no index.
create table runs (
    organization text collate "C" not null,
    run text collate "C" not null,
    seq bigint not null check (seq > 0),
    chain bytea not null check (octet_length(chain) = 32),
    process text collate "C" not null,
    version bigint not null,
    mode text not null,
    state text not null,
    outcome text,
    started_by text collate "C" not null,
    started_at bigint not null,
    updated_at bigint not null,
    inputs text not null,
    snapshot bytea not null check (octet_length(snapshot) = 32),
    next_deadline bigint,
    primary key (organization, run)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
select isolate('runs');
grant select on runs to baton_app;

-- The sweeper: the most overdue runs of all organizations.
create index runs_due on runs (next_deadline) where next_deadline is not null;
create policy of_keeper on runs for select to baton_keeper using (true);
grant select (organization, run, next_deadline) on runs to baton_keeper;

-- The journal. `body` is JSON as text, so that numbers keep their digits. `chain` is the SHA-256 of the chain of the event before and of
-- what is stored (`chain_link`).
create table run_events (
    organization text collate "C" not null,
    run text collate "C" not null,
    seq bigint not null check (seq > 0),
    at bigint not null,
    kind text collate "C" not null,
    version integer not null,
    body text not null,
    chain bytea not null,
    primary key (organization, run, seq)
);
select isolate('run_events');
select keep_for_ever('run_events');
grant select on run_events to baton_app;

-- What makes every write happen at most once. A request lives as long as its run.
create table requests (
    organization text collate "C" not null,
    request text collate "C" not null,
    caller text collate "C" not null,
    tool text collate "C" not null,
    arguments bytea not null check (octet_length(arguments) = 32),
    run text collate "C",
    first_seq bigint,
    last_seq bigint,
    answer text,
    at bigint not null,
    primary key (organization, request),
    check (num_nulls(run, first_seq, last_seq) = case when answer is null then 0 else 3 end)
);
select isolate('requests');
grant select on requests to baton_app;

reset role;
