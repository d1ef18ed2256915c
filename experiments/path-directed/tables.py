#!/usr/bin/env python3
"""Prints our figures beside those of the study: tables.py [--collect RAW]

RAW/PROGRAM.FUNCTION.csv is what `dodona compare --format csv` writes: a row a technique and repeat. With --collect the means over the repeats take the place
of the program's rows in results/suites.csv. Where a program has several functions, a repeat's figures are those of all faults together; times add up.
"""

import math
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import aligned, mean, replace, rows  # noqa: E402, found beside the experiments

SUITES = HERE / "results" / "suites.csv"
# As `dodona compare` names them. The study's are random (RT), adaptive (ART), path:random (DSE: the inputs of path in a random order) and path (PaDMT).
TECHNIQUES = ["random", "adaptive", "concolic", "path:random", "path", "ways"]
STUDY = ["random", "adaptive", "path:random", "path"]
RATES = [f"rate{k}" for k in range(10, 101, 10)]
# What is added up over the functions of a program, and its column.
SUMS = {"detected": "detected", "milliseconds": "milliseconds", "ordering": "ordering_milliseconds"}
# NUMBER was also measured on eight faults of its original.
FAULTS = {"program": "NUMBER-faults", "functions": ""}


def paper(table):
    return {row["program"]: row for row in rows(HERE / "paper" / f"table{table}.csv")}


def collect(raw):
    for program in [*rows(HERE / "programs.csv"), FAULTS]:
        name = program["program"]
        paths = [raw / f"{name}.{function}.csv" for function in program["functions"].split()] or [raw / f"{name}.csv"]
        if all(path.exists() for path in paths):
            replace(SUITES, list(collected(name, paths)), "program")


def collected(program, paths):
    """A row a technique."""
    repeats = defaultdict(list)
    for row in (row for path in paths for row in rows(path)):
        repeats[row["technique"], int(row["repeat"])].append(row)
    for technique in TECHNIQUES:
        figures = defaultdict(list)
        for parts in (parts for (of, _), parts in sorted(repeats.items()) if of == technique):
            faults, versions = (sum(int(part[of]) for part in parts) for of in ("faults", "candidates"))
            for measure in ["apfd", *RATES]:
                total = sum(float(part[measure]) * int(part["candidates"]) for part in parts)
                figures[measure].append(total / versions if versions else math.nan)
            for measure, column in SUMS.items():
                figures[measure].append(sum(float(part[column]) for part in parts))
        yield {"program": program, "technique": technique, "repeats": len(figures["apfd"]), "versions": versions, "faults": faults, "variance": variance(figures["apfd"])} | {
            measure: mean(of) for measure, of in figures.items()
        }


def read(program):
    """{technique: {measure: its mean}}; nothing where the program has not been run."""
    number = lambda key, value: value if key in ("program", "technique") else float(value)
    return {row["technique"]: {key: number(key, value) for key, value in row.items()} for row in rows(SUITES) if row["program"] == program}


def variance(xs):
    m = mean(xs)
    return sum((x - m) ** 2 for x in xs) / (len(xs) - 1) if len(xs) > 1 else 0.0


def effect(path, other):
    """Cohen's d with the pooled deviation: above 0 where path is better."""
    pooled = math.sqrt((path["variance"] + other["variance"]) / 2)
    difference = path["apfd"] - other["apfd"]
    if pooled == 0:
        return 0.0 if difference == 0 else math.copysign(math.inf, difference)
    return difference / pooled


def percent(x):
    return f"{100 * x:.2f} %"


def table(title, header, body):
    print("\n".join(aligned(title, header, body)))


def both(ours, theirs, form):
    return [f"{form(our)} ({form(float(their))})" for our, their in zip(ours, theirs)]


def scores(all_figures):
    study = paper(5)
    body = [
        [
            name,
            f"{figures['path']['versions']:.0f}",
            *(percent(figures[t]["rate100"]) for t in TECHNIQUES),
            percent(float(study[name]["score"])),
        ]
        for name, figures in all_figures.items()
    ]
    header = ["program", "mutants", *TECHNIQUES, "path in the study"]
    table("Mutation scores, over all mutants that are not proved equivalent (Equation 4.1, Table 5)", header, body)


def apfds(all_figures):
    study, body = paper(7), []
    for name, figures in all_figures.items():
        means = [figures[t]["apfd"] for t in STUDY]
        order = "yes" if all(a < b for a, b in zip(means, means[1:])) else "no"
        others = [percent(figures[t]["apfd"]) for t in ("concolic", "ways")]
        body.append([name, *both(means, [study[name][t] for t in STUDY], percent), *others, order])
    header = ["program", *(f"{t} (study)" for t in STUDY), "concolic", "ways", "random < adaptive < path:random < path"]
    table("Mean APFD over all mutants (Table 7)", header, body)


