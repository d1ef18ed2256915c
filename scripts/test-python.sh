#!/bin/sh
# Builds the wheel with the program in it, installs it into a fresh environment, and runs the tests of the Python package there.
set -eu
cd "$(dirname "$0")/.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/dodona/wheel
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/dodona/target}"
if ! python3 -m venv --help >/dev/null 2>&1; then
    echo "left out: Python with venv is not installed"
    exit 0
fi
rm -rf "$cache"
mkdir -p "$cache"
python3 -m venv "$cache/build"
"$cache/build/bin/pip" install --quiet 'maturin>=1.7,<2'
# The profile of the other tests: what is tried is the package, and a release takes minutes.
(cd python && "$cache/build/bin/maturin" build --profile dev --out "$cache/wheels" --quiet 2>"$cache/log") || {
    cat "$cache/log"
    exit 1
}
python3 -m venv "$cache/fresh"
"$cache/fresh/bin/pip" install --quiet "$cache"/wheels/*.whl pytest pytest-xdist numpy
PATH="$cache/fresh/bin:$PATH" "$cache/fresh/bin/pytest" --quiet python/tests
