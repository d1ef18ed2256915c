#!/usr/bin/env python3
"""Scores what one run of `dodona discover` found: score.py DODONA RUN [--callees WHICH] [--jobs N]

RUN.json is the record; the score is printed as JSON. Mutants are those that the search never saw; inputs are drawn from another
seed. A mutant counts where the study's do: in the source of the method, and of the operators that PIT has by default.
Whether the relations hold is checked by check.py.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SUBJECT = (HERE / "../../subjects/genmorph").resolve()
# Inputs of a test suite in the study: Randoop's, section 8.1.
INPUTS = 100
# Mutants that none of so many inputs reveals are taken for equivalent where scores are of killable mutants.
MANY = 10_000


def dodona(command, *words, allowed=(0,)):
    done = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"dodona {' '.join(map(str, words))} ended with {done.returncode}:\n{done.stderr}")
    return done


def relations_file(folder, relations):
    """A file of these relations. The subject is taken where it stands: which callees are mutated depends on where their source lies."""
    path = folder / "found.mr"
    path.write_text("\n".join(relations) + "\n")
    return path


def body(text):
    """A relation without its name: with the variables that it declares, and with what stands behind `of`."""
    return re.sub(r"^relation \w+", "", text.strip())


def declared(text):
    """The variables that a relation declares, each with the function and parameter that it is like: `relation r(y: log10.x): ...`."""
    head = re.match(r"\(([^)]*)\)", body(text))
    return [tuple(re.split(r"[:.]\s*", one.strip())) for one in head[1].split(",")] if head else []


def with_declared(inputs, method, texts):
    """Gives the variables that relations declare the values that their parameters have in the rows behind: the suite stays the same."""
    rows = [json.loads(line) for line in inputs.read_text().split("\n") if line]
    taken = {}
    for text in texts:
        for behind, (name, function, parameter) in enumerate(declared(text), 1):
            if function != method or taken.setdefault(name, parameter) != parameter:
                sys.exit(f"there are no values for {name} in the suite of {method}: {text}")
            values = [row[parameter] for row in rows]
            for place, row in enumerate(rows):
                row[name] = values[(place + behind) % len(rows)]
    inputs.write_text("".join(json.dumps(row) + "\n" for row in rows))


def files_of(method):
    """`src/math/next_prime.rs` is of nextPrime. What `difference` does itself is in the text functions that it is made of."""
    own = "/" + re.sub(r"([A-Z])", lambda m: "_" + m[1].lower(), method) + ".rs"
    return (own, "/text.rs") if method == "difference" else (own,)


def mutants(command, folder, record, texts, seed, jobs, callees):
    """The held out mutants that count, with what reveals them; and the relations that do not even hold on the inputs."""
    method, names = record["function"], list(texts)
    inputs = folder / "inputs.jsonl"
    dodona(command, "generate", SUBJECT, method, "--technique", "random", "--count", INPUTS, "--seed", seed,
           "--output", inputs, "--summary", "none")
    with_declared(inputs, method, texts.values())
    words = ["mutate", SUBJECT, "--function", method, f"--callees={callees}", "--operators", "pit", "--from", inputs,
             "--jobs", jobs, "--format", "json"]

    def against(names):
        if not names:
            return ["--against", "inputs"]
        found = ["--relations", relations_file(folder, [texts[name] for name in names])]
        return found + ["--against", "both"] + [word for name in names for word in ("--relation", name)]

    done = dodona(command, *words, *against(names), allowed=(0, 1, 2))
    wrong = []
    if done.returncode:
        holds = lambda name: dodona(command, *words, *against([name]), allowed=(0, 1, 2)).returncode == 0
        wrong = [name for name in names if not holds(name)]
        done = dodona(command, *words, *against([name for name in names if name not in wrong]))
    report = json.loads(done.stdout)["subjects"][0]
    held_out = set(record["held_out"])
    of_method = lambda m: any((p["file"] or "").endswith(files_of(method)) for p in m["places"])
    return wrong, [
        {
            "id": m["id"],
            "revealed": m["revealed_by"] is not None,
            "killed_by": sorted({kill["relation"] for kill in m["killed_by"]}),
        }
        for m in report["mutants"]
        if m["id"] in held_out and m["judgement"]["status"] in ("killed", "alive") and of_method(m)
    ]


def killable(command, method, cache, jobs, callees):
    """The mutants that many inputs reveal, with the original as oracle; asked once a method."""
    if not cache.exists():
        words = ["mutate", SUBJECT, "--function", method, f"--callees={callees}", "--operators", "pit", "--against", "inputs"]
        words += ["--inputs", MANY, "--seed", 2_000_000, "--stop-at-kill", "--jobs", jobs, "--format", "json"]
        report = json.loads(dodona(command, *words).stdout)["subjects"][0]
        # Two runs of one method may come to this at once.
        own = cache.with_suffix(f".{os.getpid()}")
        own.write_text(json.dumps([m["id"] for m in report["mutants"] if m["revealed_by"] is not None]))
        own.replace(cache)
    return set(json.loads(cache.read_text()))


def found_by(relation):
    """Where a relation comes from: law, invariant or pattern; enumeration; or the generation of its transformation, from 0."""
    by = relation["found_by"]
    return {
        "form": lambda: relation["transformation"],
        "enumeration": lambda: "enumeration",
        "evolution": lambda: f"generation {by['generation']}",
    }[by["by"]]()


def data(record):
    """Stands for the mutants and the source inputs of a run: with those of another search the same, both had the same."""
    of = [record[key] for key in ("searched_mutants", "held_out", "sources")]
    return hashlib.sha256(json.dumps(of).encode()).hexdigest()[:12]


def share(part, whole):
    return part / whole if whole else None


def scores(of, names):
    """The figures of Table II over some mutants."""
    killed = [bool(m["killed_by"]) for m in of]
    revealed = [m["revealed"] for m in of]
    missed = [m for m in of if not m["revealed"]]
    single = {name: share(sum(name in m["killed_by"] for m in of), len(of)) for name in names}
    return {
        "mutants": len(of),
        "single": single,
        "together": share(sum(killed), len(of)),
        "suite": share(sum(revealed), len(of)),
        "missed": len(missed),
        "delta": share(sum(bool(m["killed_by"]) for m in missed), len(missed)),
        # For each killed mutant by what, so that a relation that the check refutes can be left out.
        "kills": [{"by": m["killed_by"], "revealed": m["revealed"]} for m in of if m["killed_by"]],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dodona")
    parser.add_argument("run")
    parser.add_argument("--callees", default="source")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    record = json.loads(Path(args.run + ".json").read_text())
    texts = {r["name"]: r["text"] for r in record["relations"]}
    # Seeds of scoring are far from those of searching.
    seed = 1_000_000 + record["seed"]
    with tempfile.TemporaryDirectory() as folder:
        wrong, found = mutants(args.dodona, Path(folder), record, texts, seed, args.jobs, args.callees)
    cache = Path(args.run).parent / f"{record['function']}.killable.json"
    alive = killable(args.dodona, record["function"], cache, args.jobs, args.callees)
    valid = [name for name in texts if name not in wrong]
    score = {
        "method": record["function"],
        "seed": record["seed"],
        "relations": texts,
        "found_by": {r["name"]: found_by(r) for r in record["relations"]},
        "generations": record["work"]["generations"],
        "data": data(record),
        "filter": record["filter"],
        "proved": sum(r["proof"]["kind"] == "proved-within" for r in record["relations"]),
        "seconds": record["work"]["seconds"],
        "pit": scores(found, valid),
        "killable": scores([m for m in found if m["id"] in alive or m["killed_by"]], valid),
    }
    print(json.dumps(score, indent=1))


if __name__ == "__main__":
    main()
