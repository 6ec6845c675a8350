-- Makes the roles, unless they are there, and lets the login act as their owner. The first migration does this only as far as
-- PostgreSQL 15 goes: since 16 whoever makes a role is a member that cannot act as it, until it has granted itself that too.
do $$
declare
    name text;
    right_to_act text := case when current_setting('server_version_num')::integer < 160000 then 'member' else 'set' end;
begin
    foreach name in array array['baton_owner', 'baton_app', 'baton_keeper'] loop
        -- Another database of the cluster may be making them at this very moment.
        begin
            if not exists (select from pg_roles where rolname = name) then
                execute format('create role %I nologin nosuperuser nobypassrls', name);
            end if;
        exception when duplicate_object or unique_violation then
            null;
        end;
    end loop;
    if not pg_has_role(current_user, 'baton_owner', right_to_act) then
        execute format('grant baton_owner to %I', current_user);
    end if;
end;
$$;
