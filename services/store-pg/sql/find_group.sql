select g.group_id, g.name, g.created_at,
    (select count(*) from group_members m where m.organization = $1 and m.group_id = g.group_id) as members
from groups g
where g.organization = $1 and g.group_id = $2
union all
select o.operators_group, $3, o.created_at,
    (select count(*) from people p
        where p.organization = $1 and p.role in ('operator', 'admin') and p.removed_at is null)
from organizations o
where o.organization = $1 and o.operators_group = $2
