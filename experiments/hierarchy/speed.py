"""Times `dodona mutate` against `dodona mutate --hierarchy`: alternating runs on one thread, medians of the user time.

  speed.py DODONA REPEATS LEAST SUBJECT...     a line a subject that has more than LEAST mutants, as comma-separated values
"""

import json
import os
import statistics
import subprocess
import sys


def user_seconds(command):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}")
    return usage.ru_utime


def main(dodona, repeats, least, *subjects):
    print("subject,mutants,repeats,mutate,hierarchy,ratio", flush=True)
    for subject in subjects:
        plain = [dodona, "mutate", subject, "--jobs", "1"]
        listed = subprocess.run([*plain, "--list", "--format", "json"], check=True, capture_output=True).stdout
        mutants = sum(len(one["mutants"]) for one in json.loads(listed)["subjects"])
        if mutants <= int(least):
            continue
        times = ([], [])
        for _ in range(int(repeats)):
            times[0].append(user_seconds(plain))
            times[1].append(user_seconds([*plain, "--hierarchy"]))
        every, strong = map(statistics.median, times)
        name = subject.removeprefix("../../subjects/")
        print(f"{name},{mutants},{repeats},{every:.3f},{strong:.3f},{every / strong:.2f}", flush=True)


if len(sys.argv) < 5:
    sys.exit(__doc__)
main(*sys.argv[1:])
