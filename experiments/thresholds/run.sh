#!/usr/bin/env bash
# Discovers relations of functions with thresholds, and says which share of the mutants held out they catch.
#
#   ./run.sh [SEEDS]     "1 2 3" by default; DODONA names the command, a release build
set -euo pipefail
cd "$(dirname "$0")"
dodona=${DODONA:-../../target/release/dodona}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r ../../subjects "$work/subjects"
echo "subject,seed,relations,held out,revealed,caught,of revealed" > "$work/shares.csv"
for seed in ${1:-1 2 3}; do
    for subject in path-directed/baggage path-directed/charge path-directed/parking path-directed/phone path-directed/tax tcas; do
        "$dodona" discover "$work/subjects/$subject" --all --relations 16 --time 60 --seed "$seed" --format json > "$work/record.json"
        python3 share.py "$subject" "$work/record.json" >> "$work/shares.csv"
        if [ "$seed" = 1 ]; then
            sed "s,$work/,../../," "$work/subjects/$subject/discovered.mr" > "results/$(basename "$subject").mr"
        fi
        "$dodona" check "$work/subjects/$subject" --relations "$work/subjects/$subject/discovered.mr" --sources 1000000 --seed 7 \
            | grep -E "VIOLATED|relations:" | sed "s,^,$subject seed $seed: ," >> "$work/checks.txt" || true
        rm "$work/subjects/$subject/discovered.mr"
    done
done
mv "$work/shares.csv" "$work/checks.txt" results/
