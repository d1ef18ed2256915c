#!/usr/bin/env bash
# Fuzzes targets for so many seconds each (default 600), all of them or those that are named, and keeps the inputs that cover most:
#     scripts/fuzz.sh [SECONDS [TARGET…]]
# The corpus of a target is one file, `fuzz/corpus/TARGET.tar`, of at most 100 inputs, which the tests of `crates/selfcheck` replay. It is
# unpacked beside it; what a fuzzer adds there stays until the folder is deleted, and is chosen from again. With 0 seconds nothing is
# fuzzed, and the corpora are only chosen again.
# Needs `cargo install cargo-fuzz`. Coverage is counted by an unstable option of the compiler: where there is no nightly toolchain,
# the stable one is told to take it. No sanitizer: Dodona's own code has no `unsafe`.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
shift || true
readers=(relations module manifest openapi frames matrix pairs replies shards)
against_itself=(never_proved engines_agree equivalent_mutants ordered_mutants verbs)
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

# Cargo starts the fuzzer by a script, because of closed pipes.
host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')
export "CARGO_TARGET_${host}_RUNNER=$PWD/scripts/fuzz-run.sh"

most=100 # inputs a target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fuzz() { # fuzz TARGET FOLDER… -- OPTION… : runs the fuzzer
    cargo "${toolchain[@]}" fuzz run --sanitizer none --codegen-units 16 "$@"
}

for target in "${targets[@]}"; do
    options=(-max_total_time="$seconds" -max_len=4096 -timeout=10)
    # A case of these is a module with a proof or a command: bytes beyond the first few hundred are rarely read, a solver takes
    # its time, and what the command line says to people is not wanted here.
    [[ " ${against_itself[*]} " == *" $target "* ]] &&
        options=(-max_total_time="$seconds" -max_len=1500 -len_control=0 -timeout=120 -rss_limit_mb=6000)
    corpus=fuzz/corpus/$target
    mkdir -p "$corpus"
    [ ! -e "$corpus.tar" ] || tar -xf "$corpus.tar" -C "$corpus"
    ((seconds == 0)) || fuzz "$target" "$corpus" -- "${options[@]}"
    mkdir -p "$work/$target"
    fuzz "$target" "$work/$target" "$corpus" -- -merge=1 -set_cover_merge=1 -merge_control_file="$work/$target.features" "${options[@]:1}"
    scripts/smallest-corpus.py "$work/$target.features" "$most" >"$work/$target.chosen"
    # The same inputs are the same bytes, whoever packs them and when.
    xargs -rd '\n' -n1 basename <"$work/$target.chosen" >"$work/$target.names"
    tar --create --file "$work/$target.tar" --directory "$corpus" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner \
        --mode=644 --format=ustar --files-from "$work/$target.names"
    mv "$work/$target.tar" "$corpus.tar"
done
