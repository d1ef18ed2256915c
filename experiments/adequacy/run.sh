#!/bin/sh
# Repeats the study of k-MR coverage on subjects with frames, and compares identified relations with hand-written and discovered ones.
#   run.sh [--suites 100] [--parts "identify suites selection order sources"] [--time 60] [--each 10] [--subjects "NAME..."]
# Without the part `identify` the relations are those that results/ has.
# DODONA names the command, STUDY the example `adequacy` of the package dodona-lab, both release builds:
#   cargo build --release --bin dodona && cargo build --release --package dodona-lab --example adequacy
# Found relations go to results/, a line a suite to raw/, of which tables.py keeps in results/ what tables.md and the figures need.
set -eu
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
suites=100
parts="identify suites selection order sources"
time=60
each=10
subjects="path-directed/baggage path-directed/phone specification/expense specification/meal specification/lexer specification/regex"
while [ $# -gt 0 ]; do
    case $1 in
        --suites) suites=$2 ;;
        --parts) parts=$2 ;;
        --time) time=$2 ;;
        --each) each=$2 ;;
        --subjects) subjects=$2 ;;
        *) sed -n 2,4p "$0" >&2; exit 2 ;;
    esac
    shift 2
done
results=results
rm -rf raw
mkdir -p "$results" raw

for subject in $subjects; do
    folder=../../subjects/$subject
    name=${subject##*/}
    study=
    for part in $parts; do
        case $part in
            identify)
                # All relations that identification finds, not the forty that a person is shown.
                rm -f "$results/$name.mr"
                "$dodona" identify "$folder" --most 1000 --write "$results/$name.mr" --format json > raw/record.json
                python3 identified.py "$name" < raw/record.json > "raw/$name-identified.csv" ;;
            suites | selection | order)
                study=$study${study:+,}$part ;;
            sources)
                python3 sources.py "$dodona" "$folder" "$results/$name.mr" "$time" > "raw/$name-sources.csv" ;;
            *)
                echo "there is no part $part" >&2; exit 2 ;;
        esac
    done
    # The groups are run once for all of these.
    if [ -n "$study" ]; then
        "${STUDY:-../../target/release/examples/adequacy}" "$folder" "$results/$name.mr" raw "$name" "$suites" "$each" "$study"
    fi
done
python3 tables.py --collect raw > tables.md
