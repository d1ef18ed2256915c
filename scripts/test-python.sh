#!/bin/sh
# Builds the wheel with the program in it, installs it into a fresh environment, and runs the tests of the Python package there.
set -eu
cd "$(dirname "$0")/.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dodona/wheel
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/dodona/target}"
rm -rf "$cache"
mkdir -p "$cache"
if ! python3 -m venv "$cache/build" >"$cache/log" 2>&1; then
    echo "skipped: the Python package: Python with venv is not installed (Debian: python3-venv)"
    exit 0
fi
if ! "$cache/build/bin/pip" install --quiet 'maturin>=1.7,<2' >"$cache/log" 2>&1; then
    echo "skipped: the Python package: maturin cannot be installed from PyPI"
    exit 0
fi
# The profile of the other tests: what is tried is the package, and a release takes minutes.
(cd python && "$cache/build/bin/maturin" build --profile dev --out "$cache/wheels" --quiet 2>"$cache/log") || {
    cat "$cache/log"
    exit 1
}
python3 -m venv "$cache/fresh"
"$cache/fresh/bin/pip" install --quiet "$cache"/wheels/*.whl pytest pytest-xdist numpy
PATH="$cache/fresh/bin:$PATH" "$cache/fresh/bin/pytest" --quiet python/tests
