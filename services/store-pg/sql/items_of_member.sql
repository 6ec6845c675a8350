-- A stretch of the member's rows.
select i.run, i.process, r.version, r.snapshot, i.opened_at, i.body
from (
    select run, number, opened_at
    from work_item_members
    where organization = $1 and person = $2 and (opened_at, run, number) > ($3, $4, $5)
        and ($6::text is null or process = $6)
    order by opened_at, run, number
    limit $7
) m
-- Each by its key, however small the tables look to the planner.
cross join lateral (
    select * from work_items where organization = $1 and run = m.run and number = m.number limit 1
) i
cross join lateral (select version, snapshot from runs where organization = $1 and run = m.run limit 1) r
order by i.opened_at, i.run, i.number
