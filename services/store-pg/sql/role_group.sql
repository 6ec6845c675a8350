select m.group_id, array(
    select person from group_members
    where organization = $1 and group_id = m.group_id
    order by person
)
from role_mappings m
where m.organization = $1 and m.process = $2 and m.role = $3
