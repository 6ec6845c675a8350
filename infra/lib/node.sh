# shellcheck shell=bash
# Node for the official clients, and their packages (infra/node), installed below target/. Sourced, never run; needs say.sh.

# What the packages ask for, and the release that is fetched where the machine has none or an older one.
NODE_MINIMUM=22.19
NODE_FETCHED=22

# ensure_node FOLDER: sees to it that PATH has a Node that is new enough. Fails with clear words when there is none.
ensure_node() {
    local platform
    if node_is_new_enough; then return; fi
    platform=$(node_platform)
    if [[ ! -x $1/node_modules/node-$platform/bin/node ]]; then
        npm_install "$1" --no-package-lock "node-$platform@$NODE_FETCHED" || {
            echo "Node $NODE_MINIMUM or later is not here and npm has none for $platform: install it"
            return 1
        }
    fi
    export PATH="$1/node_modules/node-$platform/bin:$PATH"
    node_is_new_enough
}

node_is_new_enough() {
    local version
    version=$(node --version 2>/dev/null) || return 1
    [[ $(printf '%s\n' "$NODE_MINIMUM" "${version#v}" | sort -V | head -n 1) == "$NODE_MINIMUM" ]]
}

# node_platform: linux-x64, darwin-arm64 and the like, as npm's packages of Node are called.
node_platform() {
    local system=linux machine
    if [[ $(uname) == Darwin ]]; then system=darwin; fi
    machine=$(uname -m)
    case $machine in
        x86_64) machine=x64 ;;
        aarch64) machine=arm64 ;;
    esac
    echo "$system-$machine"
}

# ensure_node_packages FOLDER: installs the packages there, and again when their list changes.
ensure_node_packages() {
    if cmp -s infra/node/package-lock.json "$1/installed.json"; then return; fi
    rm -rf "$1"
    mkdir -p "$1"
    cp infra/node/{.npmrc,package.json,package-lock.json} "$1"
    # Not `npm ci`: it takes optional packages of other systems, which a registry may not have, for an error.
    npm_install "$1" || return 1
    cp infra/node/package-lock.json "$1/installed.json"
}

# npm_install FOLDER [PACKAGE…]
npm_install() {
    npm install --prefix "$1" --ignore-scripts --no-audit --no-fund --loglevel error "${@:2}"
}
