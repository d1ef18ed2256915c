#!/usr/bin/env python3
"""The relations of subjects/genmorph, checked on the Java methods that its Rust functions are written after.

usage: run.py DODONA [SOURCES]; needs a JDK and Debian's libcommons-lang3-java, libcommons-math3-java and libguava-java.
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


def manifest():
    """The manifest of the subject, with the methods in place of the exports of the crate."""
    head, *functions = SUBJECT.joinpath("dodona.toml").read_text().split("[[function]]")
    out = f"name = \"originals\"\n[target]\njava = \"{MATH}.util.FastMath\"\nclasspath = {json.dumps(JARS)}\n"
    for function in functions:
        name = re.search(r'signature = "(\w+)', function)[1]
        if name not in METHODS:
            continue
        lines = [line for line in function.splitlines() if not re.match(r"(export|lower|result|capacity|arguments)\b", line)]
        text = "\n".join(lines).replace("relations/", f"{SUBJECT}/relations/").replace('"../', f'"{SUBJECT.parent}/')
        out += f"\n[[function]]\n{text.strip()}\npath = \"{METHODS[name]}\"\n"
    return out


def main():
    dodona, sources = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "100000"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "dodona.toml")
        file.write_text(manifest())
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
