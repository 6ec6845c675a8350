-- `commit_runs`, with three things more: the group that an item is for, the revision of the directory behind the facts that a command
-- was decided on, and what a new run is found by.

set local role baton_owner;

drop function commit_runs;

-- Writes the commands of many runs in one transaction and returns one verdict for each: `committed`, `conflict` (another write came
-- first), `outdated` (the directory has changed since the facts that the command was decided on were fetched), `taken` (the request id
-- is used) or `busy` (somebody holds the run or changes the directory: try again). Arrays named `x_commands` say which command a row
-- belongs to, counted from 1; a run occurs once in a batch.
--
-- Waits in one place only, for the same request id in another transaction, and takes these keys in order: no two batches can block
-- each other. (Updates of unordered sets do.)
--
-- Every row is found by its key, through `on conflict` or a lateral look-up, never by a join that the planner could turn round: its plans
-- are made once a session, perhaps while a table is empty.
create function commit_runs(
    organizations text[], run_ids text[], expected_seqs bigint[], last_seqs bigint[],
    processes text[], states text[], outcomes text[], updated_ats bigint[], snapshots bytea[], next_deadlines bigint[],
    -- For a new run; of one that exists they are kept as they are.
    versions bigint[], modes text[], starters text[], started_ats bigint[], inputs text[],
    input_commands integer[], input_digests bytea[],
    request_commands integer[], request_ids text[], request_callers text[], request_tools text[], request_arguments bytea[],
    request_first_seqs bigint[], request_ats bigint[],
    event_commands integer[], event_seqs bigint[], event_ats bigint[], event_kinds text[], event_versions integer[],
    event_bodies text[],
    offer_commands integer[], offer_steps text[], offer_ready_sinces bigint[], offer_available_ats bigint[], offer_dues bigint[],
    offer_overdues boolean[], offer_handoffs text[], offer_holders text[], offer_reserved_fors text[],
    offer_reserved_untils bigint[],
    gone_offer_commands integer[], gone_offer_steps text[],
    item_commands integer[], item_numbers bigint[], item_opened_ats bigint[], item_escalateds boolean[], item_members text[],
    item_groups text[], item_bodies text[],
    gone_item_commands integer[], gone_item_numbers bigint[],
    effect_commands integer[], effect_positions integer[], effect_kinds text[], effect_steps text[], effect_items bigint[],
    effect_ats bigint[],
    fact_commands integer[], fact_revisions bigint[]
) returns text[]
language plpgsql security definer
set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
    verdicts text[] := array_fill('busy'::text, array[cardinality(run_ids)]);
    chains bytea[] := array_fill(null::bytea, array[cardinality(run_ids)]);
    event_chains bytea[] := array_fill(null::bytea, array[cardinality(event_commands)]);
    recorded integer[];
    closed_members tid[];
    head record;
    n integer;
