set local role baton_owner;

create table people (
    organization text collate "C" not null references organizations,
    person text collate "C" not null,
    email text not null,
    -- The address in lower case, as it is compared.
    email_lower text collate "C" not null,
    role text not null check (role in ('member', 'operator', 'admin')),
    created_at bigint not null,
    primary key (organization, person),
    unique (organization, email_lower)
);
select isolate('people');
grant select, insert, update (email, email_lower, role) on people to baton_app;

create table groups (
    organization text collate "C" not null references organizations,
    group_id text collate "C" not null,
    name text collate "C" not null,
    created_at bigint not null,
    primary key (organization, group_id),
    unique (organization, name)
);
select isolate('groups');
grant select, insert, update (name) on groups to baton_app;

create table group_members (
    organization text collate "C" not null,
    group_id text collate "C" not null,
    person text collate "C" not null,
    primary key (organization, group_id, person),
    foreign key (organization, group_id) references groups,
    foreign key (organization, person) references people
);
select isolate('group_members');
grant select, insert, delete on group_members to baton_app;

-- Rights are lists of processes; null means all of them.
create table agents (
    organization text collate "C" not null references organizations,
    agent text collate "C" not null,
    name text collate "C" not null,
    start_processes text[],
    work_processes text[],
    created_at bigint not null,
    primary key (organization, agent),
    unique (organization, name)
);
select isolate('agents');
grant select, insert, update (name, start_processes, work_processes) on agents to baton_app;

-- Opaque tokens, by their digest alone. An agent may act for a person; a person without an agent is a human being.
create table credentials (
    organization text collate "C" not null,
    token_sha256 bytea not null check (octet_length(token_sha256) = 32),
    agent text collate "C",
    person text collate "C",
    expires_at bigint,
    created_at bigint not null,
    primary key (organization, token_sha256),
    foreign key (organization, agent) references agents,
    foreign key (organization, person) references people,
    check (agent is not null or person is not null)
);
select isolate('credentials');
grant select, insert, delete on credentials to baton_app;

reset role;
