"""The hard subjects: each is a folder with a manifest, made anew for every run."""

from pathlib import Path

# Turns of a loop of two divisions that wait for each other: 6 to 9 million units of fuel, of the 10 million that a call has.
TURNS = 400_000

SLOW_C = f"""
double slow(double x) {{
    double s = x;
    for (int i = 1; i < {TURNS}; i++) s = (s + i) / (1.0000001 + x / i);
    return s;
}}
"""

SLOW_SEQUENCE_C = f"""
double slow_sum(const double *xs, unsigned n) {{
    double s = 0;
    for (unsigned turn = 0; turn < {TURNS} / 2 / (n + 1); turn++)
        for (unsigned i = 0; i < n; i++) s = s / 1.0000001 + xs[i] / (turn + 1.0);
    for (unsigned turn = 0; turn < {TURNS} / 2; turn++) s = s / 1.0000001 + 1.0 / (turn + 1.0);
    return s;
}}
"""

SLOW_TEXT_C = f"""
unsigned slow_count(const char *s, unsigned n) {{
    unsigned hash = 1;
    for (unsigned turn = 0; turn < {TURNS} / 2; turn++)
        hash = hash * 31 + (n ? (unsigned char)s[turn % n] : 7);
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++) count += s[i] == 'a';
    return count + (hash == 12345);
}}
"""

SLOW_COMMAND_C = f"""
#include <stdio.h>
int main(void) {{
    unsigned hash = 1, count = 0;
    int c;
    while ((c = getchar()) != EOF) count += c == 'a';
    for (unsigned turn = 0; turn < {TURNS}; turn++) hash = hash * 31 + count % (turn + 1);
    printf("%u %u\\n", count, hash & 1);
    return 0;
}}
"""

# What it keeps from one call to the next makes every call need a fresh instance.
FRESH_C = f"""
static double memory[4096];
static unsigned calls;
double fresh(double x) {{
    double s = x;
    calls++;
    for (int i = 1; i < {TURNS} / 3; i++) {{
        memory[i & 4095] = s;
        s = (memory[(i * 7) & 4095] + i) / (1.0000001 + x / i) + calls;
    }}
    return s;
}}
"""

QUICK_C = """
double twice(double x) { return x + x; }
"""

# One call takes seconds.
LONG_C = """
double lengthy(double x) {
    double s = x;
    for (long long i = 1; i < 400000000; i++) s = (s + i) / (1.0000001 + x / i);
    return s;
}
"""

# Mutants of the conditions go on until their fuel is spent.
LOOPS_C = """
int loops(int n) {
    int s = 0;
    if (n < 0) n = -(n + 1);
    n &= 1023;
    for (int i = 0; i != n; i++)
        for (int j = 0; j != 64; j++)
            for (int k = 0; k != 8; k++) s += (i ^ j) * k;
    return s;
}
"""

# Equalities of products of 64 bits, which no solver decides soon.
PRODUCTS_C = """
long long cube(long long x) { return x * x * x + 3 * x * x + 5 * x + 7; }
"""

# A chain of roundings.
CHAIN_C = """
double chain(double x, double y) {
    double s = x;
    for (int i = 0; i < 6; i++) s = (s * y + x) / (1.0 + s * s);
    return s;
}
"""

# Every decision may go either way, and each turn makes a division.
MANY_PATHS_C = """
int many_paths(int a, int b, int c, int d) {
    int s = 0;
    for (int i = 0; i < 24; i++) {
        if ((a ^ i) * b % 7 == 3) s += c / (d | 1);
        if ((c + s) * d % 11 == i) s ^= a * b;
    }
    return s;
}
"""


def leb(number, signed=False):
    """A number as WebAssembly writes it."""
    out = bytearray()
    while True:
        byte, number = number & 0x7F, number >> 7
        if number == 0 and not (signed and byte & 0x40) or signed and number == -1 and byte & 0x40:
            return bytes(out + bytes([byte]))
        out.append(byte | 0x80)


def sized(content):
    return leb(len(content)) + content


def module(name, code):
    """A module of one function of two numbers and one local, written here: compilers take minutes for a function of a megabyte."""
    section = lambda number, content: bytes([number]) + sized(leb(1) + content)
    body = b"\x01\x01\x7f" + code + b"\x0b"
    return b"\0asm\x01\0\0\0" + b"".join(
        [
            section(1, b"\x60\x02\x7f\x7f\x01\x7f"),
            section(3, b"\0"),
            section(7, sized(name.encode()) + b"\0\0"),
            section(10, sized(body)),
        ]
    )


GET_A, GET_B, GET_S, SET_S = b"\x20\x00", b"\x20\x01", b"\x20\x02", b"\x21\x02"
ADD, MULTIPLY, XOR, GREATER, IF, ELSE, END = b"\x6a", b"\x6c", b"\x73", b"\x4a", b"\x04\x40", b"\x05", b"\x0b"


def constant(number):
    return b"\x41" + leb(number, signed=True)


def huge(statements):
    """s = s * c + (b ^ d), so many times, every tenth under a condition: 1.5 MB for 75,000."""
    code = GET_A + SET_S
    for i in range(statements):
        line = GET_S + constant(2 * i + 3) + MULTIPLY + GET_B + constant(i * 7919 % 100003) + XOR + ADD + SET_S
        if i % 10 == 0:
            line = GET_S + constant(i * 37 % 1009) + GREATER + IF + line + END
        code += line
    return module("huge", code + GET_S)


