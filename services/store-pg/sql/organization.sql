select name, operators_group, created_at,
    (select count(*) from people where organization = $1 and removed_at is null) as members,
    (select count(*) from groups where organization = $1) as groups,
    (select count(*) from agents where organization = $1 and removed_at is null) as agents,
    (select count(distinct process) from versions where organization = $1) as processes,
    (select count(*) from drafts where organization = $1) as drafts
from organizations
where organization = $1
