#!/usr/bin/env python3
"""Adds what one run of `dodona compose --format json` found to the tables of results/: rows.py RESULTS SUBJECT RUN FIELD=VALUE... < JSON

RUN says what is kept: `search` the figures of each number of layers, `all` also the relations, what they kill, the choice and the
front. Every row begins with the subject, the fields given, and the seed.
"""

import csv
import json
import sys
from pathlib import Path

COUNTS = ["sequences", "tried", "rarely_eligible", "rejected", "accepted", "returned", "trivial", "said_before"]
COUNTS += ["instances", "distinct", "refuted", "untested", "seconds"]


def append(path, rows):
    """Adds rows to a table; a new table gets a header."""
    if not rows:
        return
    is_new = not path.exists()
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


def sequence(relation):
    return "".join(str(number) for number in relation["sequence"])


def text(relation):
    return " ".join(relation["text"].split())


def layers(record):
    def row(layer):
        refused = sum(refused["sequences"] for refused in layer["refused"])
        return {"layers": layer["layers"], "by": layer["search"], "refused": refused} | {c: layer[c] for c in COUNTS}

    return [row(layer) for layer in record["layers"]]


def keep_reached(record, path):
    """Leaves out the mutants that no input reaches; how many there were."""
    total = len(record["mutants"])
    if path.exists():
        killed = {mutant for one in record["basics"] + record["relations"] for mutant in one["killed"]}
        reached = set(path.read_text().split()) | {name(mutant) for mutant in killed}
        record["mutants"] = [mutant for mutant in record["mutants"] if name(mutant) in reached]
    return total


def name(mutant):
    """Numbers of mutants are plain in one format and begin with an M in the other."""
    return f"M{mutant}" if isinstance(mutant, int) else mutant


def relations(record):
    total = len(record["mutants"])
    for basic in record["basics"]:
        yield {"relation": basic["name"], "layers": 1, "sequence": "", "sequences": 1, "runs": basic["runs"],
               "fitness": "", "held": "", "ineligible": "", "killed": len(basic["killed"]), "mutants": total,
               "text": text(basic)}
    for one in record["relations"]:
        yield {"relation": one["name"], "layers": len(one["sequence"]), "sequence": sequence(one)} | {
            key: one[key] for key in ["sequences", "runs", "fitness", "held", "ineligible"]
        } | {"killed": len(one["killed"]), "mutants": total, "text": text(one)}


def summary(record):
    runs = {one["name"]: one["runs"] for one in record["basics"] + record["relations"]}
    union = lambda ones: len({mutant for one in ones for mutant in one["killed"]})
    return {"basics": len(record["basics"]), "left_out": len(record["left_out"]), "composites": len(record["relations"]),
            "mutants": len(record["mutants"]), "killed_by_basics": union(record["basics"]),
            "killed_by_composites": union(record["relations"]),
            "killed_by_all": union(record["basics"] + record["relations"]), "given": record["given"]["relations"],
            "given_runs": record["given"]["runs"], "killed_by_given": len(record["given"]["killed"]),
            "killed_by_chosen": union([one for one in record["basics"] + record["relations"] if one["name"] in record["chosen"]]),
            "chosen": len(record["chosen"]),
            "is_smallest": record["is_smallest"], "basic_runs": sum(one["runs"] for one in record["basics"]),
            "chosen_runs": sum(runs[name] for name in record["chosen"]),
            "chosen_names": " ".join(record["chosen"])}


def main():
    results, subject, run = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    fields = dict(argument.split("=", 1) for argument in sys.argv[4:])
    record = json.load(sys.stdin)
    first = {"subject": subject} | fields | {"seed": record["seed"]}
    if run == "search":
        append(results / "search.csv", [first | row for row in layers(record)])
        return
    all_mutants = keep_reached(record, results / f"reached-{subject}-{fields['function']}.txt")
    append(results / f"{run}-layers.csv", [first | row for row in layers(record)])
    append(results / f"{run}-relations.csv", [first | row for row in relations(record)])
    append(results / f"{run}-summary.csv", [first | {"mutants_with_unreached": all_mutants} | summary(record)])
    append(results / f"{run}-front.csv", [first | point for point in record["front"]])
    refuted = [first | {"by": one["step"], "text": text(one), "input": one["counterexample"]} for one in record["refuted"]]
    append(results / f"{run}-refuted.csv", refuted)
    words = [first | {"kind": kind, "words": one} for kind in ["warnings", "contradictions"] for one in record[kind]]
    left_out = [first | {"kind": "left out", "words": f"{one['name']}: {one['why']}"} for one in record["left_out"]]
    append(results / f"{run}-notes.csv", words + left_out)


if __name__ == "__main__":
    main()
