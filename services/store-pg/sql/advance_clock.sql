with moved as (
    update instance
    set clock_offset_millis = least(clock_offset_millis + least($1, $2), $2)
    where dev_mark is not null
    returning clock_offset_millis
)
select moved.clock_offset_millis
from moved, pg_notify($3, '')
