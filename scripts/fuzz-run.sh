#!/usr/bin/env bash
# Runs a fuzz target with the signal of a closed pipe ignored: fuzz-run.sh TARGET ARGUMENT…
# A solver that has ended closes its pipe. Rust programs get an error for what they write to it then; a fuzzer, whose `main` is not
# Rust's, would be ended by the signal. Cargo starts programs with the signal's default action, whatever its own is.
trap '' PIPE
exec "$@"
