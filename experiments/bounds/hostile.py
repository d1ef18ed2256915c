#!/usr/bin/env python3
"""Puts hostile modules and files through every verb: hostile.py DODONA [--only WORD] [--verb VERB] [--seconds N]

Each case is a subject that is made to cost memory, time or stack: deep nesting, huge functions, many functions, large tables,
wide switches, long names, long data. A row of the table is a case and a verb with seconds, the most memory in MB, and the exit code.
What ends by a signal (a panic with an abort, an overflow of the stack, the system's killer) or in a panic (exit code 5 or 101), or
takes longer than it may, is marked. Exits with 1 where a row is marked.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# Memory that a case may take: --memory is below it, so that Dodona ends by itself.
CEILING, MOST_MEMORY = "3GiB", 5 << 30

VERBS = {
    "check": ["check", "{}", "--sources", "50", "--keep", "nothing"],
    "call": ["call", "{}", "f(1)"],
    "cover": ["cover", "{}", "--inputs", "20"],
    "generate": ["generate", "{}", "--time", "5", "--count", "5"],
    "prove": ["prove", "{}", "--time", "5"],
    "mutate": ["mutate", "{}", "--inputs", "20"],
    "mutate --list": ["mutate", "{}", "--list"],
    "discover": ["discover", "{}", "--time", "5"],
    "relations": ["relations", "{}"],
}


def leb(n):
    out = b""
    while True:
        byte, n = n & 0x7F, n >> 7
        if n == 0:
            return out + bytes([byte])
        out += bytes([byte | 0x80])


def sleb(n):
    out = b""
    while True:
        byte, n = n & 0x7F, n >> 7
        if (n == 0 and not byte & 0x40) or (n == -1 and byte & 0x40):
            return out + bytes([byte])
        out += bytes([byte | 0x80])


def section(number, content):
    return bytes([number]) + leb(len(content)) + content


def code(body, local_groups=()):
    groups = b"".join(leb(count) + bytes([ty]) for count, ty in local_groups)
    content = leb(len(local_groups)) + groups + body + b"\x0b"
    return leb(len(content)) + content


def module(bodies, memory=b"", table=b"", elements=b"", data=b"", export="f", name=b"", extra=b""):
    """A module whose functions take and give an i32; the first is exported."""
    export = export.encode()
    exports = b"\x01" + leb(len(export)) + export + b"\x00\x00"
    if memory:
        exports = b"\x02" + exports[1:] + b"\x06memory\x02\x00"
    out = b"\0asm\1\0\0\0" + section(1, b"\x01\x60\x01\x7f\x01\x7f")
    out += section(3, leb(len(bodies)) + b"\x00" * len(bodies))
    if table:
        out += section(4, table)
    if memory:
        out += section(5, memory)
    out += section(7, exports)
    if elements:
        out += section(9, elements)
    if data and name != "passive":
        out += section(10, leb(len(bodies)) + b"".join(bodies)) + section(11, data)
    else:
        out += section(10, leb(len(bodies)) + b"".join(bodies))
    return out + extra


GET = b"\x20\x00"
ADD, MUL = b"\x6a", b"\x6c"
CONST = lambda n: b"\x41" + sleb(n)


def nested(opening, depth):
    return module([code(opening * depth + b"\x0b" * depth + GET)])


def expression(operands):
    return module([code(GET + b"".join(GET + (ADD if i % 2 else MUL) for i in range(operands)))])


def right_expression(operands):
    """x * (x + (x * ...)): as deep on the operand stack as it is long."""
    return module([code(GET * (operands + 1) + b"".join(ADD if i % 2 else MUL for i in range(operands)))])


def branches(count):
    return module([code(b"".join(GET + CONST(i) + b"\x46\x04\x40" + GET + CONST(i) + ADD + b"\x0f\x0b" for i in range(count)) + GET)])


def switch(targets):
    table = GET + b"\x0e" + leb(targets) + b"".join(leb(i % 2) for i in range(targets)) + b"\x00"
    return module([code(b"\x02\x40\x02\x40" + table + b"\x0b" + CONST(1) + b"\x0f\x0b" + CONST(2))])


def wide_switch(targets):
    table = GET + b"\x0e" + leb(targets) + b"".join(leb(i) for i in range(targets)) + leb(targets)
    return module([code(b"\x02\x40" * (targets + 1) + table + b"\x0b" * (targets + 1) + GET)])


def ifs(depth):
    return module([code((GET + b"\x04\x40") * depth + b"\x0b" * depth + GET)])


def functions(count):
    bodies = [code(GET + b"\x10" + leb(1))]
    bodies += [code(GET + CONST(i) + ADD + b"\x10" + leb(i + 1)) for i in range(1, count - 1)]
    return module([*bodies, code(GET)])


def long_name(length):
    names = section(0, b"\x04name" + b"\x01" + leb(len(leb(1) + b"\x00" + leb(length)) + length) + leb(1) + b"\x00" + leb(length) + b"n" * length)
    return module([code(GET + CONST(1) + ADD)], extra=names)


def loops(depth):
    return module([code(b"\x03\x40" * depth + b"\x0b" * depth + GET)])


def selects(count):
    return module([code(GET + b"".join(GET + GET + CONST(i) + b"\x46\x1b" for i in range(count)))])


def stores(count):
    return module([code(b"".join(CONST(8 * i % 65528) + GET + b"\x36\x02\x00" for i in range(count)) + GET)], memory=b"\x01\x00\x01")


CONST_TABLE = lambda n: b"\x01\x70\x00" + leb(n)

MODULES = {
    "1,000,000 nested blocks": lambda: nested(b"\x02\x40", 1_000_000),
    "100,000 nested loops": lambda: loops(100_000),
    "30,000 nested ifs": lambda: ifs(30_000),
    "expression of 20,000 operands": lambda: expression(20_000),
    "expression of 20,000 operands, from the right": lambda: right_expression(20_000),
    "20,000 branches": lambda: branches(20_000),
    "switch of 60,000 entries": lambda: switch(60_000),
    "switch of 20,000 ways": lambda: wide_switch(20_000),
    "10,000 functions": lambda: functions(10_000),
    "40,000 locals": lambda: module([code(GET, [(40_000, 0x7F)])]),
    "5,000 selects": lambda: selects(5_000),
    "50,000 stores": lambda: stores(50_000),
    "table of 10,000,000": lambda: module([code(GET)], table=CONST_TABLE(10_000_000)),
    "memory of 4 GiB": lambda: module([code(GET)], memory=b"\x01\x00" + leb(65_536)),
    "50 MB of data": lambda: module([code(GET)], memory=b"\x01\x00" + leb(1_000), data=b"\x01\x00" + CONST(0) + b"\x0b" + leb(50_000_000) + b"d" * 50_000_000),
    "name of 1,000,000 characters": lambda: long_name(1_000_000),
    "20 MB of a custom section": lambda: module([code(GET)], extra=section(0, b"\x0b.debug_info" + b"\x7f" * 20_000_000)),
    "endless loop": lambda: module([code(b"\x03\x40\x0c\x00\x0b\x00")]),
    "endless recursion": lambda: module([code(GET + b"\x10\x00")]),
    "grows without end": lambda: module([code(b"\x03\x40" + CONST(16) + b"\x40\x00\x1a\x0c\x00\x0b\x00")], memory=b"\x01\x00\x01"),
}

MANIFEST = """name = "hostile"
module = "hostile.wasm"
relations = ["hostile.mr"]
[[function]]
signature = "f(x: i32) -> i32"
"""

# Broken on purpose: f(x) is x.
RELATIONS = "relation same: f(x) == f(x)\nrelation odd: f(x) == f(x + 1) - 1\n"

LONG_C = """
int has(const int *xs, unsigned n) { for (unsigned i = 0; i < n; i++) if (xs[i] == 77777) return 1; return 0; }
int hast(const char *s, unsigned n) { for (unsigned i = 0; i < n; i++) if (s[i] == '=') return 1; return 0; }
int first(const int *xs, unsigned n) { return n ? xs[0] : 0; }
"""


def long_data(folder, signature, relation, values):
    """Data of so many elements that violates a relation, in a file."""
    (folder / "long.c").write_text(LONG_C)
    (folder / "dodona.toml").write_text(f'name = "long"\nrelations = ["long.mr"]\n[build]\nc = ["long.c"]\n[[function]]\nsignature = "{signature}"\n')
    (folder / "long.mr").write_text(relation)
    (folder / "long.jsonl").write_text(values + "\n")


def numbers(count):
    return "[" + ",".join("77777" if i == count * 2 // 3 else str(i) for i in range(count)) + "]"


DATA = {
    f"{count:,} elements that violate": (count, 'has(xs: [i32]) -> i32', "relation none: has(xs) == 0\n", lambda n: '{"xs":' + numbers(n) + "}")
    for count in (2_000, 8_000, 60_000)
}
DATA["60,000 elements, half of which matter"] = (60_000, 'has(xs: [i32]) -> i32', "relation short: len(xs) < 30000 or has(xs) == 2\n", lambda n: '{"xs":' + numbers(n) + "}")
DATA["60,000 characters that violate"] = (60_000, 'hast(s: text) -> i32', "relation none: hast(s) == 0\n", lambda n: '{"s":"' + "abcdef" * (n // 12) + "=" + "xyz" * (n // 6) + '"}')
DATA["60,000 elements, each of which matters"] = (60_000, 'has(xs: [i32]) -> i32', "relation short: len(xs) < 60000 or has(xs) == 2\n", lambda n: '{"xs":' + numbers(n) + "}")


def measured(words, seconds):
    """Runs it: seconds, the most memory in bytes (with its children's), the exit code, and what it wrote to standard error."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    began, most = time.monotonic(), 0
    with tempfile.TemporaryFile() as err:
        run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=err, preexec_fn=limit, start_new_session=True)
        timer = threading.Timer(seconds, lambda: os.killpg(run.pid, 9))
        timer.start()
        while run.poll() is None:
            try:
                status = Path(f"/proc/{run.pid}/status").read_text()
                now = next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM")), 0)
                most = max(most, now)
                if most > MOST_MEMORY:
                    os.killpg(run.pid, 9)
            except (FileNotFoundError, ProcessLookupError, StopIteration):
                pass
            time.sleep(0.01)
        timer.cancel()
        err.seek(0)
        text = err.read(4000).decode(errors="replace")
    return time.monotonic() - began, most, run.returncode, text


