#!/bin/sh
# Repeats the study of mutant hierarchies on its nine programs, and prints our figures beside the study's.
#   run.sh [--inputs 10000] [--tcas-inputs 100000] [--repeats 5] [--jobs 1] [--parts "study fewer faults sound speed"] [--subjects "NAME..."]
# With --subjects, names of folders in subjects/, the parts sound and speed measure these and leave the rows of all others as they are.
# DODONA names the command (a release build); results go to results/, over what is there, a file a subject or a table; tables.md has the tables.
set -eu
dodona=$(realpath "$(command -v "${DODONA:-dodona}")")
cd "$(dirname "$0")"
inputs=10000
tcas=100000
repeats=5
jobs=1
parts="study fewer faults sound speed"
subjects_wanted=
while [ $# -gt 0 ]; do
    case $1 in
        --inputs) inputs=$2 ;;
        --tcas-inputs) tcas=$2 ;;
        --repeats) repeats=$2 ;;
        --jobs) jobs=$2 ;;
        --parts) parts=$2 ;;
        --subjects) subjects_wanted=$2 ;;
        *) sed -n 2,5p "$0" >&2; exit 2 ;;
    esac
    shift 2
done
subjects=../../subjects
results=results
nine="hierarchy/compare_str hierarchy/find gcd hierarchy/iroot hierarchy/min hierarchy/prime hierarchy/selection triangle tcas"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$results/classes"

# The nine programs. What the classes lose is seen from two matrices that were made without pruning and without any of the facts that classes are
# made of: all inputs, and the inputs of the classes alone.
study() {
    for subject in $nine; do
        name=$(basename "$subject")
        count=$([ "$name" = tcas ] && echo "$tcas" || echo "$inputs")
        echo "study $name, $count inputs" >&2
        begin=$(date +%s.%N)
        "$dodona" hierarchy "$subjects/$subject" --callees=none --inputs "$count" --query-time 2 --jobs "$jobs" --format json > "$work/$name.json"
        seconds=$(echo "$(date +%s.%N) $begin" | awk '{ printf "%.1f", $1 - $2 }')
        python3 digest.py inputs "$work/$name.json" > "$results/classes/$name.jsonl"
        mutate="mutate $subjects/$subject --callees=none --against inputs --pruning off --jobs $jobs"
        # shellcheck disable=SC2086
        "$dodona" $mutate --inputs "$count" --matrix "$work/$name.kills" > "$work/words"
        # shellcheck disable=SC2086
        "$dodona" $mutate --from "$results/classes/$name.jsonl" --matrix "$work/few.kills" > "$work/words"
        python3 digest.py study "$work/$name.json" "$work/$name.kills" "$work/few.kills" "$seconds" "$subjects/$subject/$name.c" \
            > "$results/$name.json"
    done
    echo "strong operators" >&2
    # shellcheck disable=SC2046
    python3 strong.py "$work" $(for subject in $nine; do basename "$subject"; done) > "$results/strong.json"
}

# The seconds of processor time that a command takes, its solver included.
#   seconds COMMAND ARGUMENT...
seconds() {
    python3 -c 'import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, _, usage = os.wait4(child.pid, 0)
print(f"{usage.ru_utime:.2f}")' "$@"
}

# What it costs to make and run all mutants, those of the strong operators alone, and to ask the code which are the strongest: the second but one
# column is everything but the runs, the last one the same without the questions. What is lost is in the results of `study`.
fewer() {
    echo program,inputs,all,operators,code_and_one_input,one_input > "$results/fewer.csv"
    for subject in $nine; do
        name=$(basename "$subject")
        count=$([ "$name" = tcas ] && echo "$tcas" || echo "$inputs")
        echo "fewer $name" >&2
        mutate="$dodona mutate $subjects/$subject --callees=none --against inputs --jobs $jobs"
        # shellcheck disable=SC2086
        echo "$name,$count,$(seconds $mutate --inputs "$count"),$(seconds $mutate --inputs "$count" --operators strong),$(
            seconds "$dodona" hierarchy "$subjects/$subject" --callees=none --inputs 1 --query-time 2 --jobs "$jobs"),$(seconds $mutate --inputs 1)" >> "$results/fewer.csv"
    done
}

# Known faults: whether the inputs of the classes, which `study` left, reveal them.
faults() {
    rm -f "$results/faults.csv"
    for name in compare_str find gcd prime selection triangle tcas; do
        echo "faults $name" >&2
        subject=$(echo "$nine" | tr ' ' '\n' | grep -E "(^|/)$name$")
        python3 faults.py "$dodona" "$inputs" "$results/classes/$name.jsonl" "$name" "$subjects/$subject" > "$work/faults.csv"
        [ -e "$results/faults.csv" ] || head -n 1 "$work/faults.csv" > "$results/faults.csv"
        tail -n +2 "$work/faults.csv" >> "$results/faults.csv"
    done
}

# The folders of the subjects that are wanted, or of all that ship.
folders() {
    if [ -n "$subjects_wanted" ]; then
        for name in $subjects_wanted; do echo "$subjects/$name"; done
    else
        find "$subjects" -name dodona.toml | sort | xargs -n 1 dirname
    fi
}

# The new rows of a table, and of the old ones those of subjects that have no new one, in the order of names.
#   rows TABLE NEW
rows() {
    head -n 1 "$2" > "$work/merged.csv"
    { tail -n +2 "$2"; [ -z "$subjects_wanted" ] || tail -n +2 "$1"; } | awk -F, '!seen[$1]++' | sort -t, -k1,1 >> "$work/merged.csv"
    mv "$work/merged.csv" "$1"
}

# Every subject that ships: whether a run contradicts what the code says of two mutants. 5 is the exit code of a contradiction.
sound() {
    echo subject,mutants,inputs,equivalent,same,stronger,checked,disjoint,disjoint_unknown,alternatives,questions,unknown,unsupported,stop,contradictions > "$work/sound.csv"
    folders | while read -r folder; do
        name=${folder#"$subjects"/}
        echo "sound $name" >&2
        "$dodona" hierarchy "$folder" --callees=none --inputs "$inputs" --query-time 2 --jobs "$jobs" --format json > "$work/record.json" 2> "$work/words" \
            < /dev/null || [ $? -eq 5 ] || { echo "$name is left out: $(head -n 1 "$work/words")" >&2; continue; }
        python3 digest.py sound "$name" "$work/record.json" >> "$work/sound.csv"
    done
    rows "$results/sound.csv" "$work/sound.csv"
}

# mutate against mutate --hierarchy on every subject of more than 200 mutants.
speed() {
    echo speed >&2
    # shellcheck disable=SC2046
    python3 speed.py "$dodona" "$repeats" 200 $(folders | grep -v /faulty) > "$work/speed.csv"
    rows "$results/speed.csv" "$work/speed.csv"
}

for part in $parts; do
    "$part"
done
python3 tables.py "$results" > tables.md
cat tables.md
