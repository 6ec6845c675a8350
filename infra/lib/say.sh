# shellcheck shell=bash
# Words to people. Sourced, never run.

say() { printf '%s\n' "$*" >&2; }

# Ends the script with a reason that says what to do.
give_up() {
    say "infra: $*"
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# at_most SECONDS COMMAND…: stops a command that takes longer, where the machine has `timeout`.
at_most() {
    if has timeout; then timeout "$@"; else "${@:2}"; fi
}
