-- Reads on the way of every call, each in one round trip: they name their organization and read under its policy.

set local role baton_owner;

-- The head of a run and its events after a number; no row when there is no such run, one without event when there is nothing new.
create function read_journal(of_organization text, of_run text, after bigint)
returns table (process text, process_version bigint, head_seq bigint, seq bigint, at bigint, kind text, version integer, body text)
language plpgsql
as $$
#variable_conflict use_column
begin
    perform set_config('baton.organizations', of_organization, true);
    return query
        select r.process, r.version, r.seq, e.seq, e.at, e.kind, e.version, e.body
        from runs r
        left join run_events e on e.organization = of_organization and e.run = of_run and e.seq > after
        where r.organization = of_organization and r.run = of_run
        order by e.seq;
end;
$$;
grant execute on function read_journal to baton_app;

-- Like `read_journal`, once no commit holds the run any more.
create function settle_journal(of_organization text, of_run text, after bigint)
returns table (process text, process_version bigint, head_seq bigint, seq bigint, at bigint, kind text, version integer, body text)
language plpgsql security definer
set search_path = public, pg_temp
as $$
begin
    perform set_config('baton.organizations', of_organization, true);
    perform pg_advisory_xact_lock(run_lock(of_organization, of_run));
    perform from runs r where r.organization = of_organization and r.run = of_run for update;
    return query select * from read_journal(of_organization, of_run, after);
end;
$$;
grant execute on function settle_journal to baton_app;

-- Whether the transaction that locked or changed a row last is still under way. A row has the lower half of the number of that
-- transaction; one from after our snapshot is under way as far as we can know, and one that is long over has no status any more.
create function is_under_way(locker xid) returns boolean
language plpgsql stable as $$
declare
    present bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    ahead bigint := (locker::text::bigint - present) & 4294967295;
begin
    if locker is null or locker = '0' then
        return false;
    end if;
    return ahead < 2147483648
        or pg_xact_status((present + ahead - 4294967296)::text::xid8) is not distinct from 'in progress';
end;
$$;
grant execute on function is_under_way to baton_app;

-- A request and the head of a run as they stand together, in one row, and whether somebody holds the head at this moment.
create function look(of_organization text, of_request text, of_run text)
returns table (caller text, tool text, arguments bytea, run text, first_seq bigint, last_seq bigint, answer text, at bigint,
    head_seq bigint, is_being_written boolean)
language plpgsql as $$
#variable_conflict use_column
begin
    perform set_config('baton.organizations', of_organization, true);
    return query
        select q.caller, q.tool, q.arguments, q.run, q.first_seq, q.last_seq, q.answer, q.at, r.seq, is_under_way(r.xmax)
        from (values (1)) as one (row)
        left join requests q on q.organization = of_organization and q.request = of_request
        left join runs r on r.organization = of_organization and r.run = of_run;
end;
$$;
grant execute on function look to baton_app;

-- Who holds a token at an endpoint, by the organization's name in its address. A token of another organization is no token here.
create function find_credential(of_name text, of_token_sha256 bytea, present bigint)
returns table (organization text, agent text, start_processes text[], work_processes text[], person text, email text, role text)
language plpgsql security definer
set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
    found_organization text;
begin
    select o.organization into found_organization from organizations o where o.name = of_name or o.organization = of_name;
    if found_organization is null then
        return;
    end if;
    perform set_config('baton.organizations', found_organization, true);
    return query
        select c.organization, c.agent, a.start_processes, a.work_processes, c.person, p.email, p.role
        from credentials c
        left join agents a on a.organization = c.organization and a.agent = c.agent
        left join people p on p.organization = c.organization and p.person = c.person
        where c.organization = found_organization and c.token_sha256 = of_token_sha256
            and (c.expires_at is null or c.expires_at > present);
end;
$$;
grant execute on function find_credential to baton_app;

-- The id of an organization, by its name in addresses.
create function find_organization(of_name text) returns text
language sql stable security definer
set search_path = public, pg_temp
return (select o.organization from organizations o where o.name = of_name);
grant execute on function find_organization to baton_app;

reset role;
