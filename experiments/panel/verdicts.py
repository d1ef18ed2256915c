"""What two readers said of the relations that were listed for a panel: verdicts.py FOLDER...

FOLDER has A.csv and B.csv with a row for each relation (id, verdict, why), and A_laws.csv and B_laws.csv with a row for each law that the reader expected
(subject, law, found).
"""
import collections
import csv
import pathlib
import sys


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


for folder in map(pathlib.Path, sys.argv[1:]):
    readers = {name: {row["id"]: row["verdict"] for row in rows(folder / f"{name}.csv")} for name in "AB"}
    for name, verdicts in readers.items():
        counts = collections.Counter(verdicts.values())
        laws = collections.Counter(row["found"] for row in rows(folder / f"{name}_laws.csv"))
        share = counts["yes"] / max(1, len(verdicts))
        print(f"{folder.name} {name}: {dict(counts)} of {len(verdicts)}, commits {share:.0%}; laws {dict(laws)}")
    alike = sum(readers["A"].get(key) == verdict for key, verdict in readers["B"].items())
    both = sum(readers["A"].get(key) == verdict == "yes" for key, verdict in readers["B"].items())
    print(f"{folder.name}: the readers agree on {alike} of {len(readers['B'])}; both commit {both}")
