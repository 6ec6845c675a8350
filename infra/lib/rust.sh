# shellcheck shell=bash
# The Rust toolchain, the one thing that must be there. Sourced, never run; needs say.sh.

# ensure_rust MANIFEST [COMPONENT…]: of the version that the manifest asks for, with those parts of it that rustup can leave out.
ensure_rust() {
    local needed found component
    needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$1")
    shift
    has cargo || {
        say "infra: no Rust toolchain: install Rust $needed or later from https://rustup.rs and run this again. If it is" \
            "installed, put it into the PATH of this shell: . ~/.cargo/env"
        return 1
    }
    # What rustup says when it has no toolchain is for people.
    found=$(cargo --version) || return 1
    found=${found#cargo }
    found=${found%% *}
    is_at_least "$needed" "$found" || {
        say "infra: Rust $found is too old: Baton needs $needed or later. Run \`rustup update stable\`, or install Rust from" \
            "https://rustup.rs, and run this again."
        return 1
    }
    for component; do
        cargo "${component#rust}" --version >/dev/null 2>&1 || rustup component add "$component" >&2 || {
            say "infra: this Rust toolchain has no $component: install it, with rustup or the package manager that Rust came" \
                "from, and run this again."
            return 1
        }
    done
}

# is_at_least NEEDED FOUND: versions of two or three numbers.
is_at_least() {
    [[ $(printf '%s\n' "$1" "$2" | sort -t . -k 1,1n -k 2,2n -k 3,3n | head -n 1) == "$1" ]]
}
