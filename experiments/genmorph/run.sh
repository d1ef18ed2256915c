#!/bin/sh
# Discovers relations of the study's 23 methods, scores them, and prints our figures beside the study's.
#   run.sh [--methods "gcd pow"] [--seeds 12] [--time 12] [--searches "auto"] [--forms none] [--results results]
#          [--checked 1000000] [--jobs 1] [--at-once 2]
# DODONA names the command (a release build). --results names a folder beside this script: raw/ is what each run found and how it scored, summary.csv a row
# a run, relations.csv a row a relation, tables.md the tables. A run that is there already is not made again. So many runs are made at once, each with so many
# threads. The searches "enumerate evolve auto" are compared with each other on the same mutants and inputs, which depend on the seed alone; "auto25" is auto
# with a share of 0.25 of its time for evolution.
set -eu
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
methods=$(tail -n +2 paper/table2.csv | cut -d, -f2)
seeds=12
time=12
searches=auto
forms=none
results=results
checked=1000000
jobs=1
at_once=2
while [ $# -gt 0 ]; do
    case $1 in
        --methods) methods=$2 ;;
        --seeds) seeds=$2 ;;
        --time) time=$2 ;;
        --searches) searches=$2 ;;
        --forms) forms=$2 ;;
        --results) results=$2 ;;
        --checked) checked=$2 ;;
        --jobs) jobs=$2 ;;
        --at-once) at_once=$2 ;;
        *) sed -n 2,8p "$0" >&2; exit 2 ;;
    esac
    shift 2
done
mkdir -p "$results/raw"
# Runs of other settings are not mixed with these.
build=$(sha256sum "$dodona" | cut -c 1-12)
settings="time $time, forms $forms, threads $jobs, at once $at_once, $("$dodona" --version), build $build"
[ -e "$results/settings" ] || echo "$settings" > "$results/settings"
if [ "$settings" != "$(cat "$results/settings")" ]; then
    echo "$results/ has runs of other settings ($(cat "$results/settings")): move them away" >&2
    exit 2
fi
"$dodona" build ../../subjects/genmorph >/dev/null

# Seeds first: whenever it is stopped, all methods have been run about equally often. The searches of a seed follow each other, so that a machine that is
# slower for a while is so for all of them.
seed=0
while [ "$seed" -lt "$seeds" ]; do
    for method in $methods; do
        for search in $searches; do
            echo "$method" "$seed" "$search"
        done
    done
    seed=$((seed + 1))
done | xargs -P "$at_once" -L 1 ./one.sh "$dodona" "$time" "$jobs" "$forms" "$results" || echo "some runs were not scored" >&2
python3 check.py "$dodona" --checked "$checked" --results "$results"
python3 tables.py "$results" | tee "$results/tables.md"
