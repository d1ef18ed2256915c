#!/usr/bin/env python3
"""The relations of subjects/genmorph, checked on the Java methods that its Rust functions are written after, and both compared input by input.

usage: run.py DODONA [SOURCES] [relations|agreement [METHOD...]]; needs a JDK and Debian's libcommons-lang3-java, libcommons-math3-java and libguava-java.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

SUBJECT = pathlib.Path(__file__).resolve().parents[3] / "subjects" / "genmorph"
JARS = [f"/usr/share/java/{name}.jar" for name in ("commons-math3", "commons-lang3", "guava")]
MATH, LANG, GUAVA = "org.apache.commons.math3", "org.apache.commons.lang3", "com.google.common"
# Where each function is from. `sort` changes its argument in place, which does not come back from a worker.
METHODS = {
    "nextPrime": f"{MATH}.primes.Primes:nextPrime",
    "isPrime": f"{MATH}.primes.Primes:isPrime",
    "gcd": f"{MATH}.util.ArithmeticUtils:gcd(int,int)",
    "pow": f"{MATH}.util.ArithmeticUtils:pow(int,int)",
    "stirling": f"{MATH}.util.CombinatoricsUtils:stirlingS2",
    "acos": f"{MATH}.util.FastMath:acos",
    "log10": f"{MATH}.util.FastMath:log10",
    "sin": f"{MATH}.util.FastMath:sin",
    "sinh": f"{MATH}.util.FastMath:sinh",
    "tan": f"{MATH}.util.FastMath:tan",
    "abbreviate": f"{LANG}.StringUtils:abbreviate(String,String,int,int)",
    "capitalize": f"{LANG}.StringUtils:capitalize",
    "center": f"{LANG}.StringUtils:center(String,int,String)",
    "difference": f"{LANG}.StringUtils:difference(String,String)",
    "isSorted": f"{LANG}.ArrayUtils:isSorted(int[])",
    "indexOf": f"{GUAVA}.primitives.Booleans:indexOf(boolean[],boolean[])",
    "join": f"{GUAVA}.primitives.Booleans:join",
    "meanOf": f"{GUAVA}.math.Stats:meanOf(int[])",
    "min": f"{GUAVA}.primitives.Ints:min",
    "padStart": f"{GUAVA}.base.Strings:padStart",
    "repeat": f"{GUAVA}.base.Strings:repeat",
    "truncate": f"{GUAVA}.base.Ascii:truncate",
}


def functions():
    """The functions that are methods too, by name, each with its entry of the manifest."""
    _, *entries = SUBJECT.joinpath("dodona.toml").read_text().split("[[function]]")
    named = {re.search(r'signature = "(\w+)', entry)[1]: entry for entry in entries}
    absolute = lambda text: text.replace("relations/", f"{SUBJECT}/relations/").replace('"../', f'"{SUBJECT.parent}/')
    return {name: absolute(entry).strip() for name, entry in named.items() if name in METHODS}


def of_methods():
    """The manifest of the subject, with the methods in place of the exports of the crate."""
    out = f"name = \"originals\"\n[target]\njava = \"{MATH}.util.FastMath\"\nclasspath = {json.dumps(JARS)}\n"
    for name, entry in functions().items():
        lines = [line for line in entry.splitlines() if not re.match(r"(export|lower|result|capacity|arguments)\b", line)]
        out += "\n[[function]]\n" + "\n".join(lines) + f"\npath = \"{METHODS[name]}\"\n"
    return out


def of_crate():
    """The manifest of the subject, without the functions that are no methods."""
    entries = "".join(f"\n[[function]]\n{entry}\n" for entry in functions().values())
    return f"name = \"rewritten\"\n[build]\nrust = \"{SUBJECT}\"\n{entries}"


def agreement(dodona, inputs, wanted):
    """How many inputs each method and its Rust version end differently on."""
    print("| method | inputs | differ | first of them |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        originals, rewritten = pathlib.Path(folder, "originals"), pathlib.Path(folder, "rewritten")
        for place, text in ((originals, of_methods()), (rewritten, of_crate())):
            place.mkdir()
            place.joinpath("dodona.toml").write_text(text)
        for name in wanted or functions():
            words = [dodona, "mutate", str(originals), "--function", name, "--versions", str(rewritten), "--against", "inputs", "--inputs", inputs, "--format", "json"]
            ran = subprocess.run(words, capture_output=True, text=True, check=False)
            if not ran.stdout:
                sys.exit(ran.stderr)
            record = json.loads(ran.stdout)["subjects"][0]
            version = record["versions"][0]
            if version["judgement"]["status"] == "not-run":
                sys.exit(f"{name}: {record['warnings']}")
            found = version["revealed_by"]
            shown = "" if found is None else ", ".join(f"{one['name']} = {one['value']}" for one in found["first"]) + f": {found['expected']} and {found['found']}"
            print(f"| `{name}` | {record['inputs']:,} | {found['inputs'] if found else 0:,} | {shown} |", flush=True)


def main():
    dodona, sources = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "100000"
    if sys.argv[3:4] == ["agreement"]:
        agreement(dodona, sources, sys.argv[4:])
        return
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "dodona.toml")
        file.write_text(of_methods())
        words = [dodona, "check", str(file), "--sources", sources, "--keep", "nothing", "--no-cache", "--format", "json"]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        if not ran.stdout:
            sys.exit(ran.stderr)
        record = json.loads(ran.stdout)
        record = (record["subjects"] if "subjects" in record else record)[0]
    of_function = {}
    for relation in record["relations"]:
        name = re.search(r"\b(" + "|".join(METHODS) + r")\(", relation["text"])
        # One about whatever a call returns names no method of its own: `p' = q expect out' == out`.
        of_function.setdefault(name[1] if name else relation["file"].split("/")[-1].removesuffix(".mr"), []).append(relation)
    print("| method | relations | groups | violated |\n| --- | --- | --- | --- |")
    for name, relations in of_function.items():
        groups = sum(one["tally"]["held"] + one["tally"]["violated"] for one in relations)
        violated = [f"{one['name']} ({one['tally']['violated']:,})" for one in relations if one["tally"]["violated"]]
        print(f"| `{name}` | {len(relations)} | {groups:,} | {', '.join(violated) or 'none'} |")
    for relation in record["relations"]:
        if found := relation["counterexample"]:
            source = ", ".join(f"{one['name']} = {one['value']}" for one in found["source"])
            print(f"\n`{relation['name']}` for {source}: {found['why']}")


main()
