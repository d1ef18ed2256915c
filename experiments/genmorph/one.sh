#!/bin/sh
# Discovers relations once and scores them: one.sh DODONA TIME JOBS FORMS RESULTS METHOD SEED SEARCH. Does nothing where that was done.
set -eu
cd "$(dirname "$0")"
dodona=$1 time=$2 jobs=$3 forms=$4 results=$5 method=$6 seed=$7 search=$8
run=$results/raw/$method.$seed.$search
[ -s "$run.score.json" ] && exit 0
echo "$run" >&2
# The code of these is that of the crate `libm`, which the method only calls. That of sin, sinh and tan calls much larger functions: of all of their mutants
# hardly any would be in the method itself.
callees=source operators=all
case $method in
acos | log10) callees=libm ;;
sin | sinh | tan) callees=libm operators=pit ;;
esac
# auto25 is the search `auto` that leaves 25 % of its time to genetic programming.
how="--search $search"
case $search in auto[0-9]*) how="--search auto --evolution-share $(awk "BEGIN { print ${search#auto} / 100 }")" ;; esac
status=0
# Half of the mutants, and the inputs that relations are scored with, are none that the search sees.
# shellcheck disable=SC2086 # the words of $how are options
"$dodona" discover ../../subjects/genmorph "$method" --all --seed "$seed" --forms "$forms" $how --relations 4 --time "$time" \
    --callees="$callees" --operators "$operators" --hold-out 0.5 --jobs "$jobs" --output "$run.mr" --overwrite --format json \
    > "$run.json" 2> "$run.log" || status=$?
# 3: nothing was found, which counts as it is. What ended otherwise is told below the tables.
rm -f "$run.failed"
case $status in 0 | 3) ;; *) cat "$run.log" >&2; rm -f "$run.json"; mv "$run.log" "$run.failed"; exit 0 ;; esac
python3 score.py "$dodona" "$run" --callees "$callees" --jobs "$jobs" > "$run.score.tmp"
mv "$run.score.tmp" "$run.score.json"
