-- One process after the other by key, whatever number of versions each has; then the last version of each.
with recursive names (process) as (
    (
        select process from versions
        where organization = $1 and process > $2 and ($3::text is null or process = $3)
        order by process
        limit 1
    )
    union all
    select (
        select v.process from versions v
        where v.organization = $1 and v.process > names.process and ($3::text is null or v.process = $3)
        order by v.process
        limit 1
    )
    from names
    where names.process is not null
)
select process, version, format, source, content_hash, description, published_at, published_by, found
from (
    select latest.*, count(*) over () as found, row_number() over by_name as place,
        sum(octet_length(latest.source)) over by_name as bytes
    from (select process from names where process is not null limit $4 + 1) page
    cross join lateral (
        select * from versions v
        where v.organization = $1 and v.process = page.process
        order by v.version desc
        limit 1
    ) latest
    window by_name as (order by latest.process rows unbounded preceding)
) listed
where place <= $4 and (place = 1 or bytes <= $5)
order by process
