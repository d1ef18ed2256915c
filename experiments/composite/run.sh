#!/bin/sh
# Composes the relations of the study and those of two other subjects, and prints our figures beside the study's.
#   run.sh [--seeds 20] [--deep-seeds 2] [--fresh 1000000] [--jobs 1] [--parts "exhaustive searches annealing table4 layers others"]
#          [--subjects "wasi-libc libm gsl"] [--sources FOLDER]
# --subjects says whose rows are measured anew by the parts `exhaustive`, `table4` and `layers`; the others keep theirs. GSL is fetched by fetch.sh, unless
# FOLDER has it. Searches of four layers are made with --deep-seeds seeds, since each takes ten times as long as one of three.
# DODONA names the command (a release build); results go to results/, a table a kind of run; tables.md has the tables.
set -eu
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
seeds=20
deep=2
fresh=1000000
jobs=1
parts="exhaustive searches annealing table4 layers others"
chosen="wasi-libc libm gsl"
sources=
while [ $# -gt 0 ]; do
    case $1 in
        --seeds) seeds=$2 ;;
        --deep-seeds) deep=$2 ;;
        --fresh) fresh=$2 ;;
        --jobs) jobs=$2 ;;
        --parts) parts=$2 ;;
        --subjects) chosen=$2 ;;
        --sources) sources=$(realpath "$2") ;;
        *) sed -n 2,8p "$0" >&2; exit 2 ;;
    esac
    shift 2
done
results=results
# Those of Table 5 of the study, as they are called here (its AODU and ODL are AOD), and COD.
operators=AOR,AOIS,ASRS,CDL,COI,COD,AOD,LOI,LOR,ROR,VDL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$results"
cp -r subjects "$work/subjects"
subjects=$work/subjects
case " $chosen " in
    *" gsl "*)
        if [ -z "$sources" ]; then
            ./fetch.sh "$work/sources" > "$work/words" 2>&1 || { cat "$work/words" >&2; exit 1; }
            sources=$work/sources
        fi
        cp -r "$sources/gsl" "$subjects/gsl/gsl" ;;
esac

# Mutants are made of all the code of a subject that computes sine or cosine. GSL's is its own alone: of the C library it calls only ldexp.
callees() {
    case $1 in
        wasi-libc) echo "__sin,__cos,__rem_pio2" ;;
        gsl) echo source ;;
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
    "$dodona" mutate "$subjects/$1" --function "$2" --callees="$(callees "$1")" --operators "$operators" --jobs "$jobs" --seed 0 \
        --format csv > "$work/mutants.csv" 2> "$work/words"
    python3 reached.py < "$work/mutants.csv" > "$work/reached-$1-$2.txt"
}

# Leaves out what the tables of a run have of the subjects that are measured anew.
forget() {
    # shellcheck disable=SC2086
    python3 rows.py --forget "$results" "$1" $chosen
}

# All sequences of 2, 3 and 4 layers, many fresh inputs, all mutants.
exhaustive() {
    forget exhaustive
    for subject in $chosen; do
        for function in sin cos; do
            echo "exhaustive $subject $function" >&2
            reached "$subject" "$function"
            compose exhaustive "$subject" "$subjects/$subject" "function=$function" --function "$function" --layers 2,3,4 \
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
                    compose search wasi-libc "$subjects/wasi-libc" "function=$function search=$search" --function "$function" \
                        --layers "$layers" --search "$search" --repeats 100 --fresh 1000 --seed "$seed" --mutants 0
                done
            done
            seed=$((seed + 1))
        done
    done
}

# Simulated annealing with other temperatures, on subjects of which many sequences do not hold: repeats enough to find some of them, not all.
annealing() {
    rm -f "$results"/annealing.csv
    for subject in trig specification/expense; do
        while read -r search hottest coldest cooling inputs; do
            echo "annealing, $subject: $search $hottest $coldest $cooling, $inputs inputs" >&2
            seed=0
            while [ "$seed" -lt "$seeds" ]; do
                compose annealing "${subject##*/}" "../../subjects/$subject" \
                    "search=$search hottest=$hottest coldest=$coldest cooling=$cooling inputs=$inputs" --layers 3 --search "$search" --repeats 3 \
                    --hottest "$hottest" --coldest "$coldest" --cooling "$cooling" --inputs "$inputs" --fresh 1 --seed "$seed" --mutants 0 < /dev/null
                seed=$((seed + 1))
            done
        done <<END
annealing 200 0.005 0.95 100
annealing 20000 0.5 0.95 100
annealing 2000 0.05 0.95 100
annealing 20 0.0005 0.95 100
annealing 2 0.00005 0.95 100
annealing 200 0.005 0.9 100
annealing 200 0.005 0.99 100
annealing 200 0.005 0.95 1000
ga 200 0.005 0.95 100
END
    done
}

# The relations of Table 4: only the basic relations that a row names, in its order, and those of the other function.
table4() {
    forget table4
    for subject in $chosen; do
        tail -n +2 paper/table4.csv | while IFS=, read -r function name equation _; do
            reached "$subject" "$function" < /dev/null
            for sequence in $(printf '%s\n' "$name" "$equation" | uniq); do
                typical "$subject" "$function" "$name" "$sequence"
            done
        done
    done
}

# typical SUBJECT FUNCTION ROW SEQUENCE: the relation of one row.
typical() {
    echo "Table 4, $1 $2 $4" >&2
    # A composition needs two relations: where a row names one, another is added behind it.
    numbers=$(echo "${4}12" | fold -w 1 | awk -v least=2 -v own="${#4}" \
        '!seen[$1]++ && (NR <= own || count < least) { print; count++ }')
    options=$(for number in $numbers; do echo "--relation ${2}_mr$number"; done)
    other=$([ "$2" = sin ] && echo cos || echo sin)
    library=$(for number in 1 2 3 4 5 6 7 8; do echo "--relation ${other}_mr$number"; done)
    # shellcheck disable=SC2086
    compose table4 "$1" "$subjects/$1" "function=$2 row=$3 wanted=$4 basics=$(echo $numbers | tr -d ' ')" \
        $options $library --function "$2" --layers "${#4}" --search exhaustive --seed 0 \
        --mutants 100000 --operators "$operators" --callees="$(callees "$1")" < /dev/null
}

# Figure 5 beyond four layers, by the genetic algorithm. Every sequence holds, so that ten generations give hundreds.
layers() {
    forget layers
    for subject in $chosen; do
        for function in sin cos; do
            reached "$subject" "$function"
            for layers in 5 6; do
                echo "Figure 5, $subject $function, $layers layers" >&2
                compose layers "$subject" "$subjects/$subject" "function=$function" --function "$function" --layers "$layers" --repeats 1 \
                    --generations 10 --fresh 10000 --seed 0 --mutants 100000 --operators "$operators" --callees="$(callees "$subject")"
            done
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
