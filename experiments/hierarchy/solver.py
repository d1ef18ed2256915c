#!/usr/bin/env python3
"""How much of the time of `dodona hierarchy` is spent in the solver: solver.py DODONA SUBJECT...

Prints a row for each subject as CSV: processor seconds of Dodona itself and of the solver processes that it started, on one thread, and how many
questions about mutants the code left open. Times are read off /proc (Linux) while the command runs, so that both are of the same run.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def processor_time(pid):
    """User and system time of a process without its children, in seconds; None once it has gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def children(pid):
    """The processes that a process and its children started."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(child) for child in task.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found + [further for child in found for further in children(child)]


def measure(dodona, subject):
    """Seconds of Dodona, seconds of solvers, and the record."""
    with tempfile.TemporaryFile() as out:
        words = [dodona, "hierarchy", subject, "--inputs", "10000", "--jobs", "1", "--format", "json"]
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL)
        own, solvers = 0.0, {}
        while process.poll() is None:
            own = processor_time(process.pid) or own
            for child in children(process.pid):
                solvers[child] = processor_time(child) or solvers.get(child, 0.0)
            time.sleep(0.01)
        out.seek(0)
        return own, sum(solvers.values()), json.load(out)


def main():
    dodona, *subjects = sys.argv[1:]
    print("subject,mutants,questions,open,dodona,solver,share")
    for subject in subjects:
        own, solver, record = measure(dodona, subject)
        statics = record["statics"]
        share = solver / max(own + solver, 1 / TICKS)
        name = subject.split("subjects/")[-1]
        cells = [name, len(record["mutants"]), statics["questions"], statics["unknown"], f"{own:.2f}", f"{solver:.2f}", f"{share:.2f}"]
        print(*cells, sep=",", flush=True)


if __name__ == "__main__":
    main()
