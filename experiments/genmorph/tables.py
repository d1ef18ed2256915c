#!/usr/bin/env python3
"""Prints our figures beside those of the study: tables.py [RESULTS]

RESULTS/raw/METHOD.SEED.SEARCH.score.json is what score.py writes; without them, RESULTS/summary.csv is read, else it is written.
"""

import json
import math
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from common import aligned, rows as rows_of, write  # noqa: E402, found beside the experiments
from score import body, share  # noqa: E402

GOAL_MS, GOAL_VALID = 18, 20


def mean(xs):
    xs = [x for x in xs if x is not None and not math.isnan(x)]
    return sum(xs) / len(xs) if xs else None


def single(of, relations, wrong):
    """The mean over a run's relations: 0 for one that raises a false alarm, and for a run that found none."""
    if not of["mutants"]:
        return None
    return sum(share for name, share in of["single"].items() if name not in wrong) / max(len(relations), 1)


def kills(of, wrong, of_missed=False):
    """The share of the mutants, or of those that the recorded outputs miss, that relations kill which raise no false alarm."""
    if "kills" not in of:
        return of["delta" if of_missed else "together"]
    killed = [k for k in of["kills"] if set(k["by"]) - wrong and not (of_missed and k["revealed"])]
    return share(len(killed), of["missed" if of_missed else "mutants"])


def checked(path, method):
    cache = path.parent / f"{method}.checked.json"
    return json.loads(cache.read_text()) if cache.exists() else {}


def row(path):
    score = json.loads(path.read_text())
    relations, steps = score["relations"], score["filter"]
    # By its text without the name: sources that it was run on, eligible groups, violated ones.
    tallies = checked(path, score["method"])
    if missing := [text for text in relations.values() if body(text) not in tallies]:
        sys.exit(f"check.py has not run all relations of {path.name}: {missing[0]}")
    tally = {name: tallies[body(text)] for name, text in relations.items()}
    wrong = {name for name in relations if tally[name][2] or name not in score["pit"]["single"] and score["pit"]["mutants"]}
    pit, killable = score["pit"], score["killable"]
    return {
        "search": path.name.split(".")[2],
        "method": score["method"],
        "seed": score["seed"],
        "relations": len(relations),
        "checked": min([sources for sources, _, _ in tally.values()] or [0]),
        "groups": sum(groups for _, groups, _ in tally.values()),
        "violated": len(wrong),
        "proved": score["proved"],
        **{f"{key}_{what}": step(steps, name)[what] for key, name in STEPS.items() for what in ["tried", "passed"]},
        "mutants": pit["mutants"],
        "ms": single(pit, relations, wrong),
        "together": kills(pit, wrong),
        "suite": pit["suite"],
        "missed": pit["missed"],
        "delta": kills(pit, wrong, of_missed=True),
        "killable": killable["mutants"],
        "killable_ms": single(killable, relations, wrong),
        "killable_together": kills(killable, wrong),
        "killable_suite": killable["suite"],
        "generations": score.get("generations"),
        "data": score.get("data", ""),
        "seconds": score["seconds"],
    }


def relations(path):
    """A row a relation: where it comes from, and what it kills by itself of the mutants held out."""
    score = json.loads(path.read_text())
    tallies = checked(path, score["method"])
    return [
        {
            "search": path.name.split(".")[2],
            "method": score["method"],
            "seed": score["seed"],
            "relation": name,
            "found_by": score["found_by"][name],
            "ms": score["pit"]["single"].get(name, 0.0) if not tallies[body(text)][2] else 0.0,
            "text": " ".join(body(text).split()),
        }
        for name, text in score["relations"].items()
        if name in score.get("found_by", {}) and score["pit"]["mutants"]
    ]


# The first three stand where Randoop's suite does in the study, the others where OASIs does.
STEPS = {
    "fresh": "fresh inputs", "measured": "mutation analysis", "many": "many fresh inputs", "search": "counterexample search",
    "symbolic": "symbolic execution",
}


def step(steps, name):
    """What a step of the filter was given and passed on; nothing where it was not run."""
    return next((s for s in steps if s["name"] == name), {"tried": 0, "passed": 0})


def read(folder):
    paths = sorted(folder.glob("raw/*.score.json"))
    summary = folder / "summary.csv"
    if paths:
        rows = [row(path) for path in paths]
        short = lambda x: "" if x is None else f"{x:.4f}" if isinstance(x, float) else x
        write(summary, [{key: short(value) for key, value in r.items()} for r in rows])
        found = [{key: short(value) for key, value in r.items()} for path in paths for r in relations(path)]
        if found:
            write(folder / "relations.csv", found)
    runs = defaultdict(lambda: defaultdict(list))
    number = lambda x: None if x == "" else float(x)
    for r in rows_of(summary):
        figures = {key: value if key in ("search", "method", "data") else number(value) for key, value in r.items()}
        runs[r["search"]][r["method"]].append(figures)
    return runs


