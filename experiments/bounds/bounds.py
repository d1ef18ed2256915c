#!/usr/bin/env python3
"""Holds every verb to its bounds on subjects that are made to be hard: bounds.py DODONA [--only WORD] [--time S] [--after S]

A verb that has --time must end within 1.2 times what was asked and 2 seconds; every verb must end within 2 seconds of ctrl-C,
with exit code 130. `--growth` measures relation files of 5,000 to 100,000 relations in its place. The tables are printed as Markdown.
Exits with 1 where a bound is not kept.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import subjects

# Memory that a process may take. More would be a failure, and must not end the machine.
MOST_MEMORY = 6 << 30

# Seconds after which nobody waits any longer.
PATIENCE = 150

# Where a verb has --time: so many times what was asked, and so many seconds more. After ctrl-C: so many seconds.
FACTOR, SLACK, ANSWER = 1.2, 2.0, 2.0

FRAMED = ["slow", "slow_sum", "fresh", "lengthy", "many_paths"]

ALL_SLOW = ["slow", "slow_sum", "slow_count", "slow_command", "fresh"]

# Verbs that have --time, with their subjects.
TIMED = [
    ("discover", ["discover", "{}"], [*ALL_SLOW, "loops", "lengthy", "huge", "nested", "cube", "chain"]),
    ("prove", ["prove", "{}"], ["cube", "chain", "many_paths", "slow", "slow_sum", "huge", "nested", "relations_40000"]),
    ("generate", ["generate", "{}"], ["huge", "nested", "many_paths", "chain", "slow", "slow_sum", "slow_command", "lengthy"]),
    (
        "generate --technique concolic",
        ["generate", "{}", "--technique", "concolic", "--count", "1000"],
        ["huge", "many_paths", "slow"],
    ),
    ("mutate", ["mutate", "{}", "--inputs", "100000"], [*ALL_SLOW, "loops", "lengthy", "huge", "nested"]),
    ("mutate --prove", ["mutate", "{}", "--inputs", "10", "--against", "inputs", "--prove"], ["many_paths", "chain", "cube"]),
    ("compare", ["compare", "{}", "--count", "20", "--techniques", "path,random"], ["many_paths", "chain", "slow", "lengthy"]),
    ("laws", ["discover", "{}", "--laws"], ["slow", "slow_sum", "slow_count", "fresh", "lengthy", "cube", "chain", "huge"]),
    ("hierarchy", ["hierarchy", "{}"], ["slow", "slow_sum", "fresh", "loops", "lengthy", "cube", "chain", "many_paths", "huge", "nested"]),
    ("mutate --hierarchy", ["mutate", "{}", "--hierarchy"], ["slow", "loops", "lengthy", "many_paths", "huge"]),
    ("frames", ["frames", "{}"], FRAMED),
    ("identify", ["identify", "{}"], FRAMED),
    ("adequacy", ["adequacy", "{}", "--k", "3", "--criterion", "branch"], ["slow", "slow_sum", "fresh", "lengthy", "huge", "relations_40000"]),
    ("select", ["select", "{}", "--k", "3"], ["slow", "slow_sum", "lengthy", "relations_40000"]),
]

# Every verb that runs for long, with its subjects, for ctrl-C.
INTERRUPTED = [
    ("check", ["check", "{}", "--sources", "1000000", "--keep", "nothing"], [*ALL_SLOW, "lengthy", "relations_40000"]),
    ("check, opening", ["check", "{}", "--keep", "nothing"], ["relations_100000", "huge"]),
    ("relations", ["relations", "{}"], ["relations_100000"]),
    ("call", ["call", "{}", "lengthy(1.0)"], ["lengthy"]),
    ("cover", ["cover", "{}", "--inputs", "100000"], [*ALL_SLOW, "lengthy", "huge"]),
    ("prioritise", ["prioritise", "{}", "--from", "{}/inputs.csv"], ["slow", "lengthy"]),
    ("mutate", ["mutate", "{}", "--inputs", "100000"], [*ALL_SLOW, "loops", "lengthy", "huge", "nested"]),
    ("mutate, relations", ["mutate", "{}", "--inputs", "1"], ["relations_40000"]),
    ("mutate --prove", ["mutate", "{}", "--inputs", "10", "--against", "inputs", "--prove"], ["many_paths", "chain"]),
    ("discover", ["discover", "{}", "--time", "600"], [*ALL_SLOW, "loops", "lengthy", "huge", "nested", "cube", "chain"]),
    ("prove", ["prove", "{}", "--time", "600"], ["cube", "chain", "many_paths", "slow", "huge", "nested", "relations_40000"]),
    ("generate", ["generate", "{}", "--time", "600"], ["huge", "nested", "many_paths", "chain", "slow", "lengthy"]),
    ("compare", ["compare", "{}", "--count", "20"], ["slow", "many_paths", "lengthy"]),
    ("laws", ["discover", "{}", "--laws", "--time", "600"], ["slow", "slow_sum", "slow_count", "lengthy", "cube", "chain"]),
    ("compose", ["compose", "{}"], ["slow", "loops"]),
    ("hierarchy", ["hierarchy", "{}", "--time", "600"], ["slow", "loops", "lengthy", "cube", "chain", "many_paths", "huge", "nested"]),
    ("mutate --hierarchy", ["mutate", "{}", "--hierarchy"], ["slow", "loops", "lengthy", "many_paths", "huge"]),
    ("frames", ["frames", "{}", "--time", "600"], FRAMED),
    ("identify", ["identify", "{}", "--time", "600"], FRAMED),
    ("adequacy", ["adequacy", "{}", "--k", "3", "--criterion", "branch"], ["slow", "slow_sum", "lengthy", "huge", "relations_40000"]),
    ("select", ["select", "{}", "--k", "3"], ["slow", "slow_sum", "lengthy", "relations_40000"]),
]


class Ran:
    """What came of a process."""

    def __init__(self, seconds, code, memory, answered, told):
        self.seconds, self.code, self.memory, self.answered, self.told = seconds, code, memory, answered, told


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setpgid(0, 0)


def resident(pid):
    """The most memory that a process had at one time, in bytes."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) << 10
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


