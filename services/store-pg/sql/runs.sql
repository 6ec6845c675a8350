-- A walk from the newest run on, through one stretch of an index for each condition (for several, where any of several values will do).
-- No stretch has anything between the walk's place and its next entry, so the next run for which all conditions can hold is the
-- furthest of these entries: the walk goes there at once. It makes as many steps as the shortest stretch has entries at most, however
-- many runs there are; after $11 steps the page ends, and the next one goes on where it ended.
with recursive conditions (condition, state, input) as (
    select 0, s.state, null from unnest($3::text[]) as s (state)
    union all
    select i.condition, null, i.input from unnest($4::integer[], $5::bytea[]) as i (condition, input)
),
walk (step, started_at, run, is_wanted, found) as (
    select 0::bigint, $6::bigint, $7::text collate "C", false, 0::bigint
    union all
    select walk.step + 1, furthest.started_at, furthest.run, wanted.yes, walk.found + wanted.yes::integer
    from walk
    cross join lateral (
        select next.started_at, next.run, count(*) over () as conditions
        from (
            select distinct on (c.condition) entry.started_at, entry.run
            from conditions c
            cross join lateral (
                (
                    select r.started_at, r.run from runs r
                    where r.organization = $1 and r.state = c.state and (r.started_at, r.run) < (walk.started_at, walk.run)
                        and $2::text is null
                    order by r.started_at desc, r.run desc
                    limit 1
                )
                union all
                (
                    select r.started_at, r.run from runs r
                    where r.organization = $1 and r.process = $2 and r.state = c.state
                        and (r.started_at, r.run) < (walk.started_at, walk.run)
                    order by r.started_at desc, r.run desc
                    limit 1
                )
                union all
                (
                    select i.started_at, i.run from run_inputs i
                    where i.organization = $1 and i.input = c.input
                        and (i.started_at, i.run) < (walk.started_at, walk.run)
                    order by i.started_at desc, i.run desc
                    limit 1
                )
            ) entry
            order by c.condition, entry.started_at desc, entry.run desc
        ) next
        order by next.started_at, next.run
        limit 1
    ) furthest
    cross join lateral (
        select count(distinct c.condition) = $8 as yes
        from conditions c
        where exists (
                select from runs r
                where r.organization = $1 and r.run = furthest.run and r.state = c.state
                    and ($2::text is null or r.process = $2)
            )
            or exists (
                select from run_inputs i
                where i.organization = $1 and i.input = c.input and i.started_at = furthest.started_at
                    and i.run = furthest.run
            )
    ) wanted
    where furthest.conditions = $8 and walk.found <= $9 and walk.step < $11
),
reached as (
    select step, started_at, run from walk order by step desc limit 1
)
select reached.started_at as reached_at, reached.run as reached_run, reached.step as steps, page.*
from reached
left join (
    select r.run, r.process, r.version, r.state, r.outcome, r.started_at, r.updated_at, r.inputs,
        count(*) over () as found, row_number() over newest as place, sum(octet_length(r.inputs)) over newest as bytes
    from walk
    cross join lateral (select * from runs where organization = $1 and run = walk.run limit 1) r
    where walk.is_wanted
    window newest as (order by r.started_at desc, r.run desc rows unbounded preceding)
) page on page.place <= $9 and (page.place = 1 or page.bytes <= $10)
order by page.started_at desc, page.run desc