begin
    perform set_config('baton.organizations', array_to_string(organizations, ','), true);

    -- Runs that exist. Who holds one is not waited for.
    for head in
        select command.n, r.seq, r.chain
        from (
            select * from unnest(organizations, run_ids, expected_seqs) with ordinality as c (organization, run, expected_seq, n)
            where c.expected_seq > 0
            order by c.organization collate "C", c.run collate "C"
        ) command
        cross join lateral (
            select seq, chain from runs
            where organization = command.organization and run = command.run
            for update skip locked
        ) r
    loop
        chains[head.n] := head.chain;
        verdicts[head.n] := case when head.seq = expected_seqs[head.n] then 'committed' else 'conflict' end;
    end loop;

    -- New runs, and runs that were not found: held by somebody, or not there.
    for n in 1 .. cardinality(run_ids) loop
        continue when verdicts[n] <> 'busy';
        if expected_seqs[n] > 0 then
            if not exists (select from runs where organization = organizations[n] and run = run_ids[n]) then
                verdicts[n] := 'conflict';
            end if;
        elsif pg_try_advisory_xact_lock(run_lock(organizations[n], run_ids[n])) then
            if exists (select from runs where organization = organizations[n] and run = run_ids[n]) then
                verdicts[n] := 'conflict';
            else
                chains[n] := sha256(convert_to(organizations[n] || ' ' || run_ids[n], 'UTF8'));
                verdicts[n] := 'committed';
            end if;
        end if;
    end loop;

    -- Facts about people hold as long as the directory has the revision that was read before them (`directory_lock`). Who is changing it
    -- is not waited for.
    for i in 1 .. cardinality(fact_commands) loop
        n := fact_commands[i];
        continue when verdicts[n] <> 'committed';
        if not pg_try_advisory_xact_lock_shared(directory_lock(organizations[n])) then
            verdicts[n] := 'busy';
        elsif not exists (
            select from organizations o where o.organization = organizations[n] and o.directory_revision = fact_revisions[i]
        ) then
            verdicts[n] := 'outdated';
        end if;
    end loop;

    -- Who comes second with a request id drops out with all rows.
    if cardinality(request_commands) > 0 then
        with inserted as (
            insert into requests (organization, request, caller, tool, arguments, run, first_seq, last_seq, at)
            select organizations[q.command], q.id, q.caller, q.tool, q.arguments, run_ids[q.command],
                q.first_seq, last_seqs[q.command], q.at
            from unnest(request_commands, request_ids, request_callers, request_tools, request_arguments,
                request_first_seqs, request_ats) as q (command, id, caller, tool, arguments, first_seq, at)
            where verdicts[q.command] = 'committed'
            order by organizations[q.command] collate "C", q.id collate "C"
            on conflict do nothing
            returning run
        )
        select array_agg(array_position(run_ids, run)) into recorded from inserted;
        foreach n in array request_commands loop
            if verdicts[n] = 'committed' and (n = any (recorded)) is not true then
                verdicts[n] := 'taken';
            end if;
        end loop;
    end if;

    for i in 1 .. cardinality(event_commands) loop
        n := event_commands[i];
        continue when verdicts[n] <> 'committed';
        chains[n] := sha256(chains[n]
            || chain_link(event_seqs[i], event_ats[i], event_kinds[i], event_versions[i], event_bodies[i]));
        event_chains[i] := chains[n];
    end loop;
    insert into run_events (organization, run, seq, at, kind, version, body, chain)
    select organizations[e.command], run_ids[e.command], e.seq, e.at, e.kind, e.version, e.body, e.chain
    from unnest(event_commands, event_seqs, event_ats, event_kinds, event_versions, event_bodies, event_chains)
        as e (command, seq, at, kind, version, body, chain)
    where verdicts[e.command] = 'committed';

    -- A run that exists is locked, so that what is not updated is never stored.
    insert into runs (organization, run, seq, chain, process, version, mode, state, outcome, started_by, started_at, updated_at,
        inputs, snapshot, next_deadline)
    select c.organization, c.run, c.seq, chains[c.n], c.process, c.version, c.mode, c.state, c.outcome, c.started_by, c.started_at,
        c.updated_at, c.inputs, c.snapshot, c.next_deadline
    from unnest(organizations, run_ids, last_seqs, processes, versions, modes, states, outcomes, starters, started_ats,
        updated_ats, inputs, snapshots, next_deadlines) with ordinality
        as c (organization, run, seq, process, version, mode, state, outcome, started_by, started_at, updated_at, inputs,
            snapshot, next_deadline, n)
    where verdicts[c.n] = 'committed'
    on conflict (organization, run) do update set seq = excluded.seq, chain = excluded.chain, state = excluded.state,
        outcome = excluded.outcome, updated_at = excluded.updated_at, snapshot = excluded.snapshot,
        next_deadline = excluded.next_deadline;

    if cardinality(input_commands) > 0 then
        insert into run_inputs (organization, input, started_at, run)
        select organizations[i.command], i.digest, started_ats[i.command], run_ids[i.command]
        from unnest(input_commands, input_digests) as i (command, digest)
        where verdicts[i.command] = 'committed';
    end if;

    if cardinality(gone_offer_commands) > 0 then
        delete from offers where ctid = any (array(
            select gone.ctid
            from unnest(gone_offer_commands, gone_offer_steps) as g (command, step)
            cross join lateral (
                select ctid from offers
                where organization = organizations[g.command] and run = run_ids[g.command] and step = g.step
                limit 1
            ) gone
            where verdicts[g.command] = 'committed'
        ));
    end if;
    if cardinality(offer_commands) > 0 then
        insert into offers (organization, run, step, process, ready_since, available_at, due, overdue, handoff, holder,
            reserved_for, reserved_until)
        select organizations[o.command], run_ids[o.command], o.step, processes[o.command], o.ready_since, o.available_at,
            o.due, o.overdue, o.handoff, o.holder, o.reserved_for, o.reserved_until
        from unnest(offer_commands, offer_steps, offer_ready_sinces, offer_available_ats, offer_dues, offer_overdues,
            offer_handoffs, offer_holders, offer_reserved_fors, offer_reserved_untils)
            as o (command, step, ready_since, available_at, due, overdue, handoff, holder, reserved_for, reserved_until)
        where verdicts[o.command] = 'committed'
        on conflict (organization, run, step) do update set ready_since = excluded.ready_since,
            available_at = excluded.available_at, due = excluded.due, overdue = excluded.overdue, handoff = excluded.handoff,
            holder = excluded.holder, reserved_for = excluded.reserved_for, reserved_until = excluded.reserved_until;
    end if;

    if cardinality(gone_item_commands) + cardinality(item_commands) > 0 then
        with closed as (
            delete from work_items where ctid = any (array(
                select gone.ctid
                from unnest(gone_item_commands || item_commands, gone_item_numbers || item_numbers) as g (command, number)
                cross join lateral (
                    select ctid from work_items
                    where organization = organizations[g.command] and run = run_ids[g.command] and number = g.number
                    limit 1
                ) gone
                where verdicts[g.command] = 'committed'
            ))
            returning organization, run, number, opened_at, members
        )
        select array_agg(gone.ctid) into closed_members
        from closed
        cross join unnest(closed.members) as old (person)
        cross join lateral (
            select ctid from work_item_members
            where organization = closed.organization and person = old.person and opened_at = closed.opened_at
                and run = closed.run and number = closed.number
            limit 1
        ) gone;
        delete from work_item_members where ctid = any (closed_members);
    end if;
    if cardinality(item_commands) > 0 then
        with opened as (
            insert into work_items (organization, run, number, process, opened_at, escalated, members, group_id, body)
            select organizations[i.command], run_ids[i.command], i.number, processes[i.command], i.opened_at, i.escalated,
                string_to_array(i.members, ','), i.group_id, i.body
            from unnest(item_commands, item_numbers, item_opened_ats, item_escalateds, item_members, item_groups, item_bodies)
                as i (command, number, opened_at, escalated, members, group_id, body)
            where verdicts[i.command] = 'committed'
            returning organization, run, number, process, opened_at, escalated, members
        )
        insert into work_item_members (organization, person, opened_at, run, number, process)
        select distinct opened.organization, m.person, opened.opened_at, opened.run, opened.number, opened.process
        from opened, unnest(opened.members) as m (person)
        where not opened.escalated;
    end if;

    if cardinality(effect_commands) > 0 then
        insert into outbox (organization, run, last_seq, position, kind, step, item, at)
        select organizations[e.command], run_ids[e.command], last_seqs[e.command], e.position, e.kind, e.step, e.item, e.at
        from unnest(effect_commands, effect_positions, effect_kinds, effect_steps, effect_items, effect_ats)
            as e (command, position, kind, step, item, at)
        where verdicts[e.command] = 'committed';
    end if;

    return verdicts;
end;
$$;
grant execute on function commit_runs to baton_app;

reset role;
