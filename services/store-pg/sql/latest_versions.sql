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
select latest.*
from (select process from names where process is not null limit $4) page
cross join lateral (
    select * from versions v
    where v.organization = $1 and v.process = page.process
    order by v.version desc
    limit 1
) latest
order by latest.process
