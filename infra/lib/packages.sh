# shellcheck shell=bash
# Installs what the machine lacks, through its own package manager. Sourced, never run; needs say.sh and programs.sh.

# ensure SUBJECT…: installs those that are missing, all at once. Fails with clear words when it cannot. The subjects:
# certificates, compiler, git, npm, postgresql, python, redis.
ensure() {
    local subject missing=()
    for subject; do
        is_there "$subject" || missing+=("$subject")
    done
    if [[ ${#missing[@]} -eq 0 ]]; then return; fi
    say "infra: missing here: $(names_of "${missing[@]}")"
    install_packages "${missing[@]}" || return 1
    for subject in "${missing[@]}"; do
        is_there "$subject" || {
            say "infra: installed, and still not found: $(names_of "$subject"). Install it by hand and run this again."
            return 1
        }
    done
}

# What people call the subjects.
names_of() {
    local subject names=()
    for subject; do
        case $subject in
            certificates) names+=("the certificates of web servers") ;;
            compiler) names+=("a C compiler") ;;
            git) names+=("Git") ;;
            npm) names+=("npm") ;;
            postgresql) names+=("PostgreSQL's server programs, version $POSTGRES_MAJOR_MIN or later") ;;
            python) names+=("Python 3.10 or later with its module venv") ;;
            redis) names+=("Redis") ;;
        esac
    done
    local list
    list=$(printf ', %s' "${names[@]}")
    echo "${list:2}"
}

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

# packages_of MANAGER SUBJECT…: what the manager calls them; nothing for a manager or a subject that is not known.
packages_of() {
    local subject
    for subject in "${@:2}"; do
        case "$subject:$1" in
            certificates:apt-get | certificates:dnf | certificates:pacman) echo ca-certificates ;;
            compiler:apt-get) echo gcc libc6-dev ;;
            compiler:dnf | compiler:pacman) echo gcc ;;
            git:none) ;;
            git:*) echo git ;;
            npm:apt-get | npm:dnf | npm:pacman) echo npm ;;
            npm:brew) echo node ;;
            postgresql:apt-get | postgresql:pacman) echo postgresql ;;
            postgresql:dnf) echo postgresql-server ;;
            postgresql:brew) echo postgresql@17 ;;
            python:apt-get) echo python3 python3-venv ;;
            python:dnf | python:brew) echo python3 ;;
            python:pacman) echo python ;;
            redis:apt-get) echo redis-server ;;
            redis:pacman) echo valkey ;;
            redis:dnf) if dnf -q info redis >/dev/null 2>&1; then echo redis; else echo valkey; fi ;;
            redis:brew) echo redis ;;
        esac
    done
}

# install_command MANAGER PACKAGE…: for people to read and for a shell to run. Where the lists of packages cannot be fetched
# the old ones may do. Another program may hold the lock, above all on a machine that has just started.
install_command() {
    case $1 in
        apt-get) echo "apt-get -qq update; apt-get -qqo DPkg::Lock::Timeout=300 install -y --no-install-recommends ${*:2}" ;;
        dnf) echo "dnf install -y ${*:2}" ;;
        pacman) echo "pacman -Sy --noconfirm --needed ${*:2}" ;;
        brew) echo "brew install ${*:2}" ;;
    esac
}

install_packages() {
    local manager packages command
    manager=$(package_manager)
    if [[ $(uname) == Darwin ]] && ! is_there compiler; then
        say "infra: run \`xcode-select --install\` for a C compiler, then run this again."
        return 1
    fi
    packages=$(packages_of "$manager" "$@" | tr '\n' ' ')
    if [[ -z $packages ]]; then
        say "infra: this machine has no package manager that this script knows (apt-get, dnf, pacman, brew)." \
            "Install them by hand and run this again."
        return 1
    fi
    command=$(install_command "$manager" "${packages% }")
    if [[ $manager != brew && $(id -u) -ne 0 ]] && ! has sudo; then
        say "infra: installing needs root, and there is no sudo. Run this as root, then run this script again:"
        say "    $command"
        return 1
    fi
    say "infra: installing, after any other installation that is under way: $command"
    # A server that a package may start is not used: those here are private.
    as_installer "$manager" sh -c "export DEBIAN_FRONTEND=noninteractive; $command" >&2 || {
        say "infra: $manager could not install this; its own words above say why, the first ones above all. Mend that and run" \
            "this script again."
        return 1
    }
}

# as_installer MANAGER COMMAND…: Homebrew belongs to its user, the others to root.
as_installer() {
    if [[ $1 == brew || $(id -u) -eq 0 ]]; then "${@:2}"; else sudo "${@:2}"; fi
}
