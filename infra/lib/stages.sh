# shellcheck shell=bash
# Stages of a test run: each is timed and logged, a failure does not stop the next, and a table at the end tells all.
# Sourced, never run; needs say.sh.

STAGE_SKIPPED=77

stage_logs=
stage_rows=()
stages_failed=()

# begin_stages FOLDER: where the logs go.
begin_stages() {
    stage_logs=$1
    rm -rf "$stage_logs"
    mkdir -p "$stage_logs"
}

# stage NAME COMMAND…: the command runs in a shell of its own and says `return $STAGE_SKIPPED` when it has nothing to do.
stage() {
    local name=$1 began=$SECONDS status result
    shift
    printf '\n=== %s\n' "$name"
    set +e
    (set -e; "$@") 2>&1 | tee "$stage_logs/$name.log"
    status=${PIPESTATUS[0]}
    set -e
    case $status in
        0) result=passed ;;
        "$STAGE_SKIPPED") result=skipped ;;
        *)
            result=FAILED
            stages_failed+=("$name")
            ;;
    esac
    stage_rows+=("$(printf '%-14s %-8s %7s' "$name" "$result" "$(minutes $((SECONDS - began)))")")
}

minutes() { printf '%d.%d' $(($1 / 60)) $(($1 % 60 * 10 / 60)); }

# end_stages: the table, what the tests counted, what failed. Fails when a stage did.
end_stages() {
    printf '\n%-14s %-8s %7s\n' stage result minutes
    printf '%s\n' "${stage_rows[@]}" "$(printf '%-14s %-8s %7s' total '' "$(minutes $SECONDS)")"
    local logs=("$stage_logs"/{tidy,tests,doctests,python}.log)
    cat "${logs[@]}" 2>/dev/null | grep -E '^( *Summary \[|test result: |[0-9]+ (passed|failed).* in )' | grep -v ' 0 passed; 0 failed' || true
    cat "${logs[@]}" 2>/dev/null | grep -E '^( *(FAIL|TIMEOUT|ABORT|SIG[A-Z]+) \[|test .* FAILED$|FAILED )' | sort -u || true
    if [[ ${#stages_failed[@]} -gt 0 ]]; then
        printf 'failed: %s (logs: %s)\n' "${stages_failed[*]}" "$stage_logs"
        return 1
    fi
    echo "all stages passed"
}
