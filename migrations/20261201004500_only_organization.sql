set local role baton_owner;

-- The name of the only organization, if there is exactly one: then an address need not say which. Nobody is known yet who asks.
create function only_organization() returns text
language sql stable security definer
set search_path = public, pg_temp
return (select min(two.name) from (select o.name from organizations o limit 2) as two having count(*) = 1);
grant execute on function only_organization to baton_app;

reset role;
