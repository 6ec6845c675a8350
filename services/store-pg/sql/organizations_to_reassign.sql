-- One organization after the other by key, whatever number of runs each has.
with recursive noted (organization) as (
    (select organization from reassignments where organization > $1 order by organization limit 1)
    union all
    select (select r.organization from reassignments r where r.organization > noted.organization order by r.organization limit 1)
    from noted
    where noted.organization is not null
)
select organization from noted where organization is not null limit $2
