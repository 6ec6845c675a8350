set local role baton_owner;

-- Published versions: written once.
create table versions (
    organization text collate "C" not null references organizations,
    process text collate "C" not null,
    version bigint not null check (version > 0),
    format text not null,
    source bytea not null,
    content_hash bytea not null check (octet_length(content_hash) = 32),
    description text not null,
    published_at bigint not null,
    primary key (organization, process, version)
);
select isolate('versions');
select keep_for_ever('versions');
grant select, insert on versions to baton_app;

-- Which group a role of a process means now. Items that are open keep the members that they were opened for: moving them by an event
-- of each run (process.md §5) comes with the administration API.
create table role_mappings (
    organization text collate "C" not null,
    process text collate "C" not null,
    role text collate "C" not null,
    group_id text collate "C" not null,
    primary key (organization, process, role),
    foreign key (organization, group_id) references groups
);
select isolate('role_mappings');
grant select, insert, update (group_id) on role_mappings to baton_app;

reset role;
