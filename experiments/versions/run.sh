#!/bin/sh
# Which functions `dodona run --against` names between two published versions of a crate.
#   run.sh [FAULT...]       those of faults.txt by default
# DODONA names the command; results/ gets what was printed.
#
# The manifests are those of the published faults, with functions of the same crate that no changelog mentions (siblings/).
set -eu
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
mkdir -p results work
[ $# -gt 0 ] || set -- $(cat faults.txt)
for fault; do
    row=$(grep "^$fault," ../published-faults/faults.csv)
    faulty=$(echo "$row" | cut -d, -f3) fixed=$(echo "$row" | cut -d, -f4)
    for version in faulty fixed; do
        folder=work/$fault/$version
        mkdir -p "$folder"
        eval "number=\$$version"
        sed "s/^version = .*/version = \"=$number\"/" "../published-faults/faults/$fault/dodona.toml" > "$folder/dodona.toml"
        [ ! -f "siblings/$fault.toml" ] || cat "siblings/$fault.toml" >> "$folder/dodona.toml"
        cp "../published-faults/faults/$fault/relations.mr" "$folder"
    done
    (cd "work/$fault" && timeout 900 "$dodona" run fixed --against faulty --time 5m --mutants 100) 2>&1 | grep -v "^progress: " > "results/$fault.txt" || true
    echo "$fault: $(grep -E '^  against' "results/$fault.txt")"
    grep -E '^    (changed|newly|no longer)' "results/$fault.txt" || true
done
