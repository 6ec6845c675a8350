-- The operators' group has whoever is an operator or admin; every other one has rows.
select p.person, p.email, p.role, p.created_at, array(
    select g.name from group_members m
    join groups g on g.organization = m.organization and g.group_id = m.group_id
    where m.organization = $1 and m.person = p.person
    order by g.name
) as groups
from people p
where p.organization = $1 and p.removed_at is null and p.email_lower > $2
    and ($3::text is null or p.email_lower = $3)
    and ($4::text is null
        or exists (
            select from group_members m where m.organization = $1 and m.group_id = $4 and m.person = p.person
        )
        or (p.role in ('operator', 'admin') and exists (
            select from organizations o where o.organization = $1 and o.operators_group = $4
        )))
order by p.email_lower
limit $5 + 1
