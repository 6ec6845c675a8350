-- Who may touch what. `baton_owner` owns everything and is subject to the policies of every table all the same; `baton_app` serves
-- requests; `baton_keeper` looks after timers and the outbox of all organizations. None of them can log in, is a superuser or
-- bypasses row-level security: a login role is made a member of the one it needs.

-- Roles belong to the cluster, so another database of it may be making them at this very moment.
do $$
declare
    name text;
begin
    foreach name in array array['baton_owner', 'baton_app', 'baton_keeper'] loop
        begin
            execute format('create role %I nologin nosuperuser nobypassrls', name);
        exception when duplicate_object or unique_violation then
            null;
        end;
    end loop;
    if not pg_has_role(current_user, 'baton_owner', 'member') then
        execute format('grant baton_owner to %I', current_user);
    end if;
end;
$$;

revoke create on schema public from public;
grant usage on schema public to baton_app, baton_keeper;
grant usage, create on schema public to baton_owner;

set local role baton_owner;

alter default privileges revoke execute on functions from public;

-- Puts a table under the policy of all: nobody sees or writes a row of an organization that is not named in the setting
-- `baton.organizations`, which holds for one transaction. The sub-select makes it one look at the setting per statement; `is true`
-- keeps the planner from using the policy in place of the key that a statement names.
create function isolate(target regclass) returns void
language plpgsql as $$
begin
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format(
        'create policy of_organization on %s to baton_owner, baton_app using ((organization = any (
            (select string_to_array(current_setting(''baton.organizations'', true), '',''))::text[]
        )) is true)', target);
end;
$$;

-- Keeps a table as it was written.
create function refuse_change() returns trigger
language plpgsql as $$
begin
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end;
$$;

-- Makes a table append-only, whoever asks.
create function keep_for_ever(target regclass) returns void
language plpgsql as $$
begin
    execute format(
        'create trigger append_only before update or delete on %s for each row execute function refuse_change()', target);
    execute format(
        'create trigger never_truncated before truncate on %s for each statement execute function refuse_change()', target);
end;
$$;

reset role;
