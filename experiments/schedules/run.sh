#!/bin/sh
# Compares the schedules of checks with a budget of calls on mutants, and prints the tables.
#   run.sh [--runs 200] [--seeds 30] [--mutants 20] [--subjects "NAME..."]
# DODONA names the command (a release build); runs go to results/, a file a subject, over what is there; tables.md has the tables.
set -eu
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
runs=200
seeds=30
mutants=20
subjects="gcd triangle tcas sorting trig"
while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || { sed -n 2,4p "$0" >&2; exit 2; }
    case $1 in
        --runs) runs=$2 ;;
        --seeds) seeds=$2 ;;
        --mutants) mutants=$2 ;;
        --subjects) subjects=$2 ;;
        *) sed -n 2,4p "$0" >&2; exit 2 ;;
    esac
    shift 2
done
mkdir -p results
for subject in $subjects; do
    python3 runs.py "$dodona" "../../subjects/$subject" "$runs" "$seeds" "$mutants" "results/$(echo "$subject" | tr / -).csv"
done
python3 tables.py > tables.md
cat tables.md
