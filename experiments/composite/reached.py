#!/usr/bin/env python3
"""Prints the numbers of the mutants that inputs reach, of what `dodona mutate --format csv` writes: reached.py < CSV"""

import csv
import sys

for row in csv.DictReader(sys.stdin):
    if row["reached"] not in ("", "0"):
        print(row["mutant"])
