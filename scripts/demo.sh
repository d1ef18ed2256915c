#!/usr/bin/env bash
# The main job on the subjects that ship: relations -> verdicts, then the same relations on a faulty variant.
set -euo pipefail
cd "$(dirname "$0")/.."
dodona=$1
show() { # show ARGUMENT... : prints the command as it would be typed, and runs it
    local word line="dodona"
    for word in "$@"; do
        case $word in *" "*) line+=" '$word'" ;; *) line+=" $word" ;; esac
    done
    printf '\n$ %s\n' "$line"
    "$dodona" "$@"
}
show check subjects/gcd subjects/triangle subjects/tcas subjects/sorting subjects/trig subjects/tokens subjects/genmorph
show call subjects/gcd 'gcd(12, 18)'
echo
echo "The same relations on a variant with a seeded fault:"
show check --keep nothing subjects/gcd/faulty && { echo "the fault was not caught" >&2; exit 1; }
[ $? -eq 1 ]
