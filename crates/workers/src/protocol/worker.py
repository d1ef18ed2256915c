# The worker for Python that ships with Dodona: it calls functions for whoever writes requests to its standard input. The protocol is in book/worker-protocol.md.
import importlib, importlib.machinery, importlib.util, json, math, os, sys, traceback


def main():
    # What the program under test prints or reads is no part of the protocol.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def answer(message):
        answers.write(message + "\n")
        answers.flush()

    hello = json.loads(requests.readline())
    limit_memory(hello.get("memory"))
    sys.path.insert(0, os.getcwd())
    if hello.get("version"):
        sys.meta_path.insert(0, Version(hello["version"]))
    try:
        functions = [Function(one) for one in hello["functions"]]
    except BaseException as error:
        answer(json.dumps({"protocol": 1, "error": {"type": type(error).__name__, "message": said(error), "trace": trace(error)}}))
        return
    worker = os.getpid()
    scope = Scope(hello["functions"])
    limits = hello.get("time") and Function.end_late_calls(hello["time"])
    answer(json.dumps({"protocol": 1, "worker": "Python " + sys.version.split()[0], "traces": True, "limits": bool(limits)}))
    while line := requests.readline():
        request = json.loads(line)
        function = functions[request["function"]]
        if "rows" not in request:
            answer(json.dumps({"id": request["id"], "code": function.traced(scope).described()}))
            continue
        if request.get("trace"):
            values, raised, ran = function.call_traced(request["rows"], scope)
        else:
            values, raised = function.call(request["rows"])
        if os.getpid() != worker:
            # The function forked, and this is the child: the worker answers by itself.
            os._exit(0)
        message = {"id": request["id"], "values": values}
        if raised:
            message["raised"] = raised
        if request.get("trace"):
            message["ran"] = ran
        answer(json.dumps(message, allow_nan=False, separators=(",", ":")))


def limit_memory(limit):
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, TypeError, ValueError, OSError):
        pass


# How often it is looked within the limit of a call whether the call is still the same.
LOOKS = 4


class TimeLimit(BaseException):
    """A call takes longer than it may."""


class Version:
    """Finds modules in the folder of another version first: a file there stands in the place of the module of its path."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        place = os.path.join(self.folder, *name.split("."))
        if os.path.isfile(place + ".py"):
            return importlib.util.spec_from_file_location(name, place + ".py")
        if os.path.isfile(os.path.join(place, "__init__.py")):
            original = importlib.machinery.PathFinder.find_spec(name, path)
            folders = list(original.submodule_search_locations or ()) if original else []
            return importlib.util.spec_from_file_location(name, os.path.join(place, "__init__.py"), submodule_search_locations=[place, *folders])
        return None


class Function:
    def __init__(self, declared):
        module, _, name = declared["name"].rpartition(":")
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        if not callable(found):
            raise TypeError(f"{declared['name']} is not a function")
        self.function = found
        self.readers = [reader(ty) for ty in declared["parameters"]]
        self.write = writer(declared["returns"])
        self.is_float = declared["returns"] in ("f32", "f64")
        arrays = declared.get("arrays") or wanted_arrays(found, len(self.readers))
        for place, ty in enumerate(declared["parameters"]):
            if place in arrays and ty.startswith("["):
                self.readers[place] = array_of(self.readers[place])
        self.trace = None
        # A row of plain values goes to the function as it is.
        self.is_plain = all(one is None for one in self.readers)

    def traced(self, scope):
        """The code that calls run, read once."""
        if self.trace is None:
            self.trace = new_trace(scope, self.function)
        return self.trace

    def call_traced(self, rows, scope):
        """The calls of some rows, with what each runs: its statements in order, and the directions of branches."""
        values, raised, ran = [], {}, []
        with self.traced(scope) as trace:
            for place, row in enumerate(rows):
                ran.append(trace.begin())
                (value,), problem = self.call([row])
                values.append(value)
                if problem:
                    raised[place] = problem[0]
        return values, raised, ran

    # Requests that were begun, so that the first rows of two of them are told apart.
    requests = 0

    @staticmethod
    def end_late_calls(limit):
        """Ends calls that take longer than this, in seconds, from within. It costs nothing a call: it is looked some times whether the row is still the same. Whether the system can."""
        import signal
        seen, caller = [None, 0], os.getppid()

        def look(number, frame):
            if os.getppid() != caller:
                # Nobody is there any more who could end an endless loop.
                os._exit(1)
            while frame is not None and frame.f_code is not Function.call.__code__:
                frame = frame.f_back
            row = None if frame is None else (Function.requests, frame.f_locals.get("place"))
            seen[:] = [row, seen[1] + 1 if row == seen[0] else 0]
            if row is not None and seen[1] >= LOOKS:
                seen[:] = [None, 0]
                raise TimeLimit

        try:
            signal.signal(signal.SIGALRM, look)
            signal.setitimer(signal.ITIMER_REAL, limit / LOOKS, limit / LOOKS)
        except (AttributeError, OSError, ValueError):
            return False
        return True

    def call(self, rows):
        Function.requests += 1
        function, write, readers, is_float = self.function, self.write, self.readers, self.is_float
        values, raised = [], {}
        for place, row in enumerate(rows):
            try:
                if self.is_plain and not any(type(value) is str for value in row):
                    result = function(*row)
                else:
                    result = function(*[value if read is None and type(value) is not str else (read or special)(value) for read, value in zip(readers, row)])
            except TimeLimit:
                values.append(None)
                raised[place] = {"late": True}
                continue
            except (Exception, SystemExit) as error:
                values.append(None)
                raised[place] = {"type": type(error).__name__, "message": said(error), "place": place_of(error)}
                continue
            if is_float and type(result) is float and math.isfinite(result):
                values.append(result)
                continue
            try:
                values.append(write(result))
            except Exception as error:
                values.append(None)
                raised[place] = {"malformed": said(error) or type(error).__name__}
        return values, raised


def said(error):
    """What an exception says; it may be unable to."""
    try:
        return plain(str(error))[:2000]
    except Exception:
        return "(its message cannot be shown)"


def plain(text):
    """Text that JSON of any language can have: without halves of characters."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def special(value):
    """A number that JSON has no digits for: it comes as text."""
    if value in ("nan", "inf", "-inf"):
        return float(value)
    return int(value)


