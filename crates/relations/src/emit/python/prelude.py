# What the words of relations mean, as they stand at the end of the Python files that are written. Each item begins with
# a line of its names, by which only what a file needs is taken.
#: MrCall
class MrCall:
    """A call of a function under test. Its outputs are None where it did not return."""

    def __init__(self, text, outputs=None, made=True, trap=False):
        self.text, self.outputs, self.made, self.trap = text, outputs, made, trap

    def __getitem__(self, index):
        return None if self.outputs is None else self.outputs[index]

    @property
    def returned(self):
        return self.outputs is not None

    @property
    def failed(self):
        return self.made and self.outputs is None

    @property
    def traps(self):
        return self.trap if self.made else None

    def __repr__(self):
        if not self.made:
            return f"{self.text} is not called"
        if self.outputs is None:
            return f"{self.text} {'traps' if self.trap else 'does not return'}"
        return f"{self.text} gives {', '.join(map(repr, self.outputs))}"


#: mr_judge
def mr_judge(calls, expected):
    """The verdict: what is expected is true, and no follow-up call failed where the source calls returned."""
    failed = [standing for standing, call in calls if call.failed]
    crashed = FOLLOW_UP in failed and SOURCE not in failed
    if expected is True and not crashed:
        return
    if crashed:
        why = "a follow-up call fails where the source calls return"
    else:
        why = "what is expected " + ("has no value" if expected is None else "is false")
    raise AssertionError("\n    ".join([why + ":"] + [repr(call) for _, call in calls]))


#: mr_instance
MR_CONFIG = wasmtime.Config()
MR_CONFIG.consume_fuel = True
MR_ENGINE = wasmtime.Engine(MR_CONFIG)


@functools.cache
def mr_module():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), MODULE)
    module = wasmtime.Module.from_file(MR_ENGINE, MODULE if os.path.exists(MODULE) else beside)
    linker = wasmtime.Linker(MR_ENGINE)
    linker.define_wasi()
    linker.define_unknown_imports_as_traps(module)
    return module, linker


def mr_instance(wasi):
    """The module's exports in a new instance, and their store: no call sees what another left."""
    module, linker = mr_module()
    store = wasmtime.Store(MR_ENGINE)
    store.set_fuel(FUEL)
    store.set_wasi(wasi)
    exports = linker.instantiate(store, module).exports(store)
    if exports.get("_initialize") is not None:
        exports["_initialize"](store)
    return store, exports


def mr_ended(text, error):
    """A call that did not return: it trapped, unless it used up its fuel or left the process."""
    if isinstance(error, wasmtime.ExitTrap):
        return MrCall(text)
    endless = error.trap_code == wasmtime.TrapCode.OUT_OF_FUEL
    return MrCall(text, trap=not endless)


#: mr_call
MR_FORMATS = {
    "bool": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q",
    "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "f32": "f", "f64": "d",
}  # fmt: skip


class MrMalformed(Exception):
    """A function returned what is not of its type."""


def mr_bytes(ty, value):
    """A text or sequence as it lies in memory."""
    if ty == "text":
        return value.encode("utf-8", "surrogateescape")
    return struct.pack(f"<{len(value)}{MR_FORMATS[ty[1:-1]]}", *value)


def mr_size(ty):
    """Bytes of an element."""
    return 1 if ty == "text" else struct.calcsize("<" + MR_FORMATS[ty[1:-1]])


def mr_read(memory, store, ty, address, length):
    """A text or sequence in memory."""
    if not 0 <= length <= 2**31 - 1:
        raise MrMalformed
    end = address + length * mr_size(ty)
    if length and end > memory.data_len(store):
        raise MrMalformed
    data = bytes(memory.read(store, address, end)) if length else b""
    if ty == "text":
        return data.decode("utf-8", "surrogateescape")
    values = list(struct.unpack(f"<{length}{MR_FORMATS[ty[1:-1]]}", data))
    if ty == "[bool]":
        if any(value > 1 for value in values):
            raise MrMalformed
        return [value == 1 for value in values]
    return values


