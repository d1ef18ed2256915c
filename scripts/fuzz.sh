#!/usr/bin/env bash
# Fuzzes every target for so many seconds each (default 600) and keeps the smallest corpus with the same coverage.
# Needs the nightly toolchain and `cargo install cargo-fuzz`.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
for target in relations module manifest matrix replies; do
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=4096 -timeout=10
    cargo +nightly fuzz cmin "$target"
done
