#!/usr/bin/env python3
"""What a run costs, as a formula of functions, groups and mutants: fitted to runs of three sizes, and held against runs of other sizes.

    ./measure.py DODONA

Each subject has so many functions of a few instructions with a loop, and a relation each. What is measured is processor time and the memory of the process, and the bytes of the file that a shard
with all of it writes. One run at a time on one thread; nothing else should run beside it.
"""

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import table, write

HERE = Path(__file__).parent

# Functions, random inputs, and the most mutants of a function. The fit is of the first ones.
FITTED = [(4, 200, 50), (4, 2000, 50), (4, 20000, 50), (16, 200, 200), (16, 2000, 50), (16, 10000, 50), (64, 200, 50), (64, 1000, 200)]
PREDICTED = [(32, 500, 100), (8, 8000, 200), (128, 100, 25), (96, 2000, 200)]


def subject(folder, functions):
    """A module of functions that add up numbers in a loop, each with a constant of its own."""
    def function(n):
        return f"""(func (export "f{n}") (param i64) (result i64) (local i64 i64)
            (local.set 1 (i64.and (local.get 0) (i64.const 15)))
            (loop $again
                (local.set 2 (i64.add (local.get 2) (i64.mul (local.get 1) (i64.const {n + 3}))))
                (local.set 1 (i64.sub (local.get 1) (i64.const 1)))
                (br_if $again (i64.gt_s (local.get 1) (i64.const 0))))
            (i64.add (local.get 2) (i64.mul (local.get 0) (local.get 0))))"""
    folder.mkdir()
    (folder / "m.wat").write_text("(module " + "\n".join(map(function, range(functions))) + ")")
    (folder / "m.mr").write_text("".join(f"relation r{n}: f{n}(x) == f{n}(x + 0)\n" for n in range(functions)))
    declared = "".join(
        f'[[function]]\nsignature = "f{n}(x: i64) -> i64"\ndomain.x = {{ range = [-1000, 1000] }}\n'
        for n in range(functions)
    )
    (folder / "dodona.toml").write_text(f'module = "m.wat"\nrelations = ["m.mr"]\n{declared}')


def measured(dodona, functions, inputs, mutants):
    with tempfile.TemporaryDirectory() as home:
        subject(Path(home) / "s", functions)
        command = [dodona, "run", "s", "--inputs", str(inputs), "--mutants", str(mutants), "--time", "1h", "--jobs", "1", "--shard", "1/1"]
        process = subprocess.Popen(command, cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        assert status == 0, (command, status)
        merge = subprocess.Popen([dodona, "merge", "shards"], cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, merged = os.wait4(merge.pid, 0)
        assert status == 0
        question = "SELECT sum(held + violated) AS groups, (SELECT count(*) FROM mutant) AS mutants FROM verdict"
        answer = subprocess.run([dodona, "query", question, "--format", "csv"], cwd=home, capture_output=True, text=True, check=True)
        row = next(csv.DictReader(answer.stdout.splitlines()))
        return {
            "functions": functions,
            "inputs": inputs,
            "groups": int(row["groups"]),
            "mutants": int(row["mutants"]),
            "seconds": round(used.ru_utime + used.ru_stime, 2),
            "MB": round(used.ru_maxrss / 1000),
            "bytes": (Path(home) / "shards/1-of-1.shard").stat().st_size,
            "merge seconds": round(merged.ru_utime + merged.ru_stime, 2),
            "merge MB": round(merged.ru_maxrss / 1000),
        }


def terms(row):
    """What the processor time is a sum of: a constant, functions, pairs of functions of a module, groups, mutants, and runs of mutants on inputs."""
    functions = row["functions"]
    return [1.0, functions, functions**2 / 1e3, row["groups"] / 1e6, row["mutants"] / 1e3, row["mutants"] * row["inputs"] / 1e6]


def fit(rows, terms, value):
    """Least squares of the relative error, by the normal equations. A term that would be negative is left out."""
    used = list(range(len(terms(rows[0]))))
    while True:
        a = [[terms(row)[i] / value(row) for i in used] for row in rows]
        m = [[sum(x[i] * x[j] for x in a) for j in range(len(used))] + [sum(x[i] for x in a)] for i in range(len(used))]
        for i in range(len(used)):
            pivot = max(range(i, len(used)), key=lambda k: abs(m[k][i]))
            m[i], m[pivot] = m[pivot], m[i]
            m[i] = [x / m[i][i] for x in m[i]]
            for k in range(len(used)):
                if k != i:
                    m[k] = [x - m[k][i] * y for x, y in zip(m[k], m[i])]
        found = {used[i]: m[i][-1] for i in range(len(used))}
        if all(x >= 0 for x in found.values()):
            return [found.get(i, 0.0) for i in range(len(terms(rows[0])))]
        used.remove(min(found, key=found.get))


def predicted(factors, terms):
    return sum(f * t for f, t in zip(factors, terms))


def main():
    dodona = os.path.abspath(sys.argv[1])
    rows = [measured(dodona, *size) for size in FITTED + PREDICTED]
    write(HERE / "results.csv", rows)
    fitted = rows[: len(FITTED)]
    seconds = fit(fitted, terms, lambda row: row["seconds"])
    size = lambda row: [1.0, row["functions"], row["mutants"]]
    bytes_ = fit(fitted, size, lambda row: row["bytes"])
    merge = fit(fitted, size, lambda row: row["merge seconds"])
    print("seconds = {:.3f} + {:.4f} functions + {:.3f} functions²/10³ + {:.3f} groups/10⁶ + {:.3f} mutants/10³ + {:.3f} mutants × inputs/10⁶".format(*seconds))
    print("bytes = {:.0f} + {:.0f} functions + {:.0f} mutants".format(*bytes_))
    print("seconds of the merge = {:.3f} + {:.4f} functions + {:.6f} mutants\n".format(*merge))
    head = ["functions", "inputs", "groups", "mutants", "seconds", "by the formula", "bytes", "by the formula", "merge", "by the formula", "MB", "MB of the merge"]
    for title, part in (("Fitted:", fitted), ("Not fitted:", rows[len(FITTED):])):
        print(title + "\n")
        table(head, [
            [
                row["functions"], row["inputs"], row["groups"], row["mutants"], f"{row['seconds']:.1f}", f"{predicted(seconds, terms(row)):.1f}",
                row["bytes"], f"{predicted(bytes_, size(row)):.0f}", f"{row['merge seconds']:.2f}", f"{predicted(merge, size(row)):.2f}", row["MB"], row["merge MB"],
            ]
            for row in part
        ])


if __name__ == "__main__":
    main()
