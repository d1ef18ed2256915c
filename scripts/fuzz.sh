#!/usr/bin/env bash
# Fuzzes targets for so many seconds each (default 600), all of them or those that are named, and keeps the smallest corpus with
# the same coverage:
#     scripts/fuzz.sh [SECONDS [TARGET…]]
# Needs `cargo install cargo-fuzz`. Coverage is counted by an unstable option of the compiler: where there is no nightly toolchain,
# the stable one is told to take it. No sanitizer: Dodona's own code has no `unsafe`.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
shift || true
readers=(relations module manifest matrix replies)
against_itself=(never_proved engines_agree equivalent_mutants verbs)
targets=("$@")
((${#targets[@]})) || targets=("${readers[@]}" "${against_itself[@]}")

if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "error: cargo-fuzz is not installed; install it with: cargo install cargo-fuzz --locked" >&2
    exit 1
fi
toolchain=()
if rustc +nightly --version >/dev/null 2>&1; then toolchain=(+nightly); else export RUSTC_BOOTSTRAP=1; fi
RUSTC_WRAPPER=$PWD/scripts/fuzz-rustc.sh
export RUSTC_WRAPPER

# A solver that has ended closes its pipe. Rust programs get an error for what they write to it then; a fuzzer, whose `main` is not
# Rust's, would be ended by the signal.
trap '' PIPE

for target in "${targets[@]}"; do
    options=(-max_total_time="$seconds" -max_len=4096 -timeout=10)
    # A case of these is a module with a proof or a command: bytes beyond the first few hundred are rarely read, a solver takes
    # its time, and what the command line says to people is not wanted here.
    [[ " ${against_itself[*]} " == *" $target "* ]] &&
        options=(-max_total_time="$seconds" -max_len=1500 -len_control=0 -timeout=120 -rss_limit_mb=6000)
    cargo "${toolchain[@]}" fuzz run --sanitizer none --codegen-units 16 "$target" -- "${options[@]}"
    cargo "${toolchain[@]}" fuzz cmin --sanitizer none --codegen-units 16 "$target"
done
