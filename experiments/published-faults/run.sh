#!/bin/sh
# Looks for published faults of crates by the laws beside them.
#   run.sh [FAULT...]       all of faults.csv by default
# DODONA names the command; results/ gets what was printed last of the faulty version, work/ of the fixed one, and results.csv a row a fault.
#
# A fault is looked for with 1,000 random inputs, then 100,000, then inputs along paths, then 100,000 random inputs in a build with the checks
# that `cargo test` has; the first of these that violates a law ends the search. Then the fixed version is run with 100,000, built alike.
set -eu
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
wanted=" $* "
mkdir -p results work
[ -s results.csv ] || echo "fault,found,laws,fixed" > results.csv

# check FOLDER VERSION OPTION...: prints the exit code, and leaves what was printed in work/FOLDER.txt
check() {
    folder=$1 version=$2 status=0
    shift 2
    mkdir -p "work/$folder"
    sed "s/^version = .*/version = \"=$version\"$checks/" "faults/$fault/dodona.toml" > "work/$folder/dodona.toml"
    cp "faults/$fault/relations.mr" "work/$folder"
    timeout 900 "$dodona" check --keep nothing "$@" "work/$folder" > "work/$folder.txt" 2>&1 || status=$?
    echo "$status"
}

# look NAME OPTION...: whether the search is over; NAME is how the fault was found, `error` what is no verdict.
look() {
    name=$1
    shift
    case $(check "$fault" "$faulty" "$@") in
        1) found=$name ;;
        0) return 1 ;;
        *) if [ "$name" = paths ]; then return 1; fi; found=error ;;
    esac
}

search() {
    look 1000 --sources 1000 && return
    look 100000 --sources 100000 && return
    look paths --sources-by path,ways && return
    checks="\nchecks = true"
    look checks --sources 100000 || found=no
}

tail -n +2 faults.csv | while IFS=, read -r fault _ faulty fixed _; do
    case "$wanted" in "  " | *" $fault "*) ;; *) continue ;; esac
    checks=
    search
    grep -v "^progress: " "work/$fault.txt" > "results/$fault.txt" || true
    laws=$(sed -n 's/^  VIOLATED *\([a-z_0-9]*\).*/\1/p' "results/$fault.txt" | paste -sd' ')
    holds=$(check "$fault-fixed" "$fixed" --sources 100000)
    sed -i "/^$fault,/d" results.csv
    echo "$fault,$found,$laws,$holds" | tee -a results.csv >&2
done
python3 tables.py