def run(words, folder, interrupt_after=None):
    """Runs a command; sends ctrl-C after so many seconds."""
    began = time.monotonic()
    out = tempfile.TemporaryFile()
    process = subprocess.Popen(words, cwd=folder, stdout=out, stderr=subprocess.STDOUT, preexec_fn=limit)
    memory, interrupted_at = 0, None
    while process.poll() is None:
        now = time.monotonic()
        memory = max(memory, resident(process.pid))
        if interrupt_after is not None and interrupted_at is None and now - began >= interrupt_after:
            interrupted_at = now
            # As a terminal does it: to the whole group.
            os.killpg(process.pid, signal.SIGINT)
        if now - began > PATIENCE or memory > MOST_MEMORY:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            break
        time.sleep(0.005)
    ended = time.monotonic()
    out.seek(0)
    told = out.read().decode(errors="replace")
    answered = None if interrupted_at is None else ended - interrupted_at
    return Ran(ended - began, process.returncode, memory, answered, told)


def words_of(dodona, words, folder, more=()):
    return [dodona, *(word.replace("{}", str(folder)) for word in words), *more]


def megabytes(size):
    return f"{size / (1 << 20):.0f} MB"


class Tables:
    """Rows as they come, and whether all bounds were kept."""

    def __init__(self):
        self.missed = 0

    def head(self, *cells):
        print("|", " | ".join(cells), "|")
        print("|", " | ".join("---" for _ in cells), "|", flush=True)

    def row(self, is_kept, *cells):
        self.missed += not is_kept
        cells = [*cells, "" if is_kept else "**missed**"]
        print("|", " | ".join(cells), "|", flush=True)


def timed(dodona, folders, seconds, only, tables):
    tables.head("verb", "subject", "time asked", "time taken", "ratio", "peak memory", "exit code", "")
    for name, words, names in TIMED:
        for subject in names:
            if not wanted(only, name, subject):
                continue
            asked = seconds.get(name.split()[0], 5)
            more = ["--time", str(asked), *output(name, folders.scratch)]
            ran = run(words_of(dodona, words, folders.of(subject), more), folders.scratch)
            time_row(tables, name, subject, asked, ran, ran.seconds)


def time_row(tables, name, subject, asked, ran, taken):
    is_kept = taken <= FACTOR * asked + SLACK and ran.code in (0, 1, 2, 3) and ran.memory < MOST_MEMORY
    ratio = f"{taken / asked:.2f}"
    tables.row(is_kept, name, subject, f"{asked} s", f"{taken:.1f} s", ratio, megabytes(ran.memory), str(ran.code))


