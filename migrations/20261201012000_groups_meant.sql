-- Whom an item is for, in one round trip each: asked whenever one opens or moves. They read under the policy of the organization.

set local role baton_owner;

-- The group that a role of a process is mapped to, with its present members; no row when it is mapped to none.
create function group_of_role(of_organization text, of_process text, of_role text)
returns table (group_id text, members text[])
language plpgsql as $$
#variable_conflict use_column
begin
    perform set_config('baton.organizations', of_organization, true);
    return query
        select mapped.group_id, array(
            select person from group_members m
            where m.organization = of_organization and m.group_id = mapped.group_id
            order by person
        )
        from role_mappings mapped
        where mapped.organization = of_organization and mapped.process = of_process and mapped.role = of_role;
end;
$$;
grant execute on function group_of_role to baton_app;

-- The operators' group with its present members: operators and admins.
create function group_of_operators(of_organization text) returns table (group_id text, members text[])
language plpgsql as $$
#variable_conflict use_column
begin
    perform set_config('baton.organizations', of_organization, true);
    return query
        select o.operators_group, array(
            select person from people p
            where p.organization = of_organization and p.role in ('operator', 'admin') and p.removed_at is null
            order by person
        )
        from organizations o
        where o.organization = of_organization;
end;
$$;
grant execute on function group_of_operators to baton_app;

reset role;
