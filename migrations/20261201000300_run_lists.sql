-- What `list_runs` finds runs by.

set local role baton_owner;

-- What each run is found by: a digest for each of its inputs, written once, when it starts. One row a digest, in the order of the list: a
-- condition is a stretch of one index, whatever else there is. (An array of digests with an inverted index would find all runs of a
-- value first and sort them for every page.)
create table run_inputs (
    organization text collate "C" not null,
    input bytea not null check (octet_length(input) = 32),
    started_at bigint not null,
    run text collate "C" not null,
    primary key (organization, input, started_at, run)
);
select isolate('run_inputs');
grant select on run_inputs to baton_app;

-- No column of these changes by a claim or a renewal, whose update of a run therefore writes to no index.

-- list_runs, and list_runs of one state.
create index runs_of_state on runs (organization, state, started_at, run);
-- The same of one process.
create index runs_of_process on runs (organization, process, state, started_at, run);

reset role;