def study():
    return {r["method"]: r for r in rows_of(HERE / "paper" / "table2.csv")}


def form(x, digits=2):
    return "-" if x in (None, "") else f"{float(x):.{digits}f}"


def table(title, header, body):
    print("\n".join(aligned(title, header, body)))


def total(rows, key):
    return sum(r[key] or 0 for r in rows)


def ratio(rows, *steps):
    """The share that passes all of some steps of the filter; each was given what is left of the one before it."""
    shares = [share(total(rows, f"{step}_passed"), total(rows, f"{step}_tried")) for step in steps]
    return math.prod(s for s in shares if s is not None) if shares[0] is not None else None


def valid(rows):
    """The share of the relations reported that no checked input violates."""
    found = total(rows, "relations")
    return 1 - total(rows, "violated") / found if found else None


def scores(runs, paper):
    body, higher, of_killable, compared = [], 0, 0, 0
    for method, theirs in paper.items():
        rows = runs.get(method)
        if not rows:
            continue
        ms = mean(r["ms"] for r in rows)
        if ms is not None:
            compared += 1
            higher += ms > float(theirs["ms"])
            of_killable += (mean(r["killable_ms"] for r in rows) or 0) > float(theirs["ms"])
        body.append([
            method, str(len(rows)), form(mean(r["relations"] for r in rows), 1),
            f"{form(ms)} ({form(theirs['ms'])})", "-" if ms is None else "yes" if ms > float(theirs["ms"]) else "no",
            form(mean(r["together"] for r in rows)), form(mean(r["suite"] for r in rows)),
            form(mean(r["killable_ms"] for r in rows)), form(mean(r["killable_together"] for r in rows)),
            f"{form(mean(r['mutants'] for r in rows), 1)} ({theirs['mutants']})",
            form(mean(r["killable"] for r in rows), 1),
        ])
    header = [
        "method", "runs", "relations", "MS (study)", "higher", "together", "outputs", "MS of killable", "together of killable",
        "mutants (study)", "killable",
    ]
    table("Mutation scores (Table II, MS)", header, body)
    print(f"\nA higher mutation score than the study's on {higher} of {compared} methods (goal {GOAL_MS} of 23);")
    print(f"on {of_killable} where only mutants count that some of 10,000 inputs reveals.")


def filters(runs, paper):
    body, reached, compared = [], 0, 0
    for method, theirs in paper.items():
        rows = runs.get(method)
        if not rows:
            continue
        share = valid(rows)
        if share is not None:
            compared += 1
            reached += share >= 0.9
        body.append([
            method,
            f"{form(ratio(rows, 'fresh', 'measured', 'many'))} ({form(theirs['pz'])})",
            f"{form(ratio(rows, 'search', 'symbolic'))} ({form(theirs['pzo'])})",
            form(share, 3), f"{total(rows, 'violated'):.0f} of {total(rows, 'relations'):.0f}",
            f"{total(rows, 'groups'):,.0f}", f"{total(rows, 'proved'):.0f}",
        ])
    header = ["method", "PZ (study)", "PZO (study)", "valid after it", "violated", "groups checked", "proved"]
    table("Relations without false positives after each step of the filter", header, body)
    every = [r for rows in runs.values() for r in rows]
    print(f"\nA ratio of valid relations of at least 0.9 on {reached} of {compared} methods (goal {GOAL_VALID} of 23).")
    sources = min((int(r["checked"]) for r in every if r["relations"]), default=0)
    found, wrong = total(every, "relations"), total(every, "violated")
    print(f"Of {found:.0f} relations reported, each run on {sources:,} random inputs or more, {wrong:.0f} are violated (goal 0).")
    print(f"A run took {mean(r['seconds'] for r in every):.1f} s on average, {max(r['seconds'] for r in every):.1f} s at most.")


def gains(runs, paper):
    body = []
    for method, theirs in paper.items():
        rows = runs.get(method)
        if not rows:
            continue
        body.append([
            method,
            f"{form(mean(r['suite'] for r in rows))} ({form(theirs['randoop_ms'])}, {form(theirs['evosuite_ms'])})",
            form(mean(r["missed"] for r in rows), 1),
            f"{form(mean(r['delta'] for r in rows))} ({form(theirs['randoop_delta'])}, {form(theirs['evosuite_delta'])})",
        ])
    header = ["method", "regression suite (Randoop, Evosuite)", "mutants it misses", "delta MS (Randoop, Evosuite)"]
    table("What relations add to a suite of recorded outputs (Table II, delta MS)", header, body)


