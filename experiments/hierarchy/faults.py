"""Whether the inputs of a program's classes reveal known faults: the faulty versions of faults/.

  faults.py DODONA RANDOM INPUTS.jsonl NAME SUBJECT...
        runs the inputs of the classes of one program, and RANDOM random ones (a tenth of them where pairs of changes are tried, of which many never
        end), on each of its faulty versions; a line for each version, as comma-separated values: how many of the inputs of the classes reveal it, and how many of the random ones. Where a specification leaves
        several outputs open, another output than the original's need not be wrong: then the last two figures are the inputs whose output is wrong.

A version is compiled beside the original into one module, and Dodona checks that both end or fail alike and give the same. The first line of the
output is the header. A version that no input tells from the original has 0 twice.
"""

import csv
import json
import subprocess
import sys
import tempfile
import tomllib
from itertools import combinations
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAULTY = "faulty_version"
HEAD = ["program", "version", "what", "by_classes", "class_inputs", "by_random", "random_inputs", "wrong_by_classes", "wrong_by_random",
        "left_out"]

# What a correct output is, where the program leaves several open: {} is the output of the faulty version.
SPECIFICATION = {"find": "{0}[f] == sorted(xs)[f] and sorted({0}[..f]) == sorted(xs)[..f] and sorted({0}) == sorted(xs)"}


# What is wrong with versions that are tried one after the other.
ORDERS = ("first order", "second order")


def changed(source, changes, name):
    """The source with each change made; every piece that is replaced has to be there once."""
    for old, new in changes:
        if source.count(old) != 1:
            sys.exit(f"{name}: {old!r} is there {source.count(old)} times and not once")
        source = source.replace(old, new)
    return source


def versions(name, source, subjects):
    """The faulty versions of a program: name, what is wrong, the source; the reason where there is none."""
    for path in sorted((HERE / "faults").glob("*.toml")):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        for fault in data.get("fault", []):
            if fault.get("program", path.stem) != name:
                continue
            version = fault["version"]
            if "left_out" in fault:
                yield version, fault["what"], None, fault["left_out"]
            elif "file" in fault:
                yield version, fault["what"], (subjects / fault["file"]).read_text(encoding="utf-8"), ""
            else:
                yield version, fault["what"], changed(source, fault["change"], version), ""
        if path.stem == name and "single" in data:
            yield from pairs(source, data["single"])


def pairs(source, singles):
    """Each single change, and each two that replace different code."""
    for one in singles:
        yield one["name"], ORDERS[0], changed(source, [one["change"]], one["name"]), ""
    for one, other in combinations(singles, 2):
        if one["change"][0] not in other["change"][0] and other["change"][0] not in one["change"][0]:
            title = f"{one['name']}, {other['name']}"
            yield title, ORDERS[1], changed(source, [one["change"], other["change"]], title), ""


def write_subject(folder, manifest, name, original, faulty):
    """A subject of both versions: the second one's function has another name, and relations hold the two together."""
    head, function = manifest.split("[[function]]\n", 1)
    signature = next(line for line in function.splitlines() if line.startswith("signature"))
    declared = signature.split('"')[1]
    called = declared.split("(", 1)[0]
    names = [part.split(":")[0].strip() for part in declared.split("(", 1)[1].rsplit(")", 1)[0].split(", ") if ":" in part]
    arguments = ", ".join(names)
    output = f".{names[0]}" if "in-out" in function else ""
    one, other = f"{called}({arguments})", f"{FAULTY}({arguments})"
    kept = [line for line in function.splitlines() if not line.startswith(("signature", "relations"))]
    write = lambda file, text: (folder / file).write_text(text, encoding="utf-8")
    write("original.c", original)
    write("faulty.c", f"#define {called} {FAULTY}\n{faulty}")
    relations = [f"ends: defined({one}) == defined({other})", f"same: {one}{output} == {other}{output}"]
    if name in SPECIFICATION:
        relations.append(f"right: {SPECIFICATION[name].format(other + output)}")
    write("both.mr", "".join(f"relation {relation}\n" for relation in relations))
    parts = ['name = "both"\n\n[build]\nc = ["original.c", "faulty.c"]\n']
    for title in (declared, FAULTY + declared[len(called):]):
        parts.append("\n".join(["[[function]]", f'signature = "{title}"', 'relations = ["both.mr"]', *kept]) + "\n")
    write("dodona.toml", "\n".join(parts))


def revealing(dodona, folder, options):
    """How many inputs tell the versions apart, how many could be run, and of how many the output is wrong."""
    command = [dodona, "check", str(folder), "--keep", "nothing", "--format", "json", "--jobs", "1", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    record = json.loads(done.stdout)["subjects"][0]
    tallies = {relation["name"]: relation["tally"] for relation in record["relations"]}
    # An input on which one of the two fails has no verdict of the second relation.
    violated = tallies["ends"]["violated"] + tallies["same"]["violated"]
    run = tallies["ends"]["held"] + tallies["ends"]["violated"]
    wrong = tallies["ends"]["violated"] + tallies["right"]["violated"] + tallies["right"]["undefined"] if "right" in tallies else violated
    return violated, run, wrong


def main(dodona, random, inputs, name, subject):
    subject = Path(subject)
    original = (subject / f"{name}.c").read_text(encoding="utf-8")
    manifest = (subject / "dodona.toml").read_text(encoding="utf-8")
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(HEAD)
    for version, what, faulty, left_out in versions(name, original, HERE.parent.parent / "subjects"):
        if faulty is None:
            out.writerow([name, version, what, "", "", "", "", "", "", left_out])
            continue
        with tempfile.TemporaryDirectory() as folder:
            write_subject(Path(folder), manifest, name, original, faulty)
            by_classes = revealing(dodona, folder, ["--from", str(Path(inputs).resolve())])
            count = max(1, int(random) // 10) if what in ORDERS else random
            by_random = revealing(dodona, folder, ["--sources", str(count)])
        out.writerow([name, version, what, *by_classes[:2], *by_random[:2], by_classes[2], by_random[2], ""])
        sys.stdout.flush()


if len(sys.argv) != 6:
    sys.exit(__doc__)
main(*sys.argv[1:])
