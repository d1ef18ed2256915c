#!/usr/bin/env python3
"""Runs every relation that was found on fresh random inputs: check.py DODONA [--checked N] [--jobs N] [--results FOLDER] [--methods "gcd pow"]

FOLDER/raw/METHOD.checked.json has for each relation, by its text, how many groups were run and how many violate it. One that
several runs found is run once; one that was run on as many inputs is not run again.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from score import HERE, SUBJECT, body, dodona, relations_file

# Relations of one call of `dodona check`.
AT_ONCE = 8


def check(command, bodies, sources, jobs):
    texts = [f"relation r{i}{text}" for i, text in enumerate(bodies)]
    with tempfile.TemporaryDirectory() as folder:
        found = relations_file(Path(folder), texts)
        # Seeds of checking are far from those of searching and of scoring.
        words = ["check", SUBJECT, "--relations", found, "--sources", sources, "--seed", 3_000_000, "--jobs", jobs]
        words += [word for i in range(len(bodies)) for word in ("--relation", f"r{i}")]
        report = json.loads(dodona(command, *words, "--keep", "nothing", "--format", "json", allowed=(0, 1, 2)).stdout)
    tallies = {r["name"]: r["tally"] for r in report["subjects"][0]["relations"]}
    tally = lambda i: tallies[f"r{i}"]
    return {text: [sources, tally(i)["held"] + tally(i)["violated"], tally(i)["violated"]] for i, text in enumerate(bodies)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dodona")
    parser.add_argument("--checked", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--methods", type=str.split, help="those of which relations are run; without it all")
    args = parser.parse_args()
    found = defaultdict(set)
    for path in args.results.glob("raw/*.score.json"):
        score = json.loads(path.read_text())
        found[score["method"]].update(body(text) for text in score["relations"].values())
    for method, bodies in sorted(found.items()):
        if args.methods and method not in args.methods:
            continue
        cache = args.results / "raw" / f"{method}.checked.json"
        known = json.loads(cache.read_text()) if cache.exists() else {}
        new = sorted(text for text in bodies if known.get(text, [0])[0] < args.checked)
        for start in range(0, len(new), AT_ONCE):
            known |= check(args.dodona, new[start:start + AT_ONCE], args.checked, args.jobs)
            cache.write_text(json.dumps(known, indent=0))
        wrong = sum(known[text][2] > 0 for text in bodies)
        print(f"{method}: {len(new)} of {len(bodies)} relations run, {wrong} violated", file=sys.stderr)


if __name__ == "__main__":
    main()
