# shellcheck shell=bash
# Installs what the machine lacks, through its own package manager. Sourced, never run; needs say.sh.

package_manager() {
    local manager
    for manager in apt-get dnf pacman brew; do
        if has "$manager"; then
            echo "$manager"
            return
        fi
    done
    echo none
}

# package_name SUBJECT MANAGER: what the manager calls a PostgreSQL server, a Redis server, a C compiler or Python.
package_name() {
    case "$1:$2" in
        postgresql:apt-get | postgresql:pacman) echo postgresql ;;
        postgresql:dnf) echo postgresql-server ;;
        postgresql:brew) echo postgresql@17 ;;
        redis:apt-get) echo redis-server ;;
        redis:pacman) echo valkey ;;
        redis:dnf) if dnf -q info redis >/dev/null 2>&1; then echo redis; else echo valkey; fi ;;
        redis:brew) echo redis ;;
        compiler:apt-get) echo gcc libc6-dev ;;
        compiler:dnf | compiler:pacman) echo gcc ;;
        python:apt-get) echo python3 python3-venv ;;
        python:dnf | python:brew) echo python3 ;;
        python:pacman) echo python ;;
    esac
}

# install_package SUBJECT: fails with clear words when it cannot.
install_package() {
    local manager packages
    manager=$(package_manager)
    read -ra packages <<<"$(package_name "$1" "$manager")"
    if [[ ${#packages[@]} -eq 0 ]]; then
        say "infra: $1 is missing, and this machine has no package manager that this script knows (apt-get, dnf, pacman," \
            "brew) with a package for it. Install it by hand and run this again."
        return 1
    fi
    say "infra: $1 is missing: installing ${packages[*]} with $manager"
    case "$manager" in
        # A package that starts a service of its own is not needed: the clusters here are private.
        apt-get) as_root apt-get -qq update &&
            as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}" ;;
        dnf) as_root dnf -q install -y "${packages[@]}" ;;
        pacman) as_root pacman -Sy --noconfirm --needed "${packages[@]}" ;;
        brew) brew install --quiet "${packages[@]}" ;;
    esac >&2 || {
        say "infra: $manager could not install ${packages[*]}: see its words above. Install it by hand and run this again."
        return 1
    }
}

as_root() {
    if [[ $(id -u) -eq 0 ]]; then
        "$@"
    elif has sudo; then
        sudo "$@"
    else
        say "infra: this needs root and there is no sudo: run as root: $*"
        return 1
    fi
}

# postgres_bin: the folder of PostgreSQL's server programs, the highest version first. Debian keeps them out of PATH.
postgres_bin() {
    local folder
    if has initdb && has pg_ctl; then
        dirname "$(command -v initdb)"
        return
    fi
    while read -r folder; do
        if [[ -x $folder/initdb && -x $folder/pg_ctl ]]; then
            echo "$folder"
            return
        fi
    done < <(
        if has pg_config; then pg_config --bindir; fi
        printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin {/opt/homebrew,/usr/local}/opt/postgresql@*/bin | sort -rV
    )
    return 1
}

# redis_program: the Redis server, or the one that took over its place.
redis_program() {
    command -v redis-server || command -v valkey-server
}

ensure_postgres() { postgres_bin >/dev/null || { install_package postgresql && postgres_bin >/dev/null; }; }

ensure_redis() { redis_program >/dev/null || { install_package redis && redis_program >/dev/null; }; }

# Rust links with the C compiler, and some crates have C in them.
ensure_compiler() {
    has cc || has gcc || has clang || {
        if [[ $(uname) == Darwin ]]; then
            say "infra: no C compiler: run \`xcode-select --install\` and run this again."
            return 1
        fi
        install_package compiler
    }
}

ensure_cargo() {
    has cargo || {
        say "infra: no Rust toolchain: install it from https://rustup.rs and run this again."
        return 1
    }
}
