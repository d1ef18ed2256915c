"""Prints a row of shares.csv: what the relations of a discovery catch of the mutants that the search did not see.

  share.py SUBJECT RECORD
"""

import json
import sys

if len(sys.argv) != 3:
    sys.exit(__doc__)
subject, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    record = json.load(file)
revealed = set(record["held_out"]) & set(record["revealed"])
caught = len(record["held_out_caught"])
share = f"{caught / len(revealed):.3f}" if revealed else ""
print(subject, record["seed"], len(record["relations"]), len(record["held_out"]), len(revealed), caught, share, sep=",")
