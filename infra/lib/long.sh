# shellcheck shell=bash
# The stages of `infra/test --long`: random tests at full length. Sourced, never run; needs stages.sh.

long_stages() {
    stage model model
    stage simulation simulation
    stage faults faults
    stage fuzz fuzz
}

# Runs of run-core against the naive model.
model() { BATON_MODEL_RUNS=${BATON_MODEL_RUNS:-200000} long_test run-sim model; }

# Seeds of whole servers in virtual time.
simulation() { BATON_SIM_SEEDS=${BATON_SIM_SEEDS:-20000} long_test run-actors simulation; }

# Rounds of faults on real servers and databases: 20 kills of a server each, and every other fault.
faults() { BATON_FAULTS_ROUNDS=${BATON_FAULTS_ROUNDS:-10} long_test server faults; }

# What must hold for any input: each target for ten minutes, as many at once as there are processors.
fuzz() { BOLERO_RANDOM_TEST_TIME_MS=${BATON_FUZZ_MILLIS:-600000} long_test fuzz targets; }

# long_test PACKAGE TEST: one test program in an optimised build that keeps its checks. Its length comes from the environment.
long_test() {
    cargo test --locked --profile long -p "$1" --test "$2" -- --nocapture
}
