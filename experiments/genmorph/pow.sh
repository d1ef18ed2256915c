#!/bin/sh
# In how many of ten seeds `dodona discover` finds pow(k, e) == k * pow(k, e - 1), or the same with a division.
# pow.sh [SECONDS]; DODONA names the command, a release build.
set -eu
cd "$(dirname "$0")"
dodona=${DODONA:-dodona}
time=${1:-12}
mkdir -p results
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for seed in 0 1 2 3 4 5 6 7 8 9; do
    "$dodona" discover ../../subjects/genmorph pow --forms none --relations 8 --seed "$seed" --time "$time" --format json --output "$work/found.mr" --overwrite \
        > "$work/$seed.json" 2> /dev/null
    echo "seed $seed" >&2
done
python3 - "$work" > results/pow.csv <<'PY'
import json, re, sys
print("seed,seconds,found")
wanted = ["pow(k, e) == k * pow(k, e - 1)", "pow(k, e - 1) == pow(k, e) / k", "k == pow(k, e) / pow(k, e - 1)"]
for seed in range(10):
    record = json.load(open(f"{sys.argv[1]}/{seed}.json"))
    texts = [re.sub(r"\s+", " ", r["text"]) for r in record["relations"]]
    found = [t.split(": ", 1)[1].strip() for t in texts if any(w in t for w in wanted)]
    print(seed, f"{record['work']['seconds']:.1f}", f'"{found[0]}"' if found else "", sep=",")
PY
echo "$(grep -c pow results/pow.csv) of 10" >&2
