-- A stretch of the member's rows.
select i.run, i.process, r.version, r.snapshot, i.opened_at, i.body, i.found
from (
    select m.*, item.process, item.body, count(*) over () as found, row_number() over oldest as place,
        sum(octet_length(item.body)) over oldest as bytes
    from (
        select run, number, opened_at
        from work_item_members
        where organization = $1 and person = $2 and (opened_at, run, number) > ($3, $4, $5)
            and ($6::text is null or process = $6)
        order by opened_at, run, number
        limit $7 + 1
    ) m
    -- Each by its key, however small the tables look to the planner.
    cross join lateral (
        select * from work_items where organization = $1 and run = m.run and number = m.number limit 1
    ) item
    window oldest as (order by m.opened_at, m.run, m.number rows unbounded preceding)
) i
cross join lateral (select version, snapshot from runs where organization = $1 and run = i.run limit 1) r
where i.place <= $7 and (i.place = 1 or i.bytes <= $8)
order by i.opened_at, i.run, i.number
