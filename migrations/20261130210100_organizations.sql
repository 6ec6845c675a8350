-- Instants are whole milliseconds since 1970 everywhere: what is stored, compared and shown is one value.

set local role baton_owner;

-- Tenants. `name` stands in addresses.
create table organizations (
    organization text collate "C" primary key,
    name text collate "C" not null unique check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    operators_group text collate "C" not null,
    created_at bigint not null
);
select isolate('organizations');
-- The door reads a name before it knows the organization: only functions of the owner may do that.
create policy by_name on organizations for select to baton_owner using (true);
grant select, insert on organizations to baton_app;

-- What is true of the whole database, in one row.
create table instance (
    only_row boolean primary key default true check (only_row),
    -- Set by whoever made this database for development; the clock of any other cannot be shifted.
    dev_mark text,
    clock_offset_millis bigint not null default 0 check (clock_offset_millis >= 0),
    check (dev_mark is not null or clock_offset_millis = 0)
);
insert into instance default values;
grant select, update (clock_offset_millis) on instance to baton_app;
grant select on instance to baton_keeper;

reset role;
