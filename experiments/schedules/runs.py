"""Runs every schedule on mutants of a subject: runs.py DODONA SUBJECT RUNS SEEDS MUTANTS FILE

FILE gets a row for each mutant, schedule and seed: the calls until the first violation, empty where there was none within RUNS."""

import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import common

SCHEDULES = ["round-robin", "feedback", "bandit"]
# The inputs by which relations are seen to kill a mutant. Mutants that no relation kills on these tell nothing of schedules.
INPUTS = 1000
# Of the mutants that relations kill this many are drawn, by this seed, so that the choice knows nothing of schedules.
DRAWN_BY = 0
# Holds, violated, something untested, budget spent: each comes with a report.
REPORTED = {0, 1, 2, 3}


def called(*words):
    """What a command prints, as JSON."""
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode not in REPORTED or not done.stdout:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def killed(dodona, subject, count):
    """Some of the mutants that relations kill, in the order of their numbers."""
    found = called(dodona, "mutate", subject, "--inputs", INPUTS, "--seed", DRAWN_BY, "--format", "json")
    ids = [mutant["id"] for mutant in found["subjects"][0]["mutants"] if mutant["killed_by"]]
    chosen = random.Random(DRAWN_BY).sample(ids, min(count, len(ids)))
    return [mutant for mutant in ids if mutant in set(chosen)]


def mutated(dodona, subject, mutant, folder):
    """A copy of a subject in `folder`, whose module is the mutant."""
    shutil.copytree(subject, folder, ignore=shutil.ignore_patterns(".dodona", "dodona-regressions", "faulty"))
    module = folder / f"{mutant}.wasm"
    subprocess.run([dodona, "mutate", subject, "--emit", f"{mutant}={module}"], check=True, stdout=subprocess.DEVNULL)
    manifest = folder / "dodona.toml"
    text = manifest.read_text(encoding="utf-8")
    # The table [build] goes; what the module is stands above all tables.
    text, tables = re.subn(r"^\[build\]\n(?:(?!\[).*\n?)*", "", text, flags=re.MULTILINE)
    if tables != 1:
        sys.exit(f"{manifest} has {tables} tables [build], and one is needed")
    manifest.write_text(f'module = "{module.name}"\n{text}', encoding="utf-8")


def first_violation(dodona, folder, runs, schedule, seed):
    """The calls until the first violation; nothing where there is none."""
    options = ["--runs", runs, "--schedule", schedule, "--seed", seed, "--keep", "nothing", "--format", "json"]
    spent = called(dodona, "check", folder, *options)["subjects"][0]["schedule"]
    if spent["runs"] > runs or spent["schedule"] != schedule:
        sys.exit(f"{folder}: {schedule} was to make {runs} runs: {spent}")
    found = [r["runs_to_violation"] for r in spent["relations"] if r["runs_to_violation"] is not None]
    return min(found, default=None)


def main():
    dodona, subject, runs, seeds, mutants, file = sys.argv[1:]
    subject, runs, seeds = Path(subject), int(runs), int(seeds)
    found = []
    for mutant in killed(dodona, subject, int(mutants)):
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work) / subject.name
            mutated(dodona, subject, mutant, folder)
            for schedule in SCHEDULES:
                for seed in range(seeds):
                    calls = first_violation(dodona, folder, runs, schedule, seed)
                    found.append({"subject": subject.name, "mutant": mutant, "schedule": schedule, "seed": seed,
                                  "budget": runs, "calls": "" if calls is None else calls})
        print(f"{subject.name} {mutant}", file=sys.stderr)
    if not found:
        sys.exit(f"{subject}: relations kill no mutant, so there is nothing to compare")
    common.write(Path(file), found)


if __name__ == "__main__":
    main()