def reader(ty):
    """What makes an argument of its JSON; None where that is the argument, unless it is a special number."""
    if ty == "text":
        return text
    if ty.startswith("["):
        return lambda values: [special(value) if type(value) is str else value for value in values]
    return None


def array_of(read):
    import numpy
    return lambda values: numpy.array(read(values))


def text(value):
    # Bytes that are not UTF-8 are the escapes that Python itself reads from files and words.
    return value if type(value) is str else bytes.fromhex(value["bytes"]).decode("utf-8", "surrogateescape")


def wanted_arrays(function, count):
    """The parameters that are annotated as arrays of numpy."""
    try:
        import inspect
        parameters = list(inspect.signature(function).parameters.values())[:count]
    except (TypeError, ValueError):
        return set()
    return {place for place, one in enumerate(parameters) if "ndarray" in str(one.annotation) or "NDArray" in str(one.annotation)}


def writer(shape):
    """What makes JSON of a result: of a type, or of [kind, shapes] for a tuple or a value that may be missing; what is returned where nothing is declared is left."""
    if shape is None:
        return lambda value: None
    if isinstance(shape, str):
        return plain_writer(shape)
    kind, *parts = shape
    writers = [writer(part) for part in parts]
    if kind == "option":
        return lambda value: None if value is None else [writers[0](value)]
    if kind == "tuple":
        def write(value):
            # A class of its own, as of a dataclass, has its fields in order.
            if hasattr(value, "__dataclass_fields__"):
                value = tuple(getattr(value, name) for name in value.__dataclass_fields__)
            if len(value) != len(writers):
                raise ValueError(f"{len(value)} values, and {len(writers)} are declared")
            return [write(part) for write, part in zip(writers, value)]
        return write
    raise ValueError(f"a worker for Python returns no {kind}")


def plain_writer(ty):
    if ty == "text":
        return write_text
    if ty.startswith("["):
        element = plain_writer(ty[1:-1])
        return lambda values: [element(value) for value in (values.tolist() if hasattr(values, "tolist") else values)]
    if ty in ("f32", "f64"):
        return write_float
    return write_bool if ty == "bool" else write_integer


def write_float(value):
    if isinstance(value, bool) or isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{value!r} is no number")
    if isinstance(value, complex):
        raise TypeError(f"{value!r} is no real number")
    value = float(value)
    return value if math.isfinite(value) else str(value)


def write_integer(value):
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no integer")
    value = int(value)
    return value if -(2**63) <= value < 2**64 else str(value)


def write_bool(value):
    if hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither True nor False")
    return value


def write_text(value):
    if isinstance(value, (list, tuple)):
        value = "\n".join(value)
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value)
    elif isinstance(value, str):
        try:
            value.encode("utf-8")
            return value
        except UnicodeEncodeError:
            value = b"".join(one.encode("utf-8", "surrogateescape" if "\udc80" <= one <= "\udcff" else "surrogatepass") for one in value)
    else:
        raise TypeError(f"{value!r} is no text")
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"bytes": value.hex()}


def place_of(error):
    """The innermost line of the program that raised."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename != "<string>"]
    return f"{os.path.relpath(inside[-1].filename)}:{inside[-1].lineno}" if inside else ""


def trace(error):
    """The traceback without the lines of this worker and of the import itself."""
    try:
        lines = traceback.TracebackException.from_exception(error)
    except Exception:
        return ""
    lines.stack = traceback.StackSummary.from_list([frame for frame in lines.stack if frame.filename != "<string>" and "importlib" not in frame.filename])
    return plain("".join(lines.format()))


main()
