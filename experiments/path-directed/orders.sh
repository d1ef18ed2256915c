#!/bin/sh
# The inputs of path in other orders: results/orders.csv, the mean APFD over ten suites on the selective operators.
# DODONA names the command.
set -eu
cd "$(dirname "$0")"
dodona=${DODONA:-dodona}
echo "function,by,apfd,sd" > results/orders.csv
grep -v -e '^program' -e '^NUMBER' programs.csv | while IFS=, read -r program subject functions inputs options; do
    for function in $functions; do
        for by in path total additional-branch adaptive random; do
            "$dodona" compare "../../subjects/$subject" "$function" --techniques path --by "$by" --repeats 10 \
                --count "$inputs" --operators selective < /dev/null |
                awk -v of="$program.$function,$by" '$1 == "path" && $2 !~ /^[0-9]/ { print of "," $4 "," $5 }' >> results/orders.csv
        done
    done
done
