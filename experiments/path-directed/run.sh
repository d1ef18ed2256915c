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

# NUMBER was measured on eight faults of its original.
count=$(awk -F, '$1 == "NUMBER" { print $4 }' programs.csv)
"$dodona" compare "$subjects/path-directed/number" --techniques path,concolic,adaptive,random --faults \
    --count "$count" --repeats "$repeats" --seed 0 --format csv --output results/NUMBER-faults.csv

python3 tables.py results
