#!/bin/sh
# Published faults of packages of PyPI, found by relations that stand in their documentation: on the version with the fault, on one without it, and the same relations as tests of
# Hypothesis. usage: run.sh DODONA
set -eu
dodona=$(command -v "$1" || realpath "$1")
cd "$(dirname "$0")"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dodona/pypi
for version in faulty fixed; do
    if [ ! -d "$cache/$version" ]; then
        python3 -m venv "$cache/$version"
        "$cache/$version/bin/pip" install --quiet 'setuptools<60' wheel hypothesis==6.122.3 pytest
        "$cache/$version/bin/pip" install --quiet --requirement "$version.txt"
    fi
    for subject in humanize semver; do
        work=$(mktemp -d)
        cp "$subject"/*.toml "$subject"/*.mr "$work"
        sed -i "/^python = /a interpreter = \"$cache/$version/bin/python\"" "$work/dodona.toml"
        start=$(date +%s.%N)
        out=$("$dodona" check "$work" --keep nothing || true)
        end=$(date +%s.%N)
        echo "$subject, $version: $(echo "$out" | tail -1) $(echo "$start $end" | awk '{ printf "(%.1f s)", $2 - $1 }')"
        echo "$out" | grep -E 'VIOLATED|^      [a-z]+ = ' || true
        rm -r "$work"
    done
    start=$(date +%s.%N)
    "$cache/$version/bin/pytest" -q -p no:cacheprovider test_hypothesis.py 2>&1 | grep -E '^(FAILED|[0-9]+ (passed|failed))' || true
    end=$(date +%s.%N)
    echo "$start $end" | awk -v version="$version" '{ printf "Hypothesis, %s: %.1f s\n", version, $2 - $1 }'
done
