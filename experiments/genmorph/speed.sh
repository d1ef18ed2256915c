#!/bin/sh
# The false-negative rate that a search under one input transformation reaches, by the seconds that it has: gcd with its parameters
# exchanged, pow with k negated. speed.sh [SEEDS] [SECONDS…]; DODONA names the command, a release build.
set -eu
cd "$(dirname "$0")"
dodona=${DODONA:-dodona}
seeds=${1:-3}
[ $# -gt 0 ] && shift
times=${*:-5 10 20 30}
mkdir -p results
out=results/speed.csv
echo "method,transformation,search,time,seed,false_negatives,generations,evaluated,enumerated,seconds,refuted" > "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# reach METHOD TRANSFORMATION
reach() {
    for search in auto evolve; do
        for time in $times; do
            seed=0
            while [ "$seed" -lt "$seeds" ]; do
                echo "$1 $2 $search $time $seed" >&2
                "$dodona" discover ../../subjects/genmorph "$1" --transformation "$2" --search "$search" --time "$time" \
                    --seed "$seed" --jobs 2 --format json --output "$work/found.mr" --overwrite > "$work/found.json" || [ $? -eq 3 ]
                python3 - "$work/found.json" "$1" "$2" "$search" "$time" "$seed" >> "$out" <<'PY'
import json, sys
record = json.load(open(sys.argv[1]))
search, work = record["searches"][0], record["work"]
rate = search["false_negatives"]
print(sys.argv[2], f'"{sys.argv[3]}"', *sys.argv[4:], "" if rate is None else f"{rate:.4f}", search["generations"],
      work["evaluated"], work["enumerated"], f"{work['seconds']:.1f}", len(record["refuted"]), sep=",")
PY
                seed=$((seed + 1))
            done
        done
    done
}

reach gcd "PermuteParameters(p, q)"
reach pow "NumericMultiplication(k, -1)"