def nested(depth, times):
    """So many conditions, each within the one before, again and again."""
    code = GET_B + SET_S
    for t in range(times):
        for i in range(depth):
            code += GET_A + constant(t * 31) + XOR + constant(i * 3 - depth) + GREATER + IF
            code += GET_S + constant(i) + GET_A + MULTIPLY + ADD + SET_S
        code += (ELSE + GET_S + GET_B + ADD + SET_S + END) * depth
    return module("nested", code + GET_S)


def manifest(name, signature, more=""):
    return f"""name = "{name}"

[build]
c = ["{name}.c"]

[[function]]
signature = "{signature}"
relations = ["{name}.mr"]
{more}"""


SAMPLED = "sample.x = { range = [0.0, 100.0] }\n"

FIXED = {
    "slow": (SLOW_C, "slow(x: f64) -> f64", SAMPLED, ["slow(x) <= slow(x + 1)", "slow(x) == slow(x + 0)"]),
    "slow_sum": (
        SLOW_SEQUENCE_C,
        "slow_sum(xs: [f64]) -> f64",
        "",
        ["slow_sum(xs) == slow_sum(xs)", "slow_sum(reverse(xs)) >= slow_sum(xs) or true"],
    ),
    "slow_count": (
        SLOW_TEXT_C,
        "slow_count(s: text) -> u32",
        "",
        ["slow_count(s) <= len(s)", 'slow_count(concat(s, "a")) >= slow_count(s)'],
    ),
    "slow_command": (
        SLOW_COMMAND_C,
        "slow_command(input: text) -> command",
        'lower.input = "stdin"\n',
        ["slow_command(input).exit == 0", "slow_command(reverse(input)).stdout == slow_command(input).stdout"],
    ),
    "fresh": (FRESH_C, "fresh(x: f64) -> f64", SAMPLED, ["fresh(x) == fresh(x + 0)"]),
    "loops": (LOOPS_C, "loops(n: i32) -> i32", "", ["loops(n) == loops(-n - 1)", "loops(n) == loops(n + 0)"]),
    "lengthy": (
        LONG_C,
        "lengthy(x: f64) -> f64",
        SAMPLED + "\n[limits]\nfuel = 100000000000\n",
        ["lengthy(x) <= lengthy(x + 1)"],
    ),
    "cube": (
        PRODUCTS_C,
        "cube(x: i64) -> i64",
        "",
        ["wrapping: cube(x) != 123456789123456789", "cube(x) != cube(x + 1)", "cube(x) != 987654321987654321"],
    ),
    "chain": (
        CHAIN_C,
        "chain(x: f64, y: f64) -> f64",
        "",
        ["chain(x, y) != 0.123456789 or x == 0", "when x > 1 and y > 1: chain(x, y) < chain(x, y + 1) + 3"],
    ),
    "many_paths": (
        MANY_PATHS_C,
        "many_paths(a: i32, b: i32, c: i32, d: i32) -> i32",
        "",
        ["many_paths(a, b, c, d) != 123456789"],
    ),
}


# What a specification would distinguish, for the verbs that work with frames.
ONE_NUMBER = """
[input.size]
small = "x < 10"
middle = "x >= 10 and x < 50"
large = "not (x < 50)"

[output.sign]
low = "result < 1000"
high = "not (result < 1000)"
"""

FRAMES = {
    "slow": ONE_NUMBER,
    "fresh": ONE_NUMBER,
    "lengthy": ONE_NUMBER,
    "slow_sum": """
[input.length]
empty = "len(xs) == 0"
one = "len(xs) == 1"
more = "len(xs) > 1"

[output.sign]
low = "result < 1000"
high = "not (result < 1000)"
""",
    "many_paths": "".join(
        f'[input.{name}]\nlow = "{name} < 0"\nnone = "{name} == 0"\nhigh = "{name} > 0"\n' for name in "abcd"
    )
    + """
[input.odd]
even = "(a * b + c * d) mod 7 < 3"
odd = "(a * b + c * d) mod 7 >= 3"

[output.sign]
low = "result < 0"
high = "result >= 0"
""",
}


def write(folder, name, code, signature, more, relations):
    folder = Path(folder) / name
    folder.mkdir()
    (folder / f"{name}.c").write_text(code)
    (folder / "dodona.toml").write_text(manifest(name, signature, more))
    if name in FRAMES:
        (folder / "frames.toml").write_text(FRAMES[name])
    texts = (f"relation r{i}: {text}" for i, text in enumerate(relations))
    (folder / f"{name}.mr").write_text("\n".join(texts) + "\n")
    return folder


MODULES = {"huge": lambda: huge(75_000), "nested": lambda: nested(200, 60)}


def write_module(folder, name):
    folder = Path(folder) / name
    folder.mkdir()
    (folder / f"{name}.wasm").write_bytes(MODULES[name]())
    (folder / f"{name}.mr").write_text(f"relation r0: {name}(a, b) == {name}(a, b + 0)\n")
    signature = f"{name}(a: i32, b: i32) -> i32"
    build = f'[build]\nc = ["{name}.c"]\n'
    (folder / "dodona.toml").write_text(manifest(name, signature).replace(build, f'module = "{name}.wasm"\n'))
    return folder


def relations(count):
    """As many relations of a quick function, each different."""
    return [f"twice(x * {i + 1}) == twice(x) * {i + 1} or x != {i}" for i in range(count)]


def make(folder, name):
    """Makes the subject of this name and gives its folder."""
    if name.startswith("relations_"):
        return write(folder, name, QUICK_C, "twice(x: f64) -> f64", SAMPLED, relations(int(name.split("_")[1])))
    if name in MODULES:
        return write_module(folder, name)
    code, signature, more, texts = FIXED[name]
    return write(folder, name, code, signature, more, [text.removeprefix("wrapping: ") for text in texts])
