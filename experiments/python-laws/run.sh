#!/bin/sh
# Discovers laws of twenty functions of statistics, math, numpy and scipy, each by itself within 40 seconds.
# usage: run.sh DODONA
set -eu
cd "$(dirname "$0")"
[ -d env ] || { python3 -m venv env && env/bin/pip install --quiet numpy==2.4.6 scipy==1.17.1; }
for function in $(sed -n 's/^signature = "\([a-z0-9_]*\).*/\1/p' dodona.toml); do
    echo "== $function"
    "$1" discover . "$function" --time 40 --fresh 5000 --output "results/$function.mr" --overwrite 2>/dev/null | sed -n '1,25p' || true
done
