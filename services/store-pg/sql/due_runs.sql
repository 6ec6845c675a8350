select organization, run
from runs
where next_deadline <= $1
order by next_deadline
limit $2
