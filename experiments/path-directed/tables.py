#!/usr/bin/env python3
"""Prints our figures beside those of the study: tables.py [RESULTS]

RESULTS/PROGRAM.FUNCTION.csv is what `dodona compare --format csv` writes: a row a technique and repeat.
Where a program has several functions, a repeat's figures are those of all faults together; times add up.
"""

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
TECHNIQUES = ["random", "adaptive", "concolic", "path"]
RATES = [f"rate{k}" for k in range(10, 101, 10)]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def paper(table):
    return {row["program"]: row for row in rows(HERE / "paper" / f"table{table}.csv")}


def read(folder, program):
    """{technique: {measure: [a figure a repeat]}}; None where a function has not been run."""
    repeats = defaultdict(list)
    for function in program["functions"].split():
        path = folder / f"{program['program']}.{function}.csv"
        if not path.exists():
            return None
        for row in rows(path):
            repeats[row["technique"], int(row["repeat"])].append(row)
    figures = defaultdict(lambda: defaultdict(list))
    for (technique, _), parts in sorted(repeats.items()):
        faults = sum(int(part["faults"]) for part in parts)
        for measure in ["apfd", *RATES]:
            total = sum(float(part[measure]) * int(part["faults"]) for part in parts)
            figures[technique][measure].append(total / faults if faults else math.nan)
        figures[technique]["milliseconds"].append(sum(float(part["milliseconds"]) for part in parts))
        figures[technique]["faults"].append(faults)
    return figures


def mean(xs):
    return sum(xs) / len(xs)


def variance(xs):
    m = mean(xs)
    return sum((x - m) ** 2 for x in xs) / (len(xs) - 1) if len(xs) > 1 else 0.0


def effect(path, other):
    """Cohen's d with the pooled deviation: above 0 where path is better."""
    pooled = math.sqrt((variance(path) + variance(other)) / 2)
    difference = mean(path) - mean(other)
    if pooled == 0:
        return 0.0 if difference == 0 else math.copysign(math.inf, difference)
    return difference / pooled


def percent(x):
    return f"{100 * x:.2f} %"


def table(title, header, body):
    widths = [max(len(row[i]) for row in [header, *body]) for i in range(len(header))]
    line = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    print(f"\n## {title}\n")
    print(line(header))
    print("| " + " | ".join("-" * width for width in widths) + " |")
    for row in body:
        print(line(row))


def both(ours, theirs, form):
    return [f"{form(our)} ({form(float(their))})" for our, their in zip(ours, theirs)]


def scores(all_figures):
    study = paper(5)
    body = [
        [name, str(figures["path"]["faults"][0]), percent(mean(figures["path"]["rate100"])), percent(float(study[name]["score"]))]
        for name, figures in all_figures.items()
    ]
    table("Mutation scores of the path-directed suites (Table 5)", ["program", "our faults", "ours", "study"], body)


def apfds(all_figures):
    study, body = paper(7), []
    for name, figures in all_figures.items():
        means = [mean(figures[t]["apfd"]) for t in TECHNIQUES]
        order = "yes" if all(a < b for a, b in zip(means, means[1:])) else "no"
        body.append([name, *both(means, [study[name][t] for t in TECHNIQUES], percent), order])
    header = ["program", *(f"{t} (study)" for t in TECHNIQUES), "random < adaptive < concolic < path"]
    table("Mean APFD (Table 7)", header, body)


def effects(all_figures):
    study = {(row["program"], row["against"]): row["effect"] for row in rows(HERE / "paper" / "table8.csv")}
    body = []
    for name, figures in all_figures.items():
        others = TECHNIQUES[:3]
        ours = [effect(figures["path"]["apfd"], figures[t]["apfd"]) for t in others]
        body.append([name, *both(ours, [study[name, t] for t in others], lambda x: f"{x:.2f}")])
    header = ["program", *(f"path against {t} (study)" for t in TECHNIQUES[:3])]
    table("Effect sizes of APFD, Cohen's d (Table 8)", header, body)


def times(all_figures):
    study, body = paper(9), []
    for name, figures in all_figures.items():
        means = [mean(figures[t]["milliseconds"]) for t in TECHNIQUES]
        share = means[3] / float(study[name]["path"])
        body.append([name, *both(means, [study[name][t] for t in TECHNIQUES], lambda x: f"{x:.1f}"), f"{share:.3f}"])
    header = ["program", *(f"{t} (study)" for t in TECHNIQUES), "path: ours / study"]
    table("Milliseconds for one suite (Table 9)", header, body)


def rates(all_figures):
    body = []
    for name, figures in all_figures.items():
        for technique in TECHNIQUES:
            body.append([name, technique, *(f"{100 * mean(figures[technique][rate]):.1f}" for rate in RATES)])
    header = ["program", "technique", *(f"{k} %" for k in range(10, 101, 10))]
    table("Per cent of the faults that the first so many inputs detect (Figure 4)", header, body)


def number_faults(folder):
    path = folder / "NUMBER-faults.csv"
    if not path.exists():
        return
    figures = defaultdict(lambda: defaultdict(list))
    for row in rows(path):
        for measure in ["apfd", "detected", "rate100"]:
            figures[row["technique"]][measure].append(float(row[measure]))
    body = [
        [t, f"{mean(figures[t]['detected']):.2f}", percent(mean(figures[t]["rate100"])), percent(mean(figures[t]["apfd"])), percent(float(paper(7)["NUMBER"][t]))]
        for t in TECHNIQUES
    ]
    header = ["technique", "detected", "rate", "mean APFD", "study's mean APFD"]
    table("The eight faults of NUMBER (Tables 5 and 7: path detects 37.50 %)", header, body)


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "results"
    all_figures = {}
    for program in rows(HERE / "programs.csv"):
        figures = read(folder, program)
        if figures is None:
            print(f"{program['program']}: not run", file=sys.stderr)
        else:
            all_figures[program["program"]] = figures
    if all_figures:
        for show in [scores, apfds, effects, times, rates]:
            show(all_figures)
    number_faults(folder)


if __name__ == "__main__":
    main()
