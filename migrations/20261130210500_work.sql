set local role baton_owner;

-- Steps that agents may claim, now or when a lease or a reservation ends.
create table offers (
    organization text collate "C" not null,
    run text collate "C" not null,
    step text collate "C" not null,
    process text collate "C" not null,
    ready_since bigint not null,
    available_at bigint not null,
    due bigint,
    overdue boolean not null,
    handoff text not null,
    holder text collate "C",
    reserved_for text collate "C",
    reserved_until bigint,
    primary key (organization, run, step)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
select isolate('offers');
grant select on offers to baton_app;

-- The indexes of the lists are partial, by a condition that always holds and that the lists imply (`ready_since >= …`): a look-up by key
-- has one index to use, whatever the planner believes about the size of the table. No column of them, nor of their condition, is changed
-- by a claim or a renewal, which therefore write to neither.

-- get_work of an agent that may work everything.
create index offers_oldest on offers (organization, ready_since, run, step) where ready_since is not null;
-- get_work of an agent that may work some processes, or that asks for one.
create index offers_of_process on offers (organization, process, ready_since, run, step) where ready_since is not null;

-- Open items of people.
create table work_items (
    organization text collate "C" not null,
    run text collate "C" not null,
    number bigint not null,
    process text collate "C" not null,
    opened_at bigint not null,
    escalated boolean not null,
    members text[] collate "C" not null,
    body text not null,
    primary key (organization, run, number)
) with (autovacuum_vacuum_scale_factor = 0.02);
select isolate('work_items');
grant select on work_items to baton_app;

-- get_work of an operator: every escalation.
create index work_items_escalated on work_items (organization, opened_at, run, number) where escalated;

-- get_work of a person. One row a member, in the order of the list: a page is a stretch of one index, whatever else is open. (An array of
-- members with an inverted index would find all of a person's items first and sort them for every page.) Escalations have none: they are
-- for whoever is an operator at the time, and nobody else may decide them.
create table work_item_members (
    organization text collate "C" not null,
    person text collate "C" not null,
    opened_at bigint not null,
    run text collate "C" not null,
    number bigint not null,
    process text collate "C" not null,
    primary key (organization, person, opened_at, run, number)
) with (autovacuum_vacuum_scale_factor = 0.02);
select isolate('work_item_members');
grant select on work_item_members to baton_app;

-- What is to be done outside, claimed by state and never by a high-water mark: a transaction with a lower number may commit later.
create table outbox (
    organization text collate "C" not null,
    run text collate "C" not null,
    last_seq bigint not null,
    position integer not null,
    kind text collate "C" not null,
    step text collate "C",
    item bigint,
    at bigint not null,
    claimed_until bigint not null default 0,
    primary key (organization, run, last_seq, position)
) with (autovacuum_vacuum_scale_factor = 0.02);
select isolate('outbox');
create policy of_keeper on outbox to baton_keeper using (true);
grant select, delete, update (claimed_until) on outbox to baton_keeper;

reset role;
