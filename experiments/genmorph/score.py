#!/usr/bin/env python3
"""Scores what one run of `dodona discover` found: score.py DODONA RUN [--checked N] [--jobs N]

RUN.json is the record; the score is printed as JSON. Mutants are those that the search never saw; inputs are drawn from another
seed. A mutant counts where the study's do: in the source of the method, and of the operators that PIT has by default.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SUBJECT = (HERE / "../../subjects/genmorph").resolve()
# As `dodona mutate --operators pit` has them (PIT's defaults).
PIT = {"ROR", "AOR", "LOR", "SOR", "VCR", "RSR"}
# Inputs of a test suite in the study: Randoop's, section 8.1.
INPUTS = 100
# Mutants that none of so many inputs reveals are taken for equivalent where scores are of killable mutants.
MANY = 10_000


def dodona(command, *words, allowed=(0,)):
    done = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"dodona {' '.join(map(str, words))} ended with {done.returncode}:\n{done.stderr}")
    return done


def subject(folder, method, relations):
    """A copy of the subject's manifest whose only relations are these, of this method; the module is not built again."""
    text = (SUBJECT / "dodona.toml").read_text()
    text = re.sub(r'^relations = .*\n', "", text, flags=re.M)
    text = re.sub(r'^\[build\]\nrust = "\."\n', f'module = "{SUBJECT}/.dodona/genmorph.wasm"\n', text, flags=re.M)
    text = re.sub(rf'^(signature = "{method}\(.*)$', r'\1\nrelations = ["found.mr"]', text, flags=re.M)
    assert 'relations = ["found.mr"]' in text and "module =" in text
    # Where the source lies decides which callees are mutated.
    (folder / "src").symlink_to(SUBJECT / "src")
    (folder / "dodona.toml").write_text(text)
    (folder / "found.mr").write_text("\n".join(relations) + "\n")
    return folder


def checked(command, folder, texts, sources, cache, jobs):
    """{relation: (groups, violated)} on so many random inputs; a relation that several runs find is run once."""
    known = json.loads(cache.read_text()) if cache.exists() else {}
    key = {name: f"{sources} {text.split(':', 1)[1].strip()}" for name, text in texts.items()}
    new = [name for name in texts if key[name] not in known]
    if new:
        words = ["check", folder, "--sources", sources, "--seed", 3_000_000, "--jobs", jobs]
        words += [word for name in new for word in ("--relation", name)]
        words += ["--keep", "nothing", "--format", "json"]
        report = json.loads(dodona(command, *words, allowed=(0, 1, 2)).stdout)
        for r in report["subjects"][0]["relations"]:
            tally = r["tally"]
            known[key[r["name"]]] = [tally["held"] + tally["violated"], tally["violated"]]
        cache.write_text(json.dumps(known, indent=0))
    return {name: known[key[name]] for name in texts}


def file_of(method):
    """`src/math/next_prime.rs` is of nextPrime."""
    return re.sub(r"([A-Z])", lambda m: "_" + m[1].lower(), method) + ".rs"


def mutants(command, folder, record, names, seed, jobs):
    """The held out mutants that count, of any operator, with what reveals them."""
    method = record["function"]
    inputs = folder / "inputs.jsonl"
    dodona(command, "generate", folder, method, "--technique", "random", "--count", INPUTS, "--seed", seed,
           "--output", inputs, "--summary", "none")
    words = ["mutate", folder, "--function", method, "--callees=source", "--from", inputs, "--jobs", jobs, "--format", "json"]
    words += ["--against", "both"] if names else ["--against", "inputs"]
    for name in names:
        words += ["--relation", name]
    report = json.loads(dodona(command, *words).stdout)["subjects"][0]
    held_out = set(record["held_out"])
    of_method = lambda m: any((p["file"] or "").endswith("/" + file_of(method)) for p in m["places"])
    return [
        {
            "id": m["id"],
            "operator": m["operator"],
            "revealed": m["revealed_by"] is not None,
            "killed_by": sorted({kill["relation"] for kill in m["killed_by"]}),
        }
        for m in report["mutants"]
        if m["id"] in held_out and m["judgement"]["status"] in ("killed", "alive") and of_method(m)
    ]


def killable(command, folder, method, cache, jobs):
    """The mutants that many inputs reveal, with the original as oracle; asked once a method."""
    if not cache.exists():
        words = ["mutate", folder, "--function", method, "--callees=source", "--operators", "pit", "--against", "inputs"]
        words += ["--inputs", MANY, "--seed", 2_000_000, "--stop-at-kill", "--jobs", jobs, "--format", "json"]
        report = json.loads(dodona(command, *words).stdout)["subjects"][0]
        cache.write_text(json.dumps([m["id"] for m in report["mutants"] if m["revealed_by"] is not None]))
    return set(json.loads(cache.read_text()))


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
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dodona")
    parser.add_argument("run")
    parser.add_argument("--checked", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    record = json.loads(Path(args.run + ".json").read_text())
    texts = {r["name"]: r["text"] for r in record["relations"]}
    # Seeds of scoring are far from those of searching.
    seed = 1_000_000 + record["seed"]
    with tempfile.TemporaryDirectory() as folder:
        folder = subject(Path(folder), record["function"], texts.values())
        cache = Path(args.run).parent / f"{record['function']}.checked.json"
        tallies = checked(args.dodona, folder, texts, args.checked, cache, args.jobs)
        violated = sorted(name for name, (_, violated) in tallies.items() if violated)
        valid = [name for name in texts if name not in violated]
        # The study's score of a relation that raises a false alarm is 0.
        found = mutants(args.dodona, folder, record, valid, seed, args.jobs)
        cache = Path(args.run).parent / f"{record['function']}.killable.json"
        alive = killable(args.dodona, folder, record["function"], cache, args.jobs)
    of_pit = [m for m in found if m["operator"] in PIT]
    score = {
        "method": record["function"],
        "seed": record["seed"],
        "relations": len(texts),
        "checked": args.checked,
        "groups": sum(groups for groups, _ in tallies.values()),
        "violated": violated,
        "filter": record["filter"],
        "proved": sum(r["proof"]["kind"] == "proved-within" for r in record["relations"]),
        "seconds": record["work"]["seconds"],
        "pit": scores(of_pit, valid),
        "killable": scores([m for m in of_pit if m["id"] in alive or m["killed_by"]], valid),
        "all": scores(found, valid),
    }
    print(json.dumps(score, indent=1))


if __name__ == "__main__":
    main()
