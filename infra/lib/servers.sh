# shellcheck shell=bash
# A PostgreSQL and a Redis for tests: the ones that run on this machine, or private ones that end with the script.
# Sourced, never run; needs say.sh and programs.sh.

POSTGRES_HOST=127.0.0.1
REDIS_PORT=6379

# Folders and processes of ours, for stop_servers.
private_folder=
private_redis=

# find_or_start_postgres: exports BATON_TEST_DATABASE_URL, as a user who may create databases and roles.
find_or_start_postgres() {
    local url=postgres://postgres@$POSTGRES_HOST:5432/postgres
    if [[ -n ${BATON_TEST_DATABASE_URL:-} ]]; then
        say "infra: PostgreSQL as BATON_TEST_DATABASE_URL says"
    elif answers_as_superuser "$url"; then
        say "infra: PostgreSQL that runs at $POSTGRES_HOST:5432"
        export BATON_TEST_DATABASE_URL=$url
    else
        start_private_postgres
    fi
}

answers_as_superuser() {
    local psql=psql
    has psql || psql=$(postgres_bin)/psql
    [[ $(PGCONNECT_TIMEOUT=5 "$psql" -XAtwq "$1" -c "SELECT rolsuper AND current_setting('server_version_num')::int \
        >= ${POSTGRES_MAJOR_MIN}0000 FROM pg_roles WHERE rolname = current_user" 2>/dev/null) == t ]]
}

# A cluster on a unix socket in a folder that only its owner can enter, so that it can trust who comes.
start_private_postgres() {
    local bin owner
    bin=$(postgres_bin) || return 1
    make_private_folder
    owner=$(postgres_owner) || return 1
    mkdir "$private_folder/postgres"
    if [[ -n $owner ]]; then chown "$owner" "$private_folder" "$private_folder/postgres"; fi
    local options="-c listen_addresses='' -c port=5432 -c unix_socket_directories=$private_folder -c max_connections=300"
    if ! { run_as "$owner" "$bin/initdb" -D "$private_folder/postgres" -A trust -U postgres -E UTF8 --no-locale --no-sync &&
        run_as "$owner" "$bin/pg_ctl" -D "$private_folder/postgres" -l "$private_folder/postgres.log" -w -t 60 -o "$options" start
    } >"$private_folder/start.log" 2>&1; then
        say "infra: the private PostgreSQL did not start:"
        tail -n 20 "$private_folder"/{start,postgres}.log >&2 || true
        return 1
    fi
    say "infra: a private PostgreSQL of $bin"
    export BATON_TEST_DATABASE_URL="postgres://postgres@localhost/postgres?host=$private_folder"
}

# postgres_owner: the account to run PostgreSQL as, or nothing for our own. It refuses to run as root.
postgres_owner() {
    local account
    if [[ $(id -u) -ne 0 ]]; then return; fi
    for account in postgres nobody; do
        if id "$account" >/dev/null 2>&1; then
            echo "$account"
            return
        fi
    done
    say "infra: PostgreSQL does not run as root, and there is no account \`postgres\` or \`nobody\` to run it as."
    return 1
}

# run_as ACCOUNT COMMAND…: an empty account is our own. A language that is not installed stops PostgreSQL.
run_as() {
    local account=$1
    shift
    if [[ -z $account ]]; then
        LC_ALL=C "$@"
    else
        (cd / && LC_ALL=C runuser -u "$account" -- "$@")
    fi
}

# find_or_start_redis: exports BATON_TEST_REDIS_URL.
find_or_start_redis() {
    if [[ -n ${BATON_TEST_REDIS_URL:-} ]]; then
        say "infra: Redis as BATON_TEST_REDIS_URL says"
    elif redis_answers; then
        say "infra: Redis that runs at 127.0.0.1:$REDIS_PORT"
        export BATON_TEST_REDIS_URL=redis://127.0.0.1:$REDIS_PORT
    else
        start_private_redis
    fi
}

redis_answers() {
    local answer
    { exec 3<>"/dev/tcp/127.0.0.1/$REDIS_PORT"; } 2>/dev/null || return 1
    printf 'PING\r\n' >&3
    read -r -t 5 answer <&3
    exec 3>&-
    [[ $answer == +PONG* ]]
}

start_private_redis() {
    local program
    program=$(redis_program) || return 1
    make_private_folder
    "$program" --port 0 --unixsocket "$private_folder/redis.sock" --unixsocketperm 700 --dir "$private_folder" \
        --save '' --appendonly no --daemonize no --logfile "$private_folder/redis.log" &
    private_redis=$!
    until [[ -S $private_folder/redis.sock ]]; do
        if ! kill -0 "$private_redis" 2>/dev/null; then
            say "infra: the private Redis did not start:"
            tail -n 20 "$private_folder/redis.log" >&2 || true
            return 1
        fi
        sleep 0.1
    done
    say "infra: a private Redis of $program"
    export BATON_TEST_REDIS_URL="redis+unix://$private_folder/redis.sock"
}

make_private_folder() {
    # Short, because the path of a unix socket may have 107 bytes.
    if [[ -z $private_folder ]]; then private_folder=$(mktemp -d); fi
}

# stop_servers: ends what was started here, and nothing else.
stop_servers() {
    if [[ -n $private_redis ]]; then kill "$private_redis" 2>/dev/null || true; fi
    if [[ -f $private_folder/postgres/postmaster.pid ]]; then
        run_as "$(postgres_owner)" "$(postgres_bin)/pg_ctl" -D "$private_folder/postgres" -m immediate -w stop >/dev/null || true
    fi
    if [[ -n $private_folder ]]; then rm -rf "$private_folder"; fi
}
