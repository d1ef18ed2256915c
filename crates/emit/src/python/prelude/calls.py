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


#: mr_instance mr_ended
@functools.cache
def mr_module():
    """The engine, the module, and what it imports."""
    config = wasmtime.Config()
    config.consume_fuel = True
    # A NaN that the module computes has the same bits on every host.
    config.cranelift_nan_canonicalization = True
    engine = wasmtime.Engine(config)
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), MODULE)
    module = wasmtime.Module.from_file(engine, MODULE if os.path.exists(MODULE) else beside)
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    linker.define_unknown_imports_as_traps(module)
    # Python takes modules apart in no order: the engine is to go before.
    atexit.register(mr_module.cache_clear)
    return engine, module, linker


def mr_instance(wasi):
    """The module's exports in a new instance, and their store: no call sees what another left."""
    engine, module, linker = mr_module()
    store = wasmtime.Store(engine)
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


def mr_one_nan(x):
    """A float as an argument: of any NaN the same bits."""
    return x if x == x else math.nan


def mr_bytes(ty, value):
    """A text or sequence as it lies in memory."""
    if ty == "text":
        return value.encode("utf-8", "surrogateescape")
    if ty in ("[f32]", "[f64]"):
        value = map(mr_one_nan, value)
    value = list(value)
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
        return mr_one_nan(value)
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
