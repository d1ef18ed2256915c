#!/usr/bin/env bash
# Discovers laws of six functions of others and of the shipped subjects, and runs what is listed on a million fresh inputs each.
#   run.sh [--sources FOLDER] [--fresh 500000] [--time 120] [--mutants 300]
# DODONA names the command (a release build). Sources of zlib and libb64 are fetched by fetch.sh, unless FOLDER has them.
# Lists go to results/NAME.mr, how long they took to results/lists.txt, and what a million inputs say of them to results/checks.txt.
set -euo pipefail
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
sources= fresh=500000 time=120 mutants=300
while [ $# -gt 0 ]; do
    case $1 in
        --sources) sources=$(realpath "$2") ;;
        --fresh) fresh=$2 ;;
        --time) time=$2 ;;
        --mutants) mutants=$2 ;;
        *) sed -n 2,5p "$0" >&2; exit 2 ;;
    esac
    shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$sources" ]; then
    ./fetch.sh "$work/sources" > /dev/null
    sources=$work/sources
fi
cp -r subjects "$work/subjects"
cp -r "$sources/zlib" "$work/subjects/adler32/zlib"
cp -r "$sources/libb64" "$work/subjects/libb64/libb64"
mkdir -p results
: > results/lists.txt
: > results/checks.txt

# laws NAME FOLDER FUNCTION...: the laws of a subject, and their check.
laws() {
    local name=$1 folder=$2
    shift 2
    "$dodona" discover "$folder" "$@" --laws --all --time "$time" --fresh "$fresh" --mutants "$mutants" \
        --output "results/$name.mr" --overwrite > "$work/words" 2>&1 || true
    echo "$name: $(grep -E ' laws? in ' "$work/words" || tail -n 1 "$work/words")" >> results/lists.txt
    "$dodona" check "$folder" --relations "results/$name.mr" --sources 1000000 --seed 7 --keep nothing \
        >> results/checks.txt 2>&1 || true
    tail -n 1 results/checks.txt
}

for name in levenshtein jaro_winkler hypot adler32 libb64; do
    laws "$name" "$work/subjects/$name"
done
for name in trig elementary fib gcd codec sorting; do
    laws "$name" "../../subjects/$name"
done
for name in capitalize center abbreviate; do
    laws "$name" ../../subjects/genmorph "$name"
done
sed -i "s#$work/##g; s#$PWD/##g" results/*
