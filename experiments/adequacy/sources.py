"""Mutants that the relations of each origin kill: hand-written, discovered and identified ones.

sources.py DODONA SUBJECT IDENTIFIED.mr SECONDS: SECONDS for discovery. Prints a line for each origin.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def killed(dodona, subject, relations):
    """The numbers of the mutants that these relations kill with 1,000 source inputs each, all that inputs reveal, and how many relations there are."""
    command = [dodona, "mutate", subject, "--callees=source", "--format", "json"]
    command += ["--relations", relations] if relations else []
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 3) or not done.stdout:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    record = json.loads(done.stdout)["subjects"][0]
    distinct = [mutant for mutant in record["mutants"] if mutant["judgement"]["status"] in ("killed", "alive")]
    kills = {mutant["id"] for mutant in distinct if mutant["killed_by"]}
    return kills, {mutant["id"] for mutant in distinct if mutant["revealed_by"]} | kills, len(record["relations"])


def main():
    dodona, subject, identified, seconds = sys.argv[1:]
    name = Path(subject).name
    with tempfile.TemporaryDirectory() as work:
        discovered = str(Path(work) / "discovered.mr")
        command = [dodona, "discover", subject, "--all", "--relations", "16", "--time", seconds, "--output", discovered, "--overwrite"]
        subprocess.run(command, capture_output=True, text=True)
        files = {"written": None, "discovered": discovered, "identified": identified}
        found = {origin: killed(dodona, subject, file) for origin, file in files.items() if file is None or Path(file).exists()}
    everything = set().union(*(revealed for _, revealed, _ in found.values()))
    print("subject,origin,relations,revealed,killed,only")
    for origin, (kills, _, relations) in found.items():
        others = set().union(*(other for which, (other, _, _) in found.items() if which != origin))
        print(f"{name},{origin},{relations},{len(everything)},{len(kills)},{len(kills - others)}")


main()
