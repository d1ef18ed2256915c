#!/usr/bin/env bash
# Discovers relations of the functions of a panel, each subject by itself: run.sh first|second [NAME...]; all subjects by default.
# DODONA names the command; SECONDS_EACH is the time for a subject (default 60). fetch.sh of the panel has to be run once before.
# What is printed goes to PANEL/results/NAME.txt, and the relations that are found to PANEL/results/NAME.mr. A subject that fails does not
# keep the others from being run; the names of those that failed are said at the end, and the exit code is then 1.
set -euo pipefail
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
seconds=${SECONDS_EACH:-60}
cd "$(dirname "$0")/$1"
shift
results=${RESULTS:-results}
mkdir -p "$results"
if [ $# -eq 0 ]; then
    set -- $(cd subjects && ls)
fi
failed=
for name in "$@"; do
    echo "$name" >&2
    rm -f "$results/$name.mr"
    status=0
    "$dodona" discover "subjects/$name" --time "$seconds" --jobs 2 --output "$results/$name.mr" --overwrite \
        > "$results/$name.txt" 2> /dev/null || status=$?
    if [ "$status" -ne 0 ]; then
        echo "exit code $status" >> "$results/$name.txt"
        failed="$failed $name"
    fi
done
if [ -n "$failed" ]; then
    echo "failed:$failed" >&2
    exit 1
fi
