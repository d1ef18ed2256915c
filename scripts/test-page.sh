#!/usr/bin/env bash
# Opens the pages of `dodona report` in Chromium, at three widths, light and dark, without a network, and clicks through them. Where Chromium, Node or the packages are missing it says so
# and passes; `scripts/setup.sh browser` installs them. Screenshots are left in the folder that DODONA_SCREENSHOTS names. With the argument `picture` it makes book/page.png, the picture of
# the README, and nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
browser="${XDG_CACHE_HOME:-$HOME/.cache}/dodona/browser"
for needed in "${CHROMIUM:-/usr/bin/chromium}" "$browser/node_modules/playwright-core" "$browser/node_modules/axe-core" "$browser/node_modules/mutation-testing-elements"; do
    if [ ! -e "$needed" ] || ! command -v node >/dev/null; then
        echo "skipped: pages in a browser: Chromium, Node, playwright-core or axe-core is missing (scripts/setup.sh browser)"
        exit 0
    fi
done
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$HOME/.cache/dodona/target}"
dodona="$CARGO_TARGET_DIR/debug/dodona" large="$CARGO_TARGET_DIR/debug/examples/large"
# As the tests build them: a package alone has other features, and compiles WebAssembly's engine anew.
if [ ! -e "$dodona" ] || [ ! -e "$large" ]; then cargo test --workspace --locked --no-run --quiet; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$PWD
cp -r subjects/triangle subjects/gcd "$work"
cd "$work"
# Twice, so that there is something before; then one of the relations is violated.
"$dodona" run triangle gcd --time 40s >/dev/null 2>&1 || true
printf '\nrelation shifted: gcd(p, q) == gcd(p, q + 1)\n' >>gcd/gcd.mr
"$dodona" run triangle gcd --time 40s >/dev/null 2>&1 || true
# Beside the run what other commands found.
"$dodona" mutate triangle --matrix kills.matrix >/dev/null
"$dodona" hierarchy triangle --format json >hierarchy.json
"$dodona" compare triangle --repeats 3 --format json >compare.json
"$dodona" select triangle --adequacy 0.5 --format json >select.json
"$dodona" report --html runs.html --with hierarchy.json --with kills.matrix --with compare.json --with select.json
shots="${DODONA_SCREENSHOTS:-$work/screenshots}"
if [ "${1:-}" = picture ]; then
    PICTURE="$root/book/page.png" node "$root/tests/page/check.mjs" "$browser" "$shots" runs.html
    exit 0
fi
"$large" large.html
"$dodona" mutate triangle --elements elements.json >/dev/null
node "$root/tests/page/elements.mjs" "$browser" "$shots" elements.json
node "$root/tests/page/check.mjs" "$browser" "$shots" runs.html large.html
