"""Prints the tables of the experiment from results/, and draws its figures there.

tables.py > tables.md
"""

import csv
import sys
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import draw  # noqa: E402, found beside the experiments

HERE = Path(__file__).parent
RESULTS = HERE / "results"
CRITERIA = ["statement", "branch", "i-choice", "i-choice-pair", "io-ctf"]
KS = ["1", "2", "3", "4", "all"]
LEVELS = [str(level) for level in range(1, 11)]


def rows(kind):
    """The rows of a kind of all subjects, by subject."""
    found = {}
    for path in sorted(RESULTS.glob(f"*-{kind}.csv")):
        with open(path, newline="") as file:
            lines = list(csv.DictReader(file))
        if lines:
            found[lines[0]["subject"]] = lines
    return found


def table(title, head, body):
    print(f"## {title}\n")
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for line in body:
        print("| " + " | ".join(str(cell) for cell in line) + " |")
    print()


def values(lines, column, **wanted):
    return [float(line[column]) for line in lines if all(line[key] == value for key, value in wanted.items())]


def middle(lines, column, form="{:.3f}", **wanted):
    found = values(lines, column, **wanted)
    return form.format(median(found)) if found else "-"


def by_k(column, title, form="{:.3f}"):
    body = []
    for subject, lines in rows("k").items():
        for criterion in CRITERIA:
            body.append([subject, criterion] + [middle(lines, column, form, criterion=criterion, k=k) for k in KS])
    table(title, ["", "criterion"] + [f"k = {k}" if k != "all" else "all relations" for k in KS], body)


def by_level(column, title, form="{:.3f}"):
    body = []
    for subject, lines in rows("level").items():
        for criterion in CRITERIA:
            body.append([subject, criterion] + [middle(lines, column, form, criterion=criterion, level=level) for level in LEVELS])
    table(title, ["", "criterion"] + [f"≤ {int(level) / 10:.1f}" for level in LEVELS], body)


def rises():
    """How often the median rises from one k, or from one level, to the next, and by how much."""
    body = []
    for kind, key, steps in [("k", "k", KS), ("level", "level", LEVELS)]:
        for before, after in zip(steps, steps[1:]):
            gains = []
            for lines in rows(kind).values():
                for criterion in CRITERIA:
                    pair = [values(lines, "fde", criterion=criterion, **{key: step}) for step in (before, after)]
                    if all(pair):
                        gains.append(median(pair[1]) - median(pair[0]))
            if gains:
                up, same = sum(g > 0 for g in gains), sum(g == 0 for g in gains)
                body.append([f"{key} {before} to {after}", len(gains), up, same, len(gains) - up - same, f"{mean(gains):+.3f}", f"{min(gains):+.3f}"])
    head = ["", "subjects and criteria", "median rises", "the same", "falls", "mean gain", "least"]
    table("Does the share of revealed faults rise?", head, body)


def figures():
    for subject, lines in rows("k").items():
        for column in ("fde", "dominators"):
            series = {f"k = {k}": [values(lines, column, criterion=c, k=k) for c in CRITERIA] for k in KS}
            what = "mutants" if column == "fde" else "dominators"
            path = RESULTS / f"{subject}-k-{column}.svg"
            draw.boxes(path, f"{subject}: share of the {what} that suites reveal, by k", CRITERIA, series, 1.0, 0.2)
    for subject, lines in rows("level").items():
        for column, words in (("fde", "share of the mutants that suites reveal"), ("groups", "groups of a suite")):
            series = {level: [values(lines, column, criterion=c, level=level) for c in CRITERIA] for level in LEVELS}
            highest = max(value for each in series.values() for of in each for value in of)
            top, step = (1.0, 0.2) if column == "fde" else (10 * (int(highest / 10) + 1), 2 * (int(highest / 10) + 1))
            form = "{:.1f}" if column == "fde" else "{:.0f}"
            title = f"{subject}: {words}, by degree of adequacy from 0.1 to 1"
            draw.boxes(RESULTS / f"{subject}-level-{column}.svg", title, CRITERIA, series, top, step, form)


def main():
    about = [line for lines in rows("subject").values() for line in lines]
    if about:
        table("Subjects", list(about[0]), [line.values() for line in about])
    identified = [line for lines in rows("identified").values() for line in lines]
    if identified:
        table("Frames and relations (Table VI)", list(identified[0]), [line.values() for line in identified])
    rises()
    by_k("fde", "Share of the faults that adequate suites reveal, medians (RQ1)")
    by_k("dominators", "The same of the dominators")
    by_k("groups", "Groups of these suites, medians", "{:.0f}")
    by_level("fde", "Share of the faults by degree of adequacy, medians (RQ2)")
    by_level("dominators", "The same of the dominators")
    by_level("groups", "Groups of these suites, medians (RQ3)", "{:.0f}")
    rates = [line for lines in rows("rate").values() for line in lines if line["level"] in ("2", "5", "8", "10")]
    if rates:
        table("How reliably suites of a level reveal a fault (FDR)", list(rates[0]), [line.values() for line in rates])
    origins = [line for lines in rows("sources").values() for line in lines]
    if origins:
        table("Mutants killed by relations of each origin", list(origins[0]), [line.values() for line in origins])
    figures()


main()
