#!/usr/bin/env python3
"""Adds what one run of `dodona compose --format json` found to the tables of results/: rows.py RESULTS WORK SUBJECT RUN FIELD=VALUE... < JSON

RUN says what is kept (TABLES): the figures of each number of layers, the basic relations, the scores of relations by layers, the relation that a row of
Table 4 asks for, the choice and the front; `rows.py --forget RESULTS RUN SUBJECT...` leaves out what the tables of a run have of these subjects. Every row begins with the subject, the fields given, and the seed. WORK/reached-SUBJECT-FUNCTION.txt has the
mutants that count.
"""

import csv
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from common import rows  # noqa: E402, found beside the experiments

COUNTS = ["sequences", "tried", "rarely_eligible", "rejected", "accepted", "returned", "trivial", "said_before"]
COUNTS += ["instances", "distinct", "refuted", "untested", "seconds"]

TABLES = {
    "search": [], "annealing": [], "exhaustive": ["layers", "basics", "scores", "summary", "front"], "others": ["layers", "summary", "front"],
    "table4": ["typical"], "layers": ["scores"],
}


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
    """Basic relations, which have no sequence, and composite ones."""
    for one in record["basics"] + record["relations"]:
        yield {"relation": one["name"], "sequence": sequence(one) if "sequence" in one else "", "killed": len(one["killed"]),
               "mutants": len(record["mutants"]), "text": text(one)}


def basics(found):
    return [{key: row[key] for key in ("relation", "killed", "mutants")} for row in found if not row["sequence"]]


def scores(found):
    """Of each number of layers how many relations there are, how many mutants they kill, summed up, and the best of them."""
    by_layers = {}
    for row in found:
        by_layers.setdefault(len(row["sequence"]) or 1, []).append(int(row["killed"]))
    return [{"layers": layers, "relations": len(killed), "killed": sum(killed), "most": max(killed), "mutants": found[0]["mutants"]}
            for layers, killed in sorted(by_layers.items())]


def change(numbers):
    """The follow-up input of a sequence: x is multiplied by the first number, and the second is added, in quarters of 2 pi."""
    factor, added = 1, 0
    shifts = {"2": 1, "3": -1, "4": 2, "5": -2, "6": 4, "7": -4}
    for number in numbers:
        if number in shifts:
            added += shifts[number]
        else:
            times = -1 if number == "1" else 2
            factor, added = factor * times, added * times
    return factor, added


def typical(found, wanted, basics):
    """The relation that a row of Table 4 asks for, or the one that says the same and is shorter or of an earlier sequence."""
    # A restricted run numbers its basic relations anew.
    own = [row | {"numbers": "".join(basics[int(number) - 1] for number in row["sequence"])} for row in found if row["sequence"]]
    same = [row for row in own if row["numbers"] == wanted] or [row for row in own if change(row["numbers"]) == change(wanted)]
    keys = ["numbers", "killed", "mutants", "text"]
    return [{key: same[0][key] if same else "" for key in keys}]


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


def forget(results, run, subjects):
    for path in results.glob(f"{run}-*.csv"):
        kept = [row for row in rows(path) if row["subject"] not in subjects]
        path.unlink()
        append(path, kept)


def main():
    if sys.argv[1:2] == ["--forget"]:
        forget(Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
        return
    results, work, subject, run = Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:5]
    fields = dict(argument.split("=", 1) for argument in sys.argv[5:])
    record = json.load(sys.stdin)
    first = {"subject": subject} | fields | {"seed": record["seed"]}
    if run in ("search", "annealing"):
        append(results / f"{run}.csv", [first | row for row in layers(record)])
        return
    all_mutants = keep_reached(record, work / f"reached-{subject}-{fields['function']}.txt")
    found = list(relations(record))
    kept = {
        "layers": lambda: layers(record), "basics": lambda: basics(found), "scores": lambda: scores(found), "front": lambda: record["front"],
        "typical": lambda: typical(found, fields["wanted"], fields["basics"]),
        "summary": lambda: [{"mutants_with_unreached": all_mutants} | summary(record)],
    }
    for table in TABLES[run]:
        append(results / f"{run}-{table}.csv", [first | row for row in kept[table]()])
    refuted = [first | {"by": one["step"], "text": text(one), "input": one["counterexample"]} for one in record["refuted"]]
    append(results / f"{run}-refuted.csv", refuted)
    words = [first | {"kind": kind, "words": one} for kind in ["warnings", "contradictions"] for one in record[kind]]
    left_out = [first | {"kind": "left out", "words": f"{one['name']}: {one['why']}"} for one in record["left_out"]]
    append(results / f"{run}-notes.csv", words + left_out)


if __name__ == "__main__":
    main()
