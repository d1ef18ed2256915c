#!/bin/sh
# Two cases, by search and seconds: gcd with its parameters exchanged, pow with k negated.
# speed.sh [SEEDS] [SECONDS…]; DODONA names the command, a release build.
# results/speed.csv: the rate of false negatives of the best relation that passed new inputs, by the seconds that there were; how many
# candidates were judged meanwhile; how many of the relations reported 1,000,000 further inputs violate. results/again.csv: whether
# a second run with the same seed, bounded by generations, finds the same.
set -eu
cd "$(dirname "$0")"
dodona=${DODONA:-dodona}
seeds=${1:-3}
[ $# -gt 0 ] && shift
times=${*:-5 10 20 30}
mkdir -p results
out=results/speed.csv
again=results/again.csv
echo "method,transformation,search,time,seed,false_negatives,generations,evaluated,enumerated,seconds,refuted,relations,violated" > "$out"
echo "method,transformation,seed,relations,clock,same" > "$again"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# discover NAME METHOD TRANSFORMATION SEED OPTION…
discover() {
    name=$1 method=$2 transformation=$3 seed=$4
    shift 4
    "$dodona" discover ../../subjects/genmorph "$method" --forms none --relations 8 --transformation "$transformation" --seed "$seed" --jobs 2 --format json \
        --output "$work/$name.mr" --overwrite "$@" > "$work/$name.json" 2> /dev/null || [ $? -eq 3 ]
}

# reach METHOD TRANSFORMATION
reach() {
    for search in auto evolve; do
        for time in $times; do
            seed=0
            while [ "$seed" -lt "$seeds" ]; do
                echo "$1 $2 $search $time $seed" >&2
                discover found "$1" "$2" "$seed" --search "$search" --time "$time"
                python3 - "$dodona" "$work/found.json" "$1" "$2" "$search" "$time" "$seed" >> "$out" <<'PY'
import json, sys
sys.path.insert(0, ".")
import check
record = json.load(open(sys.argv[2]))
search, work = record["searches"][0], record["work"]
rate = search["false_negatives"]
bodies = [check.body(r["text"]) for r in record["relations"]]
tallies = check.check(sys.argv[1], bodies, 1_000_000, 2) if bodies else {}
print(sys.argv[3], f'"{sys.argv[4]}"', *sys.argv[5:], "" if rate is None else f"{rate:.4f}", search["generations"],
      work["evaluated"], work["enumerated"], f"{work['seconds']:.1f}", len(record["refuted"]), len(bodies),
      sum(violated > 0 for _, _, violated in tallies.values()), sep=",")
PY
                seed=$((seed + 1))
            done
        done
    done
}

# twice METHOD TRANSFORMATION
twice() {
    seed=0
    while [ "$seed" -lt "$seeds" ]; do
        echo "$1 $2 twice $seed" >&2
        for name in first second; do
            discover "$name" "$1" "$2" "$seed" --generations 20 --time 600 --prove off
        done
        python3 - "$work" "$1" "$2" "$seed" >> "$again" <<'PY'
import json, sys
records = [json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("first", "second")]
for record in records:
    del record["work"]["seconds"]
clock = any(record["time_decided"] for record in records)
print(sys.argv[2], f'"{sys.argv[3]}"', sys.argv[4], len(records[0]["relations"]), "yes" if clock else "no",
      "yes" if records[0] == records[1] else "no", sep=",")
PY
        seed=$((seed + 1))
    done
}

reach gcd "PermuteParameters(p, q)"
reach pow "NumericMultiplication(k, -1)"
twice gcd "PermuteParameters(p, q)"
twice pow "NumericMultiplication(k, -1)"
