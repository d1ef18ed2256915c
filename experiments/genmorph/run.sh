#!/bin/sh
# Discovers relations of the study's 23 methods, scores them, and prints our figures beside the study's.
#   run.sh [--methods "gcd pow"] [--seeds 12] [--time 30] [--searches "auto"] [--checked 1000000] [--jobs 2]
# DODONA names the command (a release build); results go to results/: raw/ what each run found and how it scored, summary.csv a row
# a run, tables.md the tables. A run that is there already is not made again.
set -eu
cd "$(dirname "$0")"
dodona=${DODONA:-dodona}
methods=$(tail -n +2 paper/table2.csv | cut -d, -f2)
seeds=12
time=30
searches=auto
checked=1000000
jobs=2
while [ $# -gt 0 ]; do
    case $1 in
        --methods) methods=$2 ;;
        --seeds) seeds=$2 ;;
        --time) time=$2 ;;
        --searches) searches=$2 ;;
        --checked) checked=$2 ;;
        --jobs) jobs=$2 ;;
        *) sed -n 2,5p "$0" >&2; exit 2 ;;
    esac
    shift 2
done
mkdir -p results/raw
"$dodona" build ../../subjects/genmorph >/dev/null

# discover METHOD SEED SEARCH
discover() {
    run=results/raw/$1.$2.$3
    [ -s "$run.score.json" ] && return 0
    echo "$run" >&2
    status=0
    # Half of the mutants, and the inputs that relations are scored with, are none that the search sees.
    "$dodona" discover ../../subjects/genmorph "$1" --seed "$2" --search "$3" --relations 4 --time "$time" \
        --hold-out 0.5 --jobs "$jobs" --output "$run.mr" --overwrite --format json \
        > "$run.json" 2> "$run.log" || status=$?
    # 3: nothing was found, which counts as it is.
    case $status in 0 | 3) ;; *) cat "$run.log" >&2; rm -f "$run.json"; return 0 ;; esac
    python3 score.py "$dodona" "$run" --checked "$checked" --jobs "$jobs" > "$run.score.tmp"
    mv "$run.score.tmp" "$run.score.json"
}

# Seeds first: whenever it is stopped, all methods have been run about equally often.
for search in $searches; do
    seed=0
    while [ "$seed" -lt "$seeds" ]; do
        for method in $methods; do
            discover "$method" "$seed" "$search"
        done
        seed=$((seed + 1))
    done
done
python3 tables.py | tee results/tables.md
