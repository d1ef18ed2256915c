#!/bin/sh
# Composes the relations of the study and those of two other subjects, and prints our figures beside the study's.
#   run.sh [--seeds 20] [--deep-seeds 2] [--fresh 1000000] [--jobs 1] [--parts "exhaustive searches table4 layers others"]
# Searches of four layers are made with --deep-seeds seeds, since each takes ten times as long as one of three.
# DODONA names the command (a release build); results go to results/, a table a kind of run, written anew; tables.md has the tables.
set -eu
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
seeds=20
deep=2
fresh=1000000
jobs=1
parts="exhaustive searches table4 layers others"
while [ $# -gt 0 ]; do
    case $1 in
        --seeds) seeds=$2 ;;
        --deep-seeds) deep=$2 ;;
        --fresh) fresh=$2 ;;
        --jobs) jobs=$2 ;;
        --parts) parts=$2 ;;
        *) sed -n 2,5p "$0" >&2; exit 2 ;;
    esac
    shift 2
done
results=results
# Those of Table 5 of the study, as they are called here; its AODU and ODL are AOD and COD.
operators=AOR,AOIS,ASRS,CDL,COI,COD,AOD,LOI,LOR,ROR,VDL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$results"

# Mutants are made of all the code of a subject that computes sine or cosine.
callees() {
    case $1 in
        wasi-libc) echo "__sin,__cos,__rem_pio2" ;;
        *) echo all ;;
    esac
}

# compose RUN SUBJECT FOLDER "FIELD=VALUE..." OPTION...: one run, its figures added to the tables of RUN.
compose() {
    run=$1
    subject=$2
    folder=$3
    fields=$4
    shift 4
    # 3 says that no composite relation was found, which is a result.
    "$dodona" compose "$folder" --jobs "$jobs" --format json --output "$work/composed.mr" --overwrite "$@" \
        > "$work/record.json" 2> "$work/words" || [ $? -eq 3 ] || { cat "$work/words" >&2; return 1; }
    # shellcheck disable=SC2086
    python3 rows.py "$results" "$work" "$subject" "$run" $fields < "$work/record.json"
}

# The mutants that inputs reach: code for huge angles is never run here, and no relation could tell its mutants.
reached() {
    [ ! -e "$work/reached-$1-$2.txt" ] || return 0
    "$dodona" mutate "subjects/$1" --function "$2" --callees="$(callees "$1")" --operators "$operators" --jobs "$jobs" --seed 0 \
        --format csv > "$work/mutants.csv" 2> "$work/words"
    python3 reached.py < "$work/mutants.csv" > "$work/reached-$1-$2.txt"
}

# All sequences of 2, 3 and 4 layers, many fresh inputs, all mutants.
exhaustive() {
    rm -f "$results"/exhaustive-*.csv
    for subject in wasi-libc libm; do
        for function in sin cos; do
            echo "exhaustive $subject $function" >&2
            reached "$subject" "$function"
            compose exhaustive "$subject" "subjects/$subject" "function=$function" --function "$function" --layers 2,3,4 \
                --search exhaustive --fresh "$fresh" --seed 0 --mutants 100000 --operators "$operators" --callees="$(callees "$subject")"
        done
    done
}

# The searches alone: how many sequences each finds in 100 repeats, for each seed.
searches() {
    rm -f "$results"/search.csv
    for layers in 2 3 4; do
        seed=0
        count=$([ "$layers" = 4 ] && echo "$deep" || echo "$seeds")
        while [ "$seed" -lt "$count" ]; do
            echo "$layers layers, seed $seed" >&2
            for function in sin cos; do
                for search in exhaustive ga annealing; do
                    # All sequences are the same ones for every seed: a few seeds show how the time differs.
                    [ "$search" = exhaustive ] && [ "$seed" -ge 5 ] && continue
                    compose search wasi-libc subjects/wasi-libc "function=$function search=$search" --function "$function" \
                        --layers "$layers" --search "$search" --repeats 100 --fresh 1000 --seed "$seed" --mutants 0
                done
            done
            seed=$((seed + 1))
        done
    done
}

# The relations of Table 4: only the basic relations that a row names, in its order, and those of the other function.
table4() {
    rm -f "$results"/table4-*.csv
    tail -n +2 paper/table4.csv | while IFS=, read -r function name equation _; do
        reached wasi-libc "$function" < /dev/null
        for sequence in $(printf '%s\n' "$name" "$equation" | uniq); do
            echo "Table 4, $function $sequence" >&2
            # A composition needs two relations: where a row names one, another is added behind it.
            numbers=$(echo "${sequence}12" | fold -w 1 | awk -v least=2 -v own="${#sequence}" \
                '!seen[$1]++ && (NR <= own || count < least) { print; count++ }')
            options=$(for number in $numbers; do echo "--relation ${function}_mr$number"; done)
            other=$([ "$function" = sin ] && echo cos || echo sin)
            library=$(for number in 1 2 3 4 5 6 7 8; do echo "--relation ${other}_mr$number"; done)
            # shellcheck disable=SC2086
            compose table4 wasi-libc subjects/wasi-libc "function=$function row=$name wanted=$sequence basics=$(echo $numbers | tr -d ' ')" \
                $options $library --function "$function" --layers "${#sequence}" --search exhaustive --seed 0 \
                --mutants 100000 --operators "$operators" --callees="$(callees wasi-libc)" < /dev/null
        done
    done
}

# Figure 5 beyond four layers, by the genetic algorithm. Every sequence holds, so that ten generations give hundreds.
layers() {
    rm -f "$results"/layers-*.csv
    for function in sin cos; do
        reached wasi-libc "$function"
        for layers in 5 6; do
            echo "Figure 5, $function, $layers layers" >&2
            compose layers wasi-libc subjects/wasi-libc "function=$function" --function "$function" --layers "$layers" --repeats 1 --generations 10 --fresh 10000 \
                --seed 0 --mutants 100000 --operators "$operators" --callees="$(callees wasi-libc)"
        done
    done
}

# Relations of sequences and of integers.
others() {
    rm -f "$results"/others-*.csv
    for name in sorting gcd; do
        echo "$name" >&2
        compose others "$name" "../../subjects/$name" "function=all" --layers 2,3 --search auto --seed 0 --mutants 100000 --operators "$operators"
    done
}

for part in $parts; do
    "$part"
done
python3 tables.py "$results"
