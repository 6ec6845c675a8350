select p.person, p.email, p.role, p.created_at, array(
    select g.name from group_members m
    join groups g on g.organization = m.organization and g.group_id = m.group_id
    where m.organization = $1 and m.person = p.person
    order by g.name
) as groups
from people p
where p.organization = $1 and p.person = $2 and p.removed_at is null
