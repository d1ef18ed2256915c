#!/bin/sh
# Runs the comparison on the seven programs and prints our figures beside the study's.
#   run.sh [REPEATS]      30 by default, as in the study
# DODONA names the command; results go to results/, one file a program and function.
set -eu
cd "$(dirname "$0")"
dodona=${DODONA:-dodona}
repeats=${1:-30}
subjects=../../subjects
mkdir -p results

# Tables 1 to 3: the example.
"$dodona" generate "$subjects/mymethod" --technique path --output results/mymethod.jsonl
"$dodona" prioritise "$subjects/mymethod" --from paper/table1.csv --by path --output results/mymethod-order.csv

# Tables 5 to 9: a comparison a function.
tail -n +2 programs.csv | while IFS=, read -r program subject functions inputs; do
    for function in $functions; do
        echo "$program $function" >&2
        "$dodona" compare "$subjects/$subject" "$function" --techniques path,concolic,adaptive,random \
            --count "$inputs" --repeats "$repeats" --seed 0 --format csv --output "results/$program.$function.csv"
    done
done

# NUMBER was measured on eight faults of its original: which of them each technique's inputs reveal.
number=$subjects/path-directed/number
inputs=$(awk -F, '$1 == "NUMBER" { print $4 }' programs.csv)
echo "technique,repeat,fault,revealed" > results/number-faults.csv
for technique in path concolic adaptive random; do
    repeat=0
    while [ "$repeat" -lt "$repeats" ]; do
        suite=results/number-suite.jsonl
        "$dodona" generate "$number" --technique "$technique" --count "$inputs" --seed "$repeat" --output "$suite"
        for fault in "$number"/faulty/*/; do
            code=0
            "$dodona" check "$fault" --from "$suite" --sources 0 --keep nothing > /dev/null 2>&1 || code=$?
            # 0 all hold, 1 violated, 2 a relation that no input of the suite is eligible for; the rest is trouble.
            [ "$code" -le 2 ] || { echo "check of $fault ended with $code" >&2; exit "$code"; }
            revealed=$([ "$code" -eq 1 ] && echo 1 || echo 0)
            echo "$technique,$repeat,$(basename "$fault"),$revealed" >> results/number-faults.csv
        done
        repeat=$((repeat + 1))
    done
done

python3 tables.py results
