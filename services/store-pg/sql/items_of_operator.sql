-- A stretch of the operator's own rows and one of work_items_escalated, merged.
select i.run, i.process, r.version, r.snapshot, i.opened_at, i.body
from (
    (
        select run, number, opened_at
        from work_item_members
        where organization = $1 and person = $2 and (opened_at, run, number) > ($3, $4, $5)
            and ($6::text is null or process = $6)
        order by opened_at, run, number
        limit $7
    )
    union
    (
        select run, number, opened_at
        from work_items
        where organization = $1 and escalated and (opened_at, run, number) > ($3, $4, $5)
            and ($6::text is null or process = $6)
        order by opened_at, run, number
        limit $7
    )
    order by opened_at, run, number
    limit $7
) m
join work_items i on i.organization = $1 and i.run = m.run and i.number = m.number
join runs r on r.organization = $1 and r.run = m.run
order by i.opened_at, i.run, i.number