def mark(took, exit_code, text, seconds):
    if exit_code < 0:
        return f"signal {-exit_code}" + (", too slow" if took >= seconds else "")
    if exit_code in (5, 101) or "panicked" in text:
        return "panic"
    return ""


def cases(folder, only):
    for name, make in MODULES.items():
        if only in name:
            at = folder / name.replace(" ", "-").replace(",", "")
            at.mkdir()
            (at / "dodona.toml").write_text(MANIFEST)
            (at / "hostile.mr").write_text(RELATIONS)
            (at / "hostile.wasm").write_bytes(make())
            yield name, at, VERBS
    for name, (count, signature, relation, values) in DATA.items():
        if only in name:
            at = folder / name.replace(" ", "-").replace(",", "")
            at.mkdir()
            long_data(at, signature, relation, values(count))
            yield name, at, {"check --from": ["check", "{}", "--from", str(at / "long.jsonl"), "--keep", "nothing"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dodona")
    parser.add_argument("--only", default="", help="cases whose name has this")
    parser.add_argument("--verb", default="", help="verbs whose name has this")
    parser.add_argument("--ceiling", default=CEILING, help="--memory; nothing for a Dodona without it")
    parser.add_argument("--seconds", type=float, default=60, help="nobody waits longer for a row")
    args = parser.parse_args()
    print("| case | verb | seconds | MB | exit | |\n| --- | --- | --- | --- | --- | --- |", flush=True)
    marked = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, at, verbs in cases(Path(folder), args.only):
            for verb, words in verbs.items():
                if args.verb not in verb:
                    continue
                ceiling = ["--memory", args.ceiling] if args.ceiling else []
                words = [args.dodona, *ceiling, *(word.format(at) for word in words)]
                took, most, exit_code, text = measured(words, args.seconds)
                wrong = mark(took, exit_code, text, args.seconds)
                marked += bool(wrong)
                if wrong:
                    print(text[:400], file=sys.stderr)
                print(f"| {name} | {verb} | {took:.1f} | {most / 1e6:.0f} | {exit_code} | {wrong} |", flush=True)
    return 1 if marked else 0


if __name__ == "__main__":
    sys.exit(main())
