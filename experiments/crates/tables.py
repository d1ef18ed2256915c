"""The table of the crates, from results/crates.csv."""

import csv

rows = list(csv.DictReader(open("results/crates.csv")))
unaided = [row for row in rows if row["exit"] == "0"]
print(f"{len(unaided)} of {len(rows)} crates are under test without anything written by hand.\n")
print("| crate | version | functions | left out | guessed relations that hold | seconds | |")
print("| --- | --- | --- | --- | --- | --- | --- |")
for row in rows:
    why = ""
    if row["exit"] != "0":
        lines = [line for line in open(f"results/{row['crate']}.txt") if line.strip()]
        why = lines[0].strip() if lines else f"exit code {row['exit']}"
    print(f"| {row['crate']} | {row['version']} | {row['callable']} | {row['left']} | {row['relations']} | {row['seconds']} | {why} |")
