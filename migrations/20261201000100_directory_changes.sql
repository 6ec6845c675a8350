-- Open items move when a role's group, a group's members or the operators change (process.md §5). The transaction that makes the change
-- notes the runs to be looked at anew; each moves by an event of its own soon after, and its note goes.
--
-- Whom an item is for is looked up before its command is committed. So that no command brings an item for those of yesterday, a change
-- of the directory gives it a new revision, and a command that was decided on facts of an older one is not committed.

set local role baton_owner;

-- How often who is who has changed.
alter table organizations add column directory_revision bigint not null default 0;

-- Runs whose open items are to be looked at anew, and the revision of the directory that asked for it last.
create table reassignments (
    organization text collate "C" not null,
    run text collate "C" not null,
    noted_revision bigint not null,
    primary key (organization, run)
) with (autovacuum_vacuum_scale_factor = 0.02);
select isolate('reassignments');
create policy of_keeper on reassignments for select to baton_keeper using (true);
grant select on reassignments to baton_app, baton_keeper;

-- The group that an item is for; none when it is for one person. An item is written when it opens, moves or shows something else, and
-- never by a claim or a renewal of another step.
alter table work_items add column group_id text collate "C";
select set_config('baton.organizations', (select string_agg(organization, ',') from organizations), true);
update work_items set group_id = body::jsonb #>> '{assigned,group,group}';

create index work_items_of_group on work_items (organization, group_id, run) where group_id is not null;
create index work_items_of_process on work_items (organization, process, run) where group_id is not null;

-- Who is who in an organization: shared by the commands that were decided on it, until they are committed, exclusive for whoever
-- changes it.
--
-- Nobody can block anybody for ever. A commit only tries this lock and waits for no change. A change waits for the commits that have
-- it; these wait for nothing but equal request ids of other commits, so a change must hold no row of `requests` when it begins. It
-- locks no row of a run. Changes of one organization wait for each other at their beginning, before they have locked a row that
-- another one may want; the rows of `reassignments` are otherwise locked by `forget_reassignments` alone, which waits for nobody.
create function directory_lock(organization text) returns bigint
language sql immutable
return hashtextextended(organization, 13);

-- The first thing in a transaction that changes who is who: a role's group, a group's members, or who is an operator. From here on until
-- it ends no command is committed that was decided on what it changes. `read committed` alone sees every item that was.
create function begin_directory_change(of_organization text) returns void
language plpgsql security definer
set search_path = public, pg_temp
as $$
begin
    perform pg_advisory_xact_lock(directory_lock(of_organization));
    update organizations set directory_revision = directory_revision + 1 where organization = of_organization;
end;
$$;
grant execute on function begin_directory_change to baton_app;

-- The revision of the directory: facts that are read later are as new or newer.
create function directory_revision(of_organization text) returns bigint
language sql stable security definer
set search_path = public, pg_temp
return (select o.directory_revision from organizations o where o.organization = of_organization);
grant execute on function directory_revision to baton_app;

-- A role of the process means another group now: its runs with open items for groups.
create function note_role_change(of_organization text, of_process text) returns void
language sql security definer
set search_path = public, pg_temp
begin atomic
    insert into reassignments (organization, run, noted_revision)
    select distinct i.organization, i.run, directory_revision(of_organization)
    from work_items i
    where i.organization = of_organization and i.process = of_process and i.group_id is not null
    on conflict (organization, run) do update set noted_revision = excluded.noted_revision;
end;
grant execute on function note_role_change to baton_app;

-- The group has other members now: runs with open items for it.
create function note_group_change(of_organization text, of_group text) returns void
language sql security definer
set search_path = public, pg_temp
begin atomic
    insert into reassignments (organization, run, noted_revision)
    select distinct i.organization, i.run, directory_revision(of_organization)
    from work_items i
    where i.organization = of_organization and i.group_id = of_group
    on conflict (organization, run) do update set noted_revision = excluded.noted_revision;
end;
grant execute on function note_group_change to baton_app;

-- There are other operators now: runs with escalations, and with whatever else is for them.
create function note_operators_change(of_organization text) returns void
language sql security definer
set search_path = public, pg_temp
begin atomic
    select note_group_change(of_organization, o.operators_group) from organizations o where o.organization = of_organization;
end;
grant execute on function note_operators_change to baton_app;

-- These runs have been looked at since they were noted. What was noted again meanwhile stays, and so does what is being noted.
create function forget_reassignments(of_organization text, run_ids text[], noted_revisions bigint[]) returns void
language sql security definer
set search_path = public, pg_temp
begin atomic
    delete from reassignments where ctid = any (array(
        select noted.ctid
        from unnest(run_ids, noted_revisions) as seen (run, noted_revision)
        cross join lateral (
            select r.ctid from reassignments r
            where r.organization = of_organization and r.run = seen.run and r.noted_revision = seen.noted_revision
            for update skip locked
        ) noted
    ));
end;
grant execute on function forget_reassignments to baton_app;

reset role;
