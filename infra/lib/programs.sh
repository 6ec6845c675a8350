# shellcheck shell=bash
# What the machine has, and where. Sourced, never run; needs say.sh.

# As in the server (`programs.rs`).
POSTGRES_MAJOR_MIN=14

are_there() {
    local subject
    for subject; do
        is_there "$subject" || return 1
    done
}

is_there() {
    case $1 in
        certificates) has_certificates ;;
        # The headers of the C library come with what programs are linked with. On a Mac `cc` is there without a compiler.
        compiler) echo '#include <stdlib.h>' | cc -E -x c - >/dev/null 2>&1 ;;
        git | npm) has "$1" ;;
        postgresql) postgres_bin >/dev/null ;;
        # Debian keeps what fills a virtual environment in a package of its own.
        python) python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ;;
        redis) redis_program >/dev/null ;;
    esac
}

has_certificates() {
    local file
    for file in "${SSL_CERT_FILE:-}" "${CARGO_HTTP_CAINFO:-}" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt \
        /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
        if [[ -s $file ]]; then return; fi
    done
    return 1
}

# postgres_bin: the folder of PostgreSQL's server programs, that of PATH first and then the highest version. Debian keeps them
# out of PATH.
postgres_bin() {
    local folder
    while read -r folder; do
        if [[ -x $folder/initdb && -x $folder/pg_ctl && $(postgres_major "$folder") -ge $POSTGRES_MAJOR_MIN ]]; then
            echo "$folder"
            return
        fi
    done < <(
        if has initdb; then dirname "$(command -v initdb)"; fi
        if has pg_config; then pg_config --bindir; fi
        printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin {/opt/homebrew,/usr/local}/opt/postgresql@*/bin | sort -rV
    )
    return 1
}

postgres_major() { "$1/postgres" --version 2>/dev/null | sed -n 's/^[^0-9]*\([0-9]*\).*/\1/p'; }

# redis_program: the Redis server, or the one that took over its place.
redis_program() {
    command -v redis-server || command -v valkey-server
}
