#!/usr/bin/env bash
# The main job on the subjects that ship: relations -> verdicts, the same relations on a faulty variant, an input for each
# path, a relation proved, and how many seeded faults the relations reveal.
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
echo
echo "An input for each path of a function, with the constraint that leads there:"
show generate subjects/mymethod
echo
echo "A relation that holds on every path, for all 32-bit numbers:"
show prove subjects/triangle swap_first
echo
echo "All small faults that could be seeded into a function, and which of them its relations reveal (cut at …):"
# Of the long report: one mutant alive of some operators, the tables, and the score.
cut_report() {
    awk '/^  M[0-9]/ { operator = $3 ~ /^\(/ ? $4 : $3; if (!seen[operator]++ && shown++ < 6) print; next }
         shown && !cut++ { print "  …" }
         /^  (killed|equivalent|duplicate|skipped|executed|accepted)/ || /^    / { next }
         /^mutation score/ { last = $0; next }
         { print }
         END { print last }' | sed -E 's/ {3,}(an input|reached|infected|never)/  \1/' | cat -s
}
show mutate subjects/triangle | cut_report
