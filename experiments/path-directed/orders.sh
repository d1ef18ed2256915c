#!/bin/sh
# The inputs of path in other orders: results/orders.csv, the mean APFD over so many suites (orders.sh [REPEATS], 10 by default) on the selective
# operators. DODONA names the command.
set -eu
cd "$(dirname "$0")"
dodona=${DODONA:-dodona}
orders=$(for by in total additional-branch adaptive random edit hamming common-subsequence; do printf ',path:%s' "$by"; done)
echo "function,by,apfd,sd" > results/orders.csv
grep -v -e '^program' -e '^NUMBER' programs.csv | while IFS=, read -r program subject functions inputs options; do
    for function in $functions; do
        "$dodona" compare "../../subjects/$subject" "$function" --callees=none --techniques "path$orders" --repeats "${1:-10}" \
            --count "$inputs" --operators selective < /dev/null |
            awk -v of="$program.$function" '$1 ~ /^path/ && $2 !~ /^[0-9]/ && NF > 6 { print of "," $2 "," $4 "," $5 }' >> results/orders.csv
    done
done
