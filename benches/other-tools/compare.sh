#!/usr/bin/env bash
# Mutation analysis of triangle, gcd and insertion sort: Dodona, wasmut and cargo-mutants, wall clock of the whole process.
# compare.sh DODONA: the release binary. Of the short runs the best of ten counts; tools that are not installed are left out.
set -euo pipefail
cd "$(dirname "$0")"
dodona=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
subjects=../../subjects

best() { # best RUNS COMMAND...: the least seconds that it took
    local runs=$1 least="" start seconds
    shift
    for ((run = 0; run < runs; run++)); do
        start=$(date +%s%N)
        "$@" >"$work/out" 2>&1 || [ $? -le 3 ] # cargo-mutants ends with 2 or 3 where a mutant is missed or looped
        seconds=$(awk -v a="$start" -v b="$(date +%s%N)" 'BEGIN { print (b - a) / 1e9 }')
        least=$(awk -v a="$seconds" -v b="${least:-1e9}" 'BEGIN { print a < b ? a : b }')
    done
    echo "$least"
}
row() { # row NAME SECONDS MUTANTS EXECUTIONS
    awk -v name="$1" -v s="$2" -v m="$3" -v e="$4" \
        'BEGIN { printf "%-62s %6d mutants %8.3f s %9.1f mutants/s %12.1f executions/s\n", name, m, s, m / s, e / s }'
}
ours() { # ours ARGUMENT...
    local seconds
    seconds=$(best 10 "$dodona" mutate "$@" --callees=none --jobs 1)
    "$dodona" mutate "$@" --callees=none --jobs 1 >"$work/out"
    row "dodona mutate $* --jobs 1" "$seconds" "$(sed -nE '2s/^ *([0-9,]+) mutants.*/\1/p' "$work/out" | tr -d ,)" \
        "$(sed -nE 's/^  executed ([0-9,]+) of.*/\1/p' "$work/out" | tr -d ,)"
}
for subject in "$subjects/triangle" "$subjects/gcd" "$subjects/sorting --function insertion_sort"; do
    # shellcheck disable=SC2086 # a subject with its options
    ours $subject
    # shellcheck disable=SC2086
    ours $subject --against inputs --inputs 10 --stop-at-kill
done
ours $subjects/triangle --against inputs --inputs 10000 --pruning off --matrix "$work/kills"
if wasmut --version >/dev/null 2>&1; then
    clang --target=wasm32-wasi -mcpu=mvp -O1 -g wasmut.c $subjects/{triangle/triangle,gcd/gcd,sorting/sorting}.c -o "$work/same.wasm"
    seconds=$(best 10 wasmut mutate -t 1 -c wasmut.toml "$work/same.wasm" -o "$work/report")
    mutants=$(sed -nE 's/.*Generated ([0-9]+) mutations.*/\1/p' "$work/out")
    row "wasmut mutate -t 1 same.wasm" "$seconds" "$mutants" "$mutants"
fi
if cargo mutants --version >/dev/null 2>&1; then
    seconds=$(best 1 env -u CARGO_TARGET_DIR cargo mutants -o "$work")
    mutants=$(sed -nE 's/^([0-9]+) mutants tested.*/\1/p' "$work/out")
    row "cargo mutants" "$seconds" "$mutants" "$mutants"
fi