def effects(all_figures):
    """The study's effect size is t over the root of 30, which is Cohen's d over the root of 2 for two groups of 30."""
    study = {(row["program"], row["against"]): row["effect"] for row in rows(HERE / "paper" / "table8.csv")}
    body = []
    for name, figures in all_figures.items():
        others = STUDY[:3]
        ours = [effect(figures["path"], figures[t]) for t in others]
        as_study = [f"{d / math.sqrt(2):.2f} ({float(study[name, t]):.2f})" for d, t in zip(ours, others)]
        body.append([name, *(f"{d:.2f}" for d in ours), *as_study])
    header = ["program", *(f"d against {t}" for t in STUDY[:3]), *(f"t/sqrt(30) against {t} (study)" for t in STUDY[:3])]
    table("Effect sizes of APFD of path (Table 8)", header, body)


def times(all_figures):
    study, body = paper(9), []
    for name, figures in all_figures.items():
        means = [figures[t]["milliseconds"] for t in STUDY]
        share = means[-1] / float(study[name]["path"])
        others = [f"{figures[t]['milliseconds']:.1f}" for t in ("concolic", "ways")]
        body.append([name, *both(means, [study[name][t] for t in STUDY], lambda x: f"{x:.1f}"), *others, f"{share:.3f}"])
    header = ["program", *(f"{t} (study)" for t in STUDY), "concolic", "ways", "path: ours / study"]
    table("Milliseconds for one suite (Table 9)", header, body)


def rates(all_figures):
    body = []
    for name, figures in all_figures.items():
        for technique in TECHNIQUES:
            body.append([name, technique, *(f"{100 * figures[technique][rate]:.1f}" for rate in RATES)])
    header = ["program", "technique", *(f"{k} %" for k in range(10, 101, 10))]
    table("Per cent of all mutants that the first so many inputs detect (Figure 4)", header, body)


def ways_and_path(all_figures):
    """Where ways do better than paths: over the same mutants, with as many inputs."""
    body = []
    for name, figures in all_figures.items():
        path, ways = figures["path"], figures["ways"]
        more = lambda measure: f"{100 * (ways[measure] - path[measure]):+.2f}"
        times = ways["milliseconds"] / path["milliseconds"]
        body.append([name, more("rate100"), more("apfd"), f"{effect(ways, path):.2f}", f"{times:.2f}"])
    header = ["program", "score, points", "APFD, points", "d of APFD", "time, ways / path"]
    table("Ways against path", header, body)


def claims(all_figures):
    """The claims of section 5, a program a column: yes where ours agree. More is more by a tenth of a point at least."""
    more = lambda of, measure, other: of[measure] > other[measure] + 0.001
    study, scores_of = paper(7), paper(5)
    best = lambda figures, measure: all(figures["path"][measure] >= figures[t][measure] for t in STUDY[:3])
    asked = {
        "path reaches the study's score (Table 5)": lambda name, of: of["path"]["rate100"] >= float(scores_of[name]["score"]),
        "path detects most of the study's four (RQ2)": lambda name, of: best(of, "rate100"),
        "its inputs detect more than random ones (RQ2)": lambda name, of: more(of["path"], "rate100", of["random"]),
        "path has the best APFD of the four (RQ3)": lambda name, of: best(of, "apfd"),
        "its order is better than a random one of the same inputs (RQ3)": lambda name, of: more(of["path"], "apfd", of["path:random"]),
        "the study's order of all four by APFD (RQ3)": lambda name, of: sorted(STUDY, key=lambda t: of[t]["apfd"]) == sorted(STUDY, key=lambda t: float(study[name][t])),
        "beyond the study: ways detect more than path": lambda name, of: more(of["ways"], "rate100", of["path"]),
        "beyond the study: ways have a better APFD than path": lambda name, of: more(of["ways"], "apfd", of["path"]),
        "ordering takes under 1 % of the time (RQ4)": lambda name, of: of["path"]["ordering"] < 0.01 * of["path"]["milliseconds"],
    }
    # Table 5 has the score of NUMBER's eight faults, not of mutants.
    skipped = ("path reaches the study's score (Table 5)", "NUMBER")
    said = lambda claim, name: "" if (claim, name) == skipped else "yes" if asked[claim](name, all_figures[name]) else "no"
    body = [[claim, *(said(claim, name) for name in all_figures)] for claim in asked]
    table("Which claims of the study hold here", ["claim", *all_figures], body)


def number_faults():
    figures = read(FAULTS["program"])
    body = [
        [t, f"{of['detected']:.2f}", percent(of["rate100"]), percent(of["apfd"]), percent(float(paper(7)["NUMBER"][t])) if t in STUDY else ""]
        for t, of in figures.items()
    ]
    if body:
        header = ["technique", "detected", "rate", "mean APFD", "study's mean APFD"]
        table("The eight faults of NUMBER (Tables 5 and 7: path detects 37.50 %)", header, body)


def main():
    if sys.argv[1:2] == ["--collect"]:
        collect(Path(sys.argv[2]))
    all_figures = {}
    for program in rows(HERE / "programs.csv"):
        if figures := read(program["program"]):
            all_figures[program["program"]] = figures
        else:
            print(f"{program['program']}: not run", file=sys.stderr)
    if all_figures:
        for show in [claims, scores, ways_and_path, apfds, effects, times, rates]:
            show(all_figures)
    number_faults()


if __name__ == "__main__":
    main()
