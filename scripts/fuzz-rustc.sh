#!/usr/bin/env bash
# The compiler as cargo calls it in a fuzzing build. Only Dodona's own crates count coverage: the fuzzer is to look for new ways
# through them, and the WebAssembly engine's compiler would be a quarter as fast.
set -euo pipefail
[[ " $* " == *" --crate-name dodona"* || " $* " == *" fuzz_targets/"* ]] && exec "$@"
plain=()
for word in "$@"; do
    case $word in
        -Cpasses=sancov* | -Cllvm-args=-sanitizer-coverage* | -Cdebug-assertions) ;;
        *) plain+=("$word") ;;
    esac
done
exec "${plain[@]}"
