-- Documents that are being prepared for publication, and who published what.

set local role baton_owner;

-- Who published a version; not known of those from before.
alter table versions add column published_by text collate "C";

-- The name and the hash are what the source says, where it can be read.
create table drafts (
    organization text collate "C" not null references organizations,
    draft text collate "C" not null,
    source bytea not null,
    name text,
    content_hash bytea check (octet_length(content_hash) = 32),
    created_at bigint not null,
    created_by text collate "C" not null,
    updated_at bigint not null,
    updated_by text collate "C" not null,
    primary key (organization, draft)
);
select isolate('drafts');
grant select, insert, delete, update (source, name, content_hash, updated_at, updated_by) on drafts to baton_app;

reset role;