def mr_terminated(memory, store, ty, address):
    """A text or sequence in memory that ends before a zero element."""
    size = mr_size(ty)
    data = bytes(memory.read(store, address, memory.data_len(store))) if address else b""
    for length in range(len(data) // size):
        element = data[length * size : (length + 1) * size]
        if ty in ("[f32]", "[f64]"):
            element = element[:-1] + bytes([element[-1] & 0x7F])
        if not any(element):
            return mr_read(memory, store, ty, address, length)
    raise MrMalformed


def mr_scalar(ty, value):
    """A number as the module returned it, in its type."""
    if ty in ("f32", "f64"):
        return value
    if ty in ("bool", "u8", "u16", "u32"):
        value &= 0xFFFFFFFF
    elif ty == "u64":
        value &= 0xFFFFFFFFFFFFFFFF
    if ty == "bool" and value in (0, 1):
        return value == 1
    if ty == "bool" or not mr_fits(value, ty):
        raise MrMalformed
    return value


def mr_passed(ty, value):
    """A number as the module takes it: signed, whatever its type."""
    if ty in ("f32", "f64"):
        return value
    half = 2 ** (63 if ty in ("i64", "u64") else 31)
    return (int(value) + half) % (2 * half) - half


def mr_allocate(store, exports, size):
    """Memory for arguments, of the module's own allocator or of pages behind its memory."""
    names = [ALLOCATOR] if ALLOCATOR else ["malloc", "cabi_realloc"]
    for name in names:
        function = exports.get(name)
        if isinstance(function, wasmtime.Func):
            realloc = len(function.type(store).params) == 4
            address = (function(store, 0, 0, 16, size) if realloc else function(store, size)) & 0xFFFFFFFF
            if address == 0:
                raise MrMalformed
            store.set_fuel(FUEL)
            return address
    return exports["memory"].grow(store, -(-size // 65536)) * 65536


def mr_place(layout, size):
    """Room in a layout, at a multiple of 16 bytes."""
    at = -(-layout["end"] // 16) * 16
    layout["end"] = at + size
    return at


def mr_call(name, export, parameters, arguments, result, values):
    """Calls an exported function with its arguments lowered as the manifest says."""
    text = f"{name}({', '.join(map(repr, values))})"
    if any(value is None for value in values):
        return MrCall(text, made=False)
    store, exports = mr_instance(wasmtime.WasiConfig())
    try:
        return MrCall(text, mr_outputs(store, exports, export, parameters, arguments, result, values))
    except (wasmtime.Trap, wasmtime.ExitTrap) as error:
        return mr_ended(text, error)
    except MrMalformed:
        return MrCall(text)


def mr_outputs(store, exports, export, parameters, arguments, result, values):
    layout = {"end": 0}
    places = []
    for (ty, lowering), value in zip(parameters, values):
        if lowering == "value":
            places.append((0, 0, b""))
            continue
        data = mr_bytes(ty, value)
        room = len(data) + (mr_size(ty) if lowering.startswith("nul") else 0)
        places.append((mr_place(layout, room), len(data) // mr_size(ty), data))
    how, returned = result[0], result[1]
    capacity = result[2] if how == "out-buffer" else 0
    pair = mr_place(layout, 8) if how == "return-pointer" else 0
    out = mr_place(layout, capacity * mr_size(returned)) if how == "out-buffer" else 0
    base = 0
    memory = exports.get("memory")
    if layout["end"]:
        size = max(65536, 1 << (layout["end"] + 15).bit_length())
        base = mr_allocate(store, exports, size)
        base = -(-base // 16) * 16
        memory.write(store, bytes(layout["end"]), base)
        for at, _, data in places:
            memory.write(store, data, base + at)

    def argument(what, which=None):
        if what == "value":
            return mr_passed(parameters[which][0], values[which])
        if what == "pointer":
            return base + places[which][0]
        if what == "length":
            return places[which][1]
        if what == "function":
            return exports["__indirect_function_table"].grow(store, 1, exports[which])
        return {"return.pointer": base + pair, "out.pointer": base + out, "out.capacity": capacity, "constant": which}[what]

    got = exports[export](store, *[argument(*each) for each in arguments])
    outputs = []
    if how == "value":
        outputs.append(mr_scalar(returned, got))
    elif how == "return-pointer":
        address, length = struct.unpack("<II", bytes(memory.read(store, base + pair, base + pair + 8)))
        outputs.append(mr_read(memory, store, returned, address, length))
    elif how == "out-buffer":
        if not 0 <= got <= capacity:
            raise MrMalformed
        outputs.append(mr_read(memory, store, returned, base + out, got))
    elif how == "nul-terminated":
        outputs.append(mr_terminated(memory, store, returned, got & 0xFFFFFFFF))
    for (ty, lowering), (at, length, _) in zip(parameters, places):
        if lowering == "nul-terminated in-out":
            outputs.append(mr_terminated(memory, store, ty, base + at) if ty == "text" else mr_read(memory, store, ty, base + at, length))
        elif lowering == "in-out":
            outputs.append(mr_read(memory, store, ty, base + at, length))
    return outputs


#: mr_command
def mr_command(name, lowerings, values):
    """Runs a command with its standard input, its words and its files; gives what it wrote and its exit code."""
    text = f"{name}({', '.join(map(repr, values))})"
    if any(value is None for value in values):
        return MrCall(text, made=False)
    with tempfile.TemporaryDirectory() as folder:
        wasi, words, files = wasmtime.WasiConfig(), [name], os.path.join(folder, "files")
        os.mkdir(files)
        paths = {stream: os.path.join(folder, stream) for stream in ("stdin", "stdout", "stderr")}
        for path in paths.values():
            open(path, "wb").close()
        for lowering, value in zip(lowerings, values):
            data = value if isinstance(value, str) else mr_text(value)
            if lowering == "word":
                words.append(data)
                continue
            path = paths["stdin"] if lowering == "stdin" else os.path.join(files, lowering.removeprefix("file:"))
            with open(path, "wb") as file:
                file.write(data.encode("utf-8", "surrogateescape"))
        wasi.argv = words
        wasi.stdin_file, wasi.stdout_file, wasi.stderr_file = paths["stdin"], paths["stdout"], paths["stderr"]
        wasi.preopen_dir(files, "/")
        wasi.preopen_dir(files, ".")
        code = 0
        try:
            store, exports = mr_instance(wasi)
            exports["_start"](store)
        except wasmtime.ExitTrap as error:
            code = error.code
        except wasmtime.Trap as error:
            return mr_ended(text, error)
        del store
        written = []
        for stream in ("stdout", "stderr"):
            with open(paths[stream], "rb") as file:
                written.append(file.read().decode("utf-8", "surrogateescape"))
        return MrCall(text, [*written, code])


#: mr_is_true
def mr_is_true(a):
    return a is True


#: mr_made
def mr_made(arguments):
    return all(a is not None for a in arguments)


#: mr_lifted
def mr_lifted(function):
    """What is made of an undefined value is undefined."""

    @functools.wraps(function)
    def lifted(*operands):
        return None if any(a is None for a in operands) else function(*operands)

    return lifted


#: mr_exact
def mr_exact(a):
    """Undefined where 128 bits do not hold an integer."""
    return a if type(a) is not int or -(2**127) <= a < 2**127 else None


#: mr_integer
def mr_integer(a):
    """The integer that a number is, if it is one of 128 bits."""
    if type(a) is float:
        return int(a) if math.isfinite(a) and a == math.trunc(a) and -(2.0**127) <= a < 2.0**127 else None
    return a


#: mr_every
def mr_every(items):
    """A sequence; undefined where an element is."""
    items = list(items)
    return None if any(item is None for item in items) else items


#: mr_numeric
def mr_numeric(operation, a, b):
    """Integers stay exact; with a float both are floats."""
    if type(a) is int and type(b) is int:
        return mr_exact(operation(a, b))
    return operation(float(a), float(b))


#: mr_elementary
def mr_elementary(operation, a, b):
    """Numbers, or each element of a sequence and a number."""
    if isinstance(a, list):
        return mr_every(mr_numeric(operation, x, b) for x in a)
    if isinstance(b, list):
        return mr_every(mr_numeric(operation, a, x) for x in b)
    return mr_numeric(operation, a, b)


#: mr_add
@mr_lifted
def mr_add(a, b):
    return mr_elementary(operator.add, a, b)


#: mr_subtract
@mr_lifted
def mr_subtract(a, b):
    return mr_elementary(operator.sub, a, b)


#: mr_multiply
@mr_lifted
def mr_multiply(a, b):
    return mr_elementary(operator.mul, a, b)


#: mr_divide
@mr_lifted
def mr_divide(a, b):
    """Integers that divide exactly give an integer, everything else a float. Undefined for a zero divisor."""
    if b == 0:
        return None
    if type(a) is int and type(b) is int and a % b == 0:
        return mr_exact(a // b)
    return float(a) / float(b)


#: mr_div
@mr_lifted
def mr_div(a, b):
    """The quotient of integers, toward zero."""
    a, b = mr_integer(a), mr_integer(b)
    if a is None or b is None or b == 0:
        return None
    quotient = abs(a) // abs(b)
    return mr_exact(quotient if (a < 0) == (b < 0) else -quotient)


#: mr_modulo
@mr_lifted
def mr_modulo(a, b):
    """The remainder of integers, with the sign of the first."""
    a, b = mr_integer(a), mr_integer(b)
    if a is None or b is None or b == 0:
        return None
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


#: mr_power
@mr_lifted
def mr_power(a, b):
    """An integer to a power that is an integer and not negative stays one."""
    if type(a) is int and type(b) is int and b >= 0:
        if abs(a) > 1 and b > 127:
            return None
        if abs(a) <= 1 and b > 1:
            b = 2 - b % 2
        return mr_exact(a**b)
    a, b = float(a), float(b)
    if b == 2.0:
        return a * a
    odd = math.isfinite(b) and b % 2.0 == 1.0
    negative = math.copysign(1.0, a) < 0 and odd
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if negative else math.inf
    except ValueError:
        return (-math.inf if negative else math.inf) if a == 0.0 else math.nan


#: mr_min_float
def mr_min_float(a, b):
    """The lesser; NaN where either is, and -0 before 0."""
    if a != a or b != b:
        return math.nan
    return a if a < b or (a == b and math.copysign(1.0, a) < 0) else b


#: mr_min
@mr_lifted
def mr_min(a, b):
    return min(a, b) if type(a) is int and type(b) is int else mr_min_float(float(a), float(b))


#: mr_max
@mr_lifted
def mr_max(a, b):
    return max(a, b) if type(a) is int and type(b) is int else -mr_min_float(-float(a), -float(b))


#: mr_negate
@mr_lifted
def mr_negate(a):
    return mr_every(map(mr_negate, a)) if isinstance(a, list) else mr_exact(-a)


#: mr_abs
@mr_lifted
def mr_abs(a):
    return mr_every(map(mr_abs, a)) if isinstance(a, list) else mr_exact(abs(a))


#: mr_rounded
def mr_rounded(a, whole):
    """An integer where 128 bits hold it."""
    if type(a) is int or not math.isfinite(a):
        return a
    return whole(a) if mr_exact(whole(a)) is not None else a


#: mr_floor
@mr_lifted
def mr_floor(a):
    return mr_rounded(a, math.floor)


#: mr_ceil
@mr_lifted
def mr_ceil(a):
    return mr_rounded(a, math.ceil)


#: mr_analytic
def mr_analytic(function, a, beyond):
    """A function of floats; `beyond` where Python has an error for what floats have a value for."""
    try:
        return function(a)
    except (ValueError, OverflowError):
        return beyond


#: mr_sqrt
@mr_lifted
def mr_sqrt(a):
    return mr_analytic(math.sqrt, float(a), math.nan)


#: mr_exp
@mr_lifted
def mr_exp(a):
    return mr_analytic(math.exp, float(a), math.inf)


#: mr_ln
@mr_lifted
def mr_ln(a):
    return mr_analytic(math.log, float(a), -math.inf if a == 0 else math.nan)


#: mr_sin
@mr_lifted
def mr_sin(a):
    return mr_analytic(math.sin, float(a), math.nan)


#: mr_cos
@mr_lifted
def mr_cos(a):
    return mr_analytic(math.cos, float(a), math.nan)


#: mr_is_nan
@mr_lifted
def mr_is_nan(a):
    return a != a


#: mr_to_int
@mr_lifted
def mr_to_int(a):
    """Numbers as integers; undefined where one is none."""
    return mr_every(map(mr_integer, a)) if isinstance(a, list) else mr_integer(a)


#: mr_to_float
@mr_lifted
def mr_to_float(a):
    return [float(x) for x in a] if isinstance(a, list) else float(a)


#: mr_single
def mr_single(x):
    """A float rounded to single precision."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


#: mr_to_single
@mr_lifted
def mr_to_single(a):
    return [mr_single(float(x)) for x in a] if isinstance(a, list) else mr_single(float(a))


#: mr_to_bools
@mr_lifted
def mr_to_bools(a):
    """The empty sequence as one of Booleans."""
    return [x != 0 for x in a]


#: mr_same
def mr_same(a, b):
    """Exact equality; NaN equals NaN."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(mr_same, a, b))
    return a == b or (a != a and b != b)


#: mr_equal
@mr_lifted
def mr_equal(a, b):
    return mr_same(a, b)


#: mr_differs
@mr_lifted
def mr_differs(a, b):
    return not mr_same(a, b)


#: mr_less
@mr_lifted
def mr_less(a, b):
    return a < b


#: mr_at_most
@mr_lifted
def mr_at_most(a, b):
    return a <= b


#: mr_approximate
def mr_approximate(a, b, near):
    """Numbers, or numbers of sequences one by one, by a test of floats; everything else by equality."""
    if isinstance(a, list):
        return len(a) == len(b) and all(mr_approximate(x, y, near) for x, y in zip(a, b))
    if isinstance(a, (str, bool)):
        return a == b
    return near(float(a), float(b))


#: mr_near
@mr_lifted
def mr_near(a, b, relative):
    """|a - b| <= 1e-12 + relative * max(|a|, |b|). NaN is near NaN; an infinity only itself."""

    def near(a, b):
        difference = abs(a - b)
        within = difference <= 1e-12 + relative * max(abs(a), abs(b)) and difference < math.inf
        return within or mr_same(a, b)

    return mr_approximate(a, b, near)


#: mr_near_ulps
@mr_lifted
def mr_near_ulps(a, b, ulps):
    """Near in units in the last place."""

    def place(x):
        magnitude = struct.unpack("<q", struct.pack("<d", abs(x)))[0]
        return -magnitude if x < 0 else magnitude

    def near(a, b):
        finite = math.isfinite(a) and math.isfinite(b)
        return mr_same(a, b) or (finite and abs(place(a) - place(b)) <= ulps)

    return mr_approximate(a, b, near)


#: mr_near_single_ulps
@mr_lifted
def mr_near_single_ulps(a, b, ulps):
    """Near in units in the last place of single precision."""

    def place(x):
        magnitude = struct.unpack("<i", struct.pack("<f", abs(x)))[0]
        return -magnitude if x < 0 else magnitude

    def near(a, b):
        x, y = mr_single(a), mr_single(b)
        finite = math.isfinite(x) and math.isfinite(y)
        return mr_same(a, b) or (finite and abs(place(x) - place(y)) <= ulps)

    return mr_approximate(a, b, near)


#: mr_not
@mr_lifted
def mr_not(a):
    return not a


#: mr_and
def mr_and(a, b):
    """False where either side is false, whatever the other."""
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


#: mr_or
def mr_or(a, b):
    """True where either side is true, whatever the other."""
    if a is True or b is True:
        return True
    return None if a is None or b is None else False


#: mr_implies
def mr_implies(a, b):
    return mr_or(mr_not(a), b)


#: mr_defined
def mr_defined(a):
    return a is not None


#: mr_len
@mr_lifted
def mr_len(s):
    return len(s)


#: mr_sum
@mr_lifted
def mr_sum(s):
    return functools.reduce(lambda total, x: None if total is None else mr_exact(total + x), s, 0)


#: mr_sum_floats
@mr_lifted
def mr_sum_floats(s):
    """From left to right, also of no floats at all."""
    return functools.reduce(operator.add, s, 0.0)


#: mr_like
def mr_like(s, items):
    """Elements as a text where the other is one."""
    return "".join(items) if isinstance(s, str) else list(items)


#: mr_reverse
@mr_lifted
def mr_reverse(s):
    return s[::-1]


#: mr_sorted
@mr_lifted
def mr_sorted(s):
    """Ascending; NaN last."""
    return mr_like(s, sorted(s, key=lambda x: (x != x, 0 if x != x else x)))


#: mr_remove
@mr_lifted
def mr_remove(s, i):
    """Counts from the end below zero; changes nothing where there is no such place."""
    i = mr_integer(i)
    if i is None:
        return None
    hole = i + len(s) if i < 0 else i
    return s[:hole] + s[hole + 1 :] if 0 <= hole < len(s) else s


#: mr_truncate
@mr_lifted
def mr_truncate(s, n):
    """The first n, or all where there are fewer."""
    n = mr_integer(n)
    return None if n is None else s[: max(n, 0)]


#: mr_slice
@mr_lifted
def mr_slice(s, start, end):
    """Undefined where it reaches out of the sequence."""
    start, end = mr_integer(start), mr_integer(end)
    if start is None or end is None or not 0 <= start <= end <= len(s):
        return None
    return s[start:end]


#: mr_drop_first
@mr_lifted
def mr_drop_first(s, start):
    """Undefined where it reaches out of the sequence."""
    return mr_slice(s, start, len(s))


#: mr_index
@mr_lifted
def mr_index(s, i):
    """An element, or a text of one character. Undefined out of range."""
    i = mr_integer(i)
    return s[i] if i is not None and 0 <= i < len(s) else None


#: mr_concat
@mr_lifted
def mr_concat(s, t):
    return s + t


#: mr_contains
@mr_lifted
def mr_contains(s, part):
    """Whether a sequence has another inside, unbroken."""
    return any(mr_same(s[i : i + len(part)], part) for i in range(len(s) - len(part) + 1))


#: mr_has_element
@mr_lifted
def mr_has_element(s, x):
    return any(mr_same(item, x) for item in s)


#: mr_is_prefix_of
@mr_lifted
def mr_is_prefix_of(part, s):
    return mr_same(s[: len(part)], part)


#: mr_is_suffix_of
@mr_lifted
def mr_is_suffix_of(part, s):
    return len(part) <= len(s) and mr_same(s[len(s) - len(part) :], part)


#: mr_upper
@mr_lifted
def mr_upper(s):
    """Character by character: a letter's form does not depend on the letters beside it."""
    return "".join(c.upper() for c in s)


#: mr_lower
@mr_lifted
def mr_lower(s):
    """Character by character: a letter's form does not depend on the letters beside it."""
    return "".join(c.lower() for c in s)


#: mr_text
@mr_lifted
def mr_text(a):
    """As the relation language writes a number."""
    if type(a) is bool:
        return "true" if a else "false"
    return re.sub(r"e([+-])0*(\d+)", lambda e: "e" + e[1].replace("+", "") + e[2], repr(a))


#: mr_fits
def mr_fits(a, ty):
    """Whether a value is of a type, each element of a sequence of its elements'; undefined is."""
    if isinstance(a, list):
        return all(mr_fits(x, ty[1:-1]) for x in a)
    if ty == "text" and a is not None:
        return all(not 0xD800 <= ord(c) <= 0xDFFF for c in a)
    if a is None or ty in ("text", "bool", "f64"):
        return True
    if ty == "f32":
        return not math.isfinite(a) or math.isfinite(mr_single(float(a)))
    i, bits = mr_integer(a), int(ty[1:])
    low, high = (0, 2**bits) if ty[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    return i is not None and low <= i < high


#: mr_each
def mr_each(a, truth):
    """Whether something is true of a value itself, or of every element of a sequence. Undefined is anything."""
    return a is None or (all(map(truth, a)) if isinstance(a, list) else truth(a))


#: mr_ordered
def mr_ordered(a, b):
    """Whether a number is at most another: exactly between integers, else as floats."""
    exact = type(a) is not float and type(b) is not float
    return a <= b if exact else float(a) <= float(b)


#: mr_in_ranges
def mr_in_ranges(a, ranges):
    """Whether each number is in one of some closed ranges."""
    return mr_each(a, lambda x: any(mr_ordered(low, x) and mr_ordered(x, high) for low, high in ranges))


#: mr_is_none_of
def mr_is_none_of(a, numbers):
    """Whether no number is one of some."""
    return mr_each(a, lambda x: not any(mr_ordered(n, x) and mr_ordered(x, n) for n in numbers))


#: mr_has_no_nan
def mr_has_no_nan(a):
    return mr_each(a, lambda x: x == x)


#: mr_has_length
def mr_has_length(s, least, most):
    return s is None or least <= len(s) <= most


#: mr_has_alphabet
def mr_has_alphabet(s, alphabet):
    return s is None or all(c in alphabet for c in s)


#: mr_is_one_of
def mr_is_one_of(s, texts):
    return s is None or s in texts


#: mr_is_sorted
def mr_is_sorted(s):
    return s is None or all(a <= b for a, b in zip(s, s[1:]))


#: mr_is_distinct
def mr_is_distinct(s):
    return s is None or not any(mr_same(a, b) for i, a in enumerate(s) for b in s[:i])


#: mr_has_no_nul
def mr_has_no_nul(s):
    return s is None or not any(x == "\0" or (type(x) is int and x == 0) for x in s)


#: mr_distinct
def mr_distinct(s):
    """Without the elements that stand before already."""
    return mr_like(s, [x for i, x in enumerate(s) if not any(mr_same(x, y) for y in s[:i])])
