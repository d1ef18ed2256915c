#!/usr/bin/env bash
# The main job on the subjects that ship: one run of everything, and then step by step: relations that hold, the same relations on a faulty variant, a relation that is
# discovered, one that is proved, and a mutation score. `…` stands for lines that are left out; the commands print them.
set -euo pipefail
cd "$(dirname "$0")/.."
dodona=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

typed() { # typed ARGUMENT... : a command as it would be typed
    local word line="dodona"
    for word in "$@"; do
        case $word in *" "*) line+=" '$word'" ;; *) line+=" $word" ;; esac
    done
    printf '\n$ %s\n' "$line"
}

run=(run subjects/gcd subjects/triangle subjects/trig)
typed "${run[@]}"
"$dodona" "${run[@]}" --session "$folder/session"
echo
echo "What has not changed is not done again:"
typed run subjects/gcd subjects/triangle subjects/trig
TIMEFORMAT='all of it as it was, in %R s'; time "$dodona" "${run[@]}" --session "$folder/session" >"$folder/again"

subjects=(gcd triangle tcas sorting trig tokens mymethod genmorph)
typed check "${subjects[@]/#/subjects/}"
for subject in "${subjects[@]}"; do
    "$dodona" check "subjects/$subject" >"$folder/check"
    printf '%-9s %s\n' "$subject" "$(tail -n 1 "$folder/check")"
done

echo
echo "The same relations on a variant with a seeded fault: the first that is violated, with the smallest input found."
typed check --keep nothing subjects/gcd/faulty
"$dodona" check --keep nothing subjects/gcd/faulty >"$folder/faulty" && { echo "the fault was not caught" >&2; exit 1; }
[ $? -eq 1 ]
awk '/^  [A-Za-z]/ && shown { exit } /^  VIOLATED/ { shown = 1 } shown' "$folder/faulty"
echo "  …"
tail -n 1 "$folder/faulty"

echo
echo "A relation that nobody wrote, with what it is worth:"
discover=(discover subjects/genmorph gcd --transformation 'PermuteParameters(p, q)' --mutants 60 --relations 1)
typed "${discover[@]}"
"$dodona" "${discover[@]}" --output "$folder/found.mr" >"$folder/discover"
awk '/^  relation [a-z_]*:/ { shown = 1 } /^  relation  / { exit } shown' "$folder/discover"
grep -E 'catch' "$folder/discover" | tail -n 1

echo
echo "A relation proved on every path, for all 32-bit numbers:"
typed prove subjects/triangle swap_first
"$dodona" prove subjects/triangle swap_first

echo
echo "All small faults that could be seeded into a function, and how many of them its relations reveal:"
typed mutate subjects/triangle
"$dodona" mutate subjects/triangle | tail -n 1
