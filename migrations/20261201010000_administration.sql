-- What admins change: members, groups, agents and their tokens.

set local role baton_owner;

-- A removed member or agent is found no more and its address or name is free; its row stays, because records name it.
alter table people add column removed_at bigint;
alter table people drop constraint people_organization_email_lower_key;
create unique index people_by_email on people (organization, email_lower) where removed_at is null;
grant update (removed_at) on people to baton_app;

alter table agents add column removed_at bigint;
alter table agents drop constraint agents_organization_name_key;
create unique index agents_by_name on agents (organization, name) where removed_at is null;
grant update (removed_at) on agents to baton_app;

-- Nothing refers to a group for ever: events and items carry its members.
grant delete on groups to baton_app;
create index group_members_of_person on group_members (organization, person);
create index role_mappings_of_group on role_mappings (organization, group_id);

-- What a token is called by whoever lists or revokes it. Those that are there are called after their digests.
alter table credentials add column token_id text collate "C";
select set_config('baton.organizations', (select string_agg(organization, ',') from organizations), true);
update credentials set token_id = 't_0' || upper(left(encode(token_sha256, 'hex'), 25));
alter table credentials alter column token_id set not null;
create unique index credentials_by_id on credentials (organization, token_id);
create index credentials_of_agent on credentials (organization, agent, token_id) where agent is not null;
create index credentials_of_person on credentials (organization, person) where person is not null;

-- Who holds a token at an endpoint, by the organization's name in its address. A token of another organization is no token here, nor is
-- one of somebody who was removed.
create or replace function find_credential(of_name text, of_token_sha256 bytea, present bigint)
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
            and (c.expires_at is null or c.expires_at > present)
            and a.removed_at is null and p.removed_at is null;
end;
$$;

reset role;
