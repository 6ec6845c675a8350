-- A stretch of offers_oldest.
select o.run, o.process, r.version, r.mode, o.step, o.ready_since, o.available_at, o.due, o.overdue, o.handoff, o.holder,
    o.reserved_for, o.reserved_until, o.found
from (
    select stretch.*, count(*) over () as found, row_number() over oldest as place,
        sum(octet_length(handoff)) over oldest as bytes
    from (
        select *
        from offers
        -- The second condition follows from the third, and is what the index is chosen by.
        where organization = $1 and ready_since >= $2 and (ready_since, run, step) > ($2, $3, $4)
            and available_at <= $6
            and (reserved_for is null or reserved_for = $5 or reserved_until <= $6)
        order by ready_since, run, step
        limit $7 + 1
    ) stretch
    window oldest as (order by ready_since, run, step rows unbounded preceding)
) o
-- By its key, however small the table looks to the planner.
cross join lateral (select version, mode from runs where organization = $1 and run = o.run limit 1) r
where o.place <= $7 and (o.place = 1 or o.bytes <= $8)
order by o.ready_since, o.run, o.step
