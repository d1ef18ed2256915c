#!/usr/bin/env bash
# Makes book/page.png, the picture of the README, from a run of two subjects of which one has a relation that does not hold.
set -euo pipefail
cd "$(dirname "$0")/.."
dodona="${1:-${CARGO_TARGET_DIR:-$HOME/.cache/dodona/target}/release/dodona}"
browser="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/browser"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$PWD
cp -r subjects/triangle subjects/gcd "$work"
cd "$work"
"$dodona" run triangle gcd --time 40s >/dev/null 2>&1 || true
printf '\nrelation shifted: gcd(p, q) == gcd(p, q + 1)\n' >>gcd/gcd.mr
"$dodona" run triangle gcd --time 40s >/dev/null 2>&1 || true
"$dodona" report --html page.html
node "$root/tests/page/picture.mjs" "$browser" page.html "$root/book/page.png"
ls -l "$root/book/page.png"
