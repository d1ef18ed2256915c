#!/bin/sh
# Runs the comparison on the seven programs and prints our figures beside the study's.
#   run.sh [REPEATS [PROGRAM]...]      30 by default, as in the study, and all programs
# DODONA names the command; results/ gets the tables of each program and function, and the means of all in suites.csv; raw/ the figures of each suite.
set -eu
cd "$(dirname "$0")"
dodona=${DODONA:-dodona}
repeats=${1:-30}
[ $# -gt 0 ] && shift
wanted=" $* "
subjects=../../subjects
rm -rf raw
mkdir -p results raw

# compare NAME SUBJECT OPTION...
compare() {
    name=$1
    subject=$2
    shift 2
    echo "$name" >&2
    "$dodona" compare "$subjects/$subject" --callees=none --techniques path,ways,path:random,concolic,adaptive,random --repeats "$repeats" --seed 0 \
        "$@" --format csv --overwrite --output "raw/$name.csv" > "results/$name.txt"
}

# Tables 1 to 3: the example.
"$dodona" generate "$subjects/mymethod" --technique path --overwrite --output results/mymethod.jsonl
"$dodona" prioritise "$subjects/mymethod" --from paper/table1.csv --by path --overwrite --output results/mymethod-order.csv

# The same paths as sequences of statements.
for by in edit hamming common-subsequence; do
    "$dodona" prioritise "$subjects/mymethod" --from paper/table1.csv --by $by --overwrite --output "results/mymethod-order-$by.csv"
done

# Tables 5 to 9: a comparison a function.
tail -n +2 programs.csv | while IFS=, read -r program subject functions inputs options; do
    case "$wanted" in "  " | *" $program "*) ;; *) continue ;; esac
    for function in $functions; do
        # shellcheck disable=SC2086
        compare "$program.$function" "$subject" "$function" --count "$inputs" $options
    done
    # NUMBER was measured on eight faults of its original.
    if [ "$program" = NUMBER ]; then
        compare NUMBER-faults "$subject" --faults --count "$inputs" --max-len 10
    fi
done

python3 tables.py --collect raw | tee results/tables.md