SEARCHES = ["enumerate", "evolve", "auto"]


def in_order(names):
    """The searches, those with a share of time for evolution in their name (`auto25`) at the end."""
    return sorted(names, key=lambda name: (SEARCHES.index(name) if name in SEARCHES else len(SEARCHES), name))


def searches(runs, paper):
    """Table II for each search: the three had the same mutants and inputs, and the same time."""
    names = in_order(runs)
    if len(names) < 2:
        return
    methods = [method for method in paper if any(method in runs[name] for name in names)]
    body = []
    for method in methods:
        cells = [method, form(paper[method]["ms"])]
        for name in names:
            rows = runs[name].get(method, [])
            cells += [form(mean(r["ms"] for r in rows)), form(mean(r["together"] for r in rows))]
        body.append(cells)
    header = ["method", "study: MS", *(f"{name}: {what}" for name in names for what in ["MS", "together"])]
    table("Enumeration, evolution, and both (Table II, MS)", header, body)
    sums(runs, paper, names, methods)
    same(runs, names)


def sums(runs, paper, names, methods):
    """What the columns of a search come to, each method counting once."""
    body = []
    for name in names:
        by_method = {method: runs[name][method] for method in methods if method in runs[name]}
        rows = [r for of_method in by_method.values() for r in of_method]
        ms = {method: mean(r["ms"] for r in of_method) for method, of_method in by_method.items()}
        known = [score for score in ms.values() if score is not None]
        above = lambda least: f"{sum(score > least for score in known)} of {len(known)}"
        higher = sum(score > float(paper[method]["ms"]) for method, score in ms.items() if score is not None)
        evolved = [r for r in rows if r.get("generations")]
        body.append([
            name, str(len(rows)), form(mean(known), 3), above(0.5), above(0.2), f"{higher} of {len(known)}",
            form(mean(mean(r["together"] for r in of_method) for of_method in by_method.values() if of_method), 3),
            str(sum(not r["relations"] for r in rows)), f"{len(evolved)} of {len(rows)}",
            form(mean(r.get("generations") for r in rows), 1), form(valid(rows), 3),
        ])
    header = [
        "search", "runs", "mean MS", "methods above 0.5", "above 0.2", "above the study", "mean together", "empty runs",
        "runs with a generation", "generations a run", "valid",
    ]
    table("The searches over all methods", header, body)


def same(runs, names):
    """Says whether the searches of a seed had the same mutants and inputs."""
    by_seed = defaultdict(dict)
    for name in names:
        for method, rows in runs[name].items():
            for r in rows:
                by_seed[method, r["seed"]][name] = r.get("data")
    compared = [data for data in by_seed.values() if len(data) == len(names) and all(data.values())]
    alike = sum(len(set(data.values())) == 1 for data in compared)
    print(f"\nIn {alike} of {len(compared)} pairs of a method and a seed that all searches were run with, they had the same mutants and source inputs.")


def origins(folder):
    """Where the relations of each search come from, and what each kind kills by itself."""
    path = folder / "relations.csv"
    if not path.exists():
        return
    groups = defaultdict(list)
    for r in rows_of(path):
        groups[r["search"], kind(r["found_by"])].append(float(r["ms"]))
    names = in_order({search for search, _ in groups})
    order = lambda key: (names.index(key[0]), KINDS.index(key[1]))
    body = []
    for search, of in sorted(groups, key=order):
        whole = sum(len(scores) for (name, _), scores in groups.items() if name == search)
        scores = groups[search, of]
        body.append([search, of, str(len(scores)), form(len(scores) / whole), form(mean(scores), 3)])
    table("Where the relations come from", ["search", "found by", "relations", "share", "mean MS"], body)


KINDS = ["law", "invariant", "pattern", "enumeration", "random individuals", "generations 1 to 9", "generations from 10"]


def kind(found_by):
    """The kind of an origin: generation 0 is the random population."""
    if not found_by.startswith("generation "):
        return found_by
    generation = int(found_by.removeprefix("generation "))
    return KINDS[4] if generation == 0 else KINDS[5] if generation < 10 else KINDS[6]


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "results"
    runs, paper = read(folder), study()
    if "auto" in runs:
        for show in [scores, filters, gains]:
            show(runs["auto"], paper)
    searches(runs, paper)
    origins(folder)
    failed = sorted(path.stem for path in folder.glob("raw/*.failed"))
    if failed:
        print(f"\n{len(failed)} runs ended with an error and are in no figure: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