def output(name, scratch):
    """Verbs that write relations do so into the same file."""
    verb = name.split()[0]
    return ["--output", str(Path(scratch) / "found.mr"), "--overwrite"] if verb in ("discover", "laws", "compose") else []


def interrupted(dodona, folders, afters, only, tables):
    tables.head("verb", "subject", "interrupted after", "answered within", "peak memory", "exit code", "lines told", "")
    for name, words, names in INTERRUPTED:
        for subject in names:
            if not wanted(only, name, subject):
                continue
            for after in afters:
                more = output(name, folders.scratch)
                ran = run(words_of(dodona, words, folders.of(subject), more), folders.scratch, after)
                if ran.answered is None:
                    # Done before.
                    tables.row(ran.code in (0, 1, 2, 3), name, subject, f"(ended after {ran.seconds:.1f} s)", "", megabytes(ran.memory), str(ran.code), "")
                    continue
                # A violation that was found by then is one.
                is_kept = ran.answered <= ANSWER and ran.code in (1, 130) and ran.memory < MOST_MEMORY
                lines = str(len(ran.told.splitlines()))
                tables.row(is_kept, name, subject, f"{after} s", f"{ran.answered:.2f} s", megabytes(ran.memory), str(ran.code), lines)


GROWTH = [5_000, 10_000, 20_000, 40_000, 100_000]

# Verbs that open a file of relations, with what each run of them asks for.
OPENERS = [
    ("relations", ["relations", "{}"]),
    ("check", ["check", "{}", "--sources", "1", "--keep", "nothing"]),
    ("prove", ["prove", "{}", "--time", "1"]),
    ("mutate", ["mutate", "{}", "--inputs", "1", "--relation", "r0"]),
    ("discover", ["discover", "{}", "--time", "1"]),
]


def growth(dodona, folders, only, tables):
    tables.head("verb", *(f"{count:,}" for count in GROWTH), "twenty times as many take", "")
    for name, words in OPENERS:
        if not wanted(only, name, "relations"):
            continue
        ran = [run(words_of(dodona, words, folders.of(f"relations_{n}"), output(name, folders.scratch)), folders.scratch) for n in GROWTH]
        seconds = [r.seconds for r in ran]
        # A constant part makes the ratio small, and costs of the machine a little greater.
        ratio = seconds[-1] / seconds[0]
        cells = [f"{s:.2f} s, {megabytes(r.memory)}" for s, r in zip(seconds, ran)]
        tables.row(ratio < 40 and all(r.code >= 0 for r in ran), name, *cells, f"{ratio:.0f} times as long")


class Folders:
    """Subjects, each made and built when it is first wanted."""

    def __init__(self, dodona, scratch):
        self.dodona, self.scratch, self.made = dodona, scratch, {}

    def of(self, name):
        if name not in self.made:
            folder = subjects.make(self.scratch, name)
            (folder / "inputs.csv").write_text("x\n" + "".join(f"{i}.5\n" for i in range(2000)))
            if name not in subjects.MODULES:
                subprocess.run([self.dodona, "build", folder], check=True, stdout=subprocess.DEVNULL)
            self.made[name] = folder
        return self.made[name]


def wanted(only, name, subject):
    return only is None or only in f"{name} {subject}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dodona", type=Path)
    parser.add_argument("--only", help="rows of which verb and subject contain this")
    parser.add_argument("--timed", action="store_true", help="only the table of --time")
    parser.add_argument("--interrupted", action="store_true", help="only the table of ctrl-C")
    parser.add_argument("--growth", action="store_true", help="only the table of many relations")
    parser.add_argument("--after", type=float, nargs="*", default=[0.3, 4.0], help="seconds after which ctrl-C is sent")
    args = parser.parse_args()
    every = not (args.timed or args.interrupted or args.growth)
    tables = Tables()
    dodona = str(args.dodona.resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folders = Folders(dodona, scratch)
        if every or args.timed:
            timed(dodona, folders, {"discover": 6, "prove": 3, "generate": 5}, args.only, tables)
            print()
        if every or args.interrupted:
            interrupted(dodona, folders, args.after, args.only, tables)
            print()
        if every or args.growth:
            growth(dodona, folders, args.only, tables)
    if tables.missed:
        print(f"\n{tables.missed} bounds were not kept", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
