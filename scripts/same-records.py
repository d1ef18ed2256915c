#!/usr/bin/env python3
"""Whether two builds of Dodona say the same of every shipped subject: same-records.py OLD NEW [--only WORD] [--keep FOLDER]

Runs check, mutate, generate, cover, compare, prove, and discover bounded by generations, each with both programs in the same copy of
`subjects/`, and compares their JSON byte for byte. Only what a clock measured is taken out first. A redesign that is to change nothing for
users is shown to change nothing. Exits with 1 where two records differ; --keep writes both of them down.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Members that hold measured time. No run has them twice.
TIMES = {"seconds", "generation", "ordering", "overhead"}

# Subjects whose relations are proved within seconds: of the others the clock would decide.
PROVED = ["triangle", "mymethod"]

# Seconds after which a command is given up, with either program.
PATIENCE = 600


def functions(manifest):
    """The functions of a manifest, as they are declared."""
    return re.findall(r"signature\s*=\s*[\"'](\w+)\(", manifest.read_text())


def commands():
    """Each command with its name; `{}` stands for what is generated."""
    for manifest in sorted((ROOT / "subjects").glob("**/dodona.toml")):
        subject = str(manifest.parent.relative_to(ROOT))
        declared = functions(manifest)
        some = declared if len(declared) < 4 else ["gcd", "pow", "capitalize", "difference", "sort"]
        yield ["check", subject, "--format", "json", "--keep", "nothing", "--sources", "300", "--seed", "7"]
        yield ["mutate", subject, "--format", "json", "--inputs", "60", "--seed", "7", "--operators", "AOR,ROR"]
        if manifest.parent.name in PROVED:
            yield ["prove", subject, "--format", "json", "--max-len", "2", "--time", "100000"]
        for function in some:
            for technique in ["random", "adaptive", "path", "concolic"]:
                yield ["generate", subject, function, "--technique", technique, "--count", "12", "--max-len", "2", "--seed", "7",
                       "--max-paths", "60", "--max-queries", "60", "--time", "100000"]
            yield ["cover", subject, function, "--format", "json", "--inputs", "200", "--seed", "7"]
            yield ["compare", subject, function, "--format", "json", "--repeats", "1", "--count", "8", "--seed", "7",
                   "--techniques", "random,adaptive", "--operators", "AOR"]
            yield ["discover", subject, function, "--format", "json", "--generations", "3", "--inputs", "120", "--mutants", "40",
                   "--prove", "off", "--seed", "7", "--output", "found.mr", "--overwrite"]


def without_times(value):
    """A record without what a clock measured."""
    if isinstance(value, dict):
        return {key: without_times(member) for key, member in value.items() if key not in TIMES}
    return [without_times(member) for member in value] if isinstance(value, list) else value


def record(program, command, folder):
    """What a program prints, with its exit code."""
    run = subprocess.run([program, *command], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
    try:
        told = json.dumps(without_times(json.loads(run.stdout)), indent=1)
    except json.JSONDecodeError:
        told = re.sub(r"\b[\d.]+ s\b", "… s", run.stdout + run.stderr)
    return f"exit code {run.returncode}\n{told}\n"


def copy(folder):
    shutil.copytree(ROOT / "subjects", folder / "subjects")
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--only", default="", help="commands that contain this")
    parser.add_argument("--keep", type=Path, help="where records that differ are written to")
    args = parser.parse_args()
    chosen = [command for command in commands() if command and args.only in " ".join(command)]
    differ = 0
    with tempfile.TemporaryDirectory() as temporary:
        # One folder for both: names in a module that is built have hashes of where it was built.
        folder = copy(Path(temporary))
        for number, command in enumerate(chosen):
            old, new = (record(program.resolve(), command, folder) for program in (args.old, args.new))
            same = old == new
            # Another run of the same program finds something else, too, where the clock ended something.
            timed = not same and '"time_decided": true' in old and '"time_decided": true' in new
            differ += not same and not timed
            verdict = "same" if same else "timed" if timed else "DIFFER"
            print(f"{verdict:<6} {len(old):>8} bytes  {old.splitlines()[0]:<14} {' '.join(command)}", flush=True)
            if not same and not timed and args.keep:
                args.keep.mkdir(parents=True, exist_ok=True)
                (args.keep / f"{number}-old.json").write_text(old)
                (args.keep / f"{number}-new.json").write_text(new)
    print(f"{len(chosen)} records, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
