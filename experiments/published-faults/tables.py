"""Writes the table of README.md, below its last heading, from faults.csv, results.csv and the laws beside the manifests."""

import csv
import re
from collections import Counter

HOW = {
    "1000": "1,000 inputs",
    "100000": "100,000 inputs",
    "paths": "paths only",
    "checks": "a build with checks only",
    "no": "not found",
}


def laws(fault):
    """The relations of a fault by name, each on one line."""
    text = re.sub(r"(?m)^#.*\n", "", open(f"faults/{fault}/relations.mr").read())
    parts = re.split(r"(?m)^relation ", text)[1:]
    return {re.match(r"\w+", part).group(): " ".join(part.split()) for part in parts}


def law_of(row, result):
    """The law that found the fault, else the first one, as the table shows it."""
    known = laws(row["fault"])
    violated = result["laws"].split()
    shown = violated[0] if violated else next(iter(known))
    marks = " (second law)" if shown == row["second_law"] else ""
    return f"`{known[shown].replace('|', chr(92) + '|')}`{marks}"


def main():
    rows = list(csv.DictReader(open("faults.csv")))
    results = {row["fault"]: row for row in csv.DictReader(open("results.csv"))}
    rows = [row for row in rows if row["fault"] in results]
    counts, by_second = Counter(), 0
    lines = ["| fault | versions | the source says | law, and where it is from | found by | |", "| --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        result = results[row["fault"]]
        counts[result["found"]] += 1
        by_second += result["found"] != "no" and result["laws"].split() == [row["second_law"]]
        call = "" if "call = " in open(f"faults/{row['fault']}/dodona.toml").read() else " ¹"
        lines.append(
            f"| [{row['fault']}](faults/{row['fault']}){call} | {row['crate']} {row['version']}, {row['fixed']} | {row['source']} "
            f"| {law_of(row, result)}: {row['law_from']} | {HOW[result['found']]} | {row['note']} |"
        )
    found = len(rows) - counts["no"]
    summary = f"**{found} of {len(rows)} faults are found**: " + ", ".join(f"{counts[how]} by {HOW[how]}" for how in HOW if how != "no")
    summary += f"; {counts['no']} are not. {by_second} of the {found} are found by a second law alone."
    holding = sum(results[row["fault"]]["fixed"] == "0" for row in rows)
    summary += f" {holding} of the {len(rows)} fixed versions hold for 100,000 inputs; for the others the last column says why."
    page = open("README.md").read().split("\n## The faults\n")[0]
    after = "¹ without `call`: the path of the function is enough."
    open("README.md", "w").write(page + "\n## The faults\n" + summary + "\n\n" + "\n".join(lines) + "\n\n" + after + "\n")


main()
