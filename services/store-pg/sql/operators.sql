select operators_group, array(
    select person from people
    where organization = $1 and role in ('operator', 'admin') and removed_at is null
    order by person
)
from organizations
where organization = $1
