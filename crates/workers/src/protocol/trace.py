# Which lines and branches calls run: the part of the worker for Python that measures coverage. It stands before worker.py in one program.
import dis, functools, itertools, os, sys, types

# The most statements of one call that are told in their order.
MOST_STEPS = 65_536

# Jumps that nothing decides. The others have two directions: the next instruction, and the target.
UNDECIDED = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_NO_INTERRUPT", "JUMP_ABSOLUTE", "SEND", "SETUP_FINALLY", "SETUP_WITH", "SETUP_ASYNC_WITH"}


class Code:
    """The statements and branches of one code object, by its own lines and offsets."""

    def __init__(self, code, statements, branches):
        self.line_of = {}
        last = None
        for offset, line in own_instructions(code):
            if line != last and (code.co_filename, line) in statements:
                self.line_of[offset] = statements[code.co_filename, line]
            last = line
        self.statements = {line: number for (file, line), number in statements.items() if file == code.co_filename}
        self.after = {offset: following for offset, _, following in decisions(code)}
        self.edges = {offset: branches[code, offset] for offset in self.after if (code, offset) in branches}


@functools.lru_cache(maxsize=None)
def instructions(code):
    """The instructions of a code object, each with its line; None of one that has none."""
    lines, found, place = list(code.co_lines()), [], 0
    for one in dis.get_instructions(code):
        while place + 1 < len(lines) and lines[place][1] <= one.offset:
            place += 1
        found.append((one, lines[place][2]))
    return found


def decisions(code):
    """The offset of each instruction that decides something, its line, and the offset of the instruction after it."""
    listed = instructions(code)
    is_jump = lambda one: (one.opcode in dis.hasjrel or one.opcode in dis.hasjabs) and one.opname not in UNDECIDED
    return [(one.offset, line or code.co_firstlineno, following.offset) for (one, line), (following, _) in zip(listed, listed[1:]) if is_jump(one)]


def codes_in(code):
    """A code object and those that stand in it: of comprehensions, lambdas and inner functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_in(constant)


def functions_of(value, depth=3):
    """The functions that can be reached from a value: itself, what it wraps, the methods of a class, the elements of a table."""
    if depth == 0:
        return
    if isinstance(value, types.FunctionType):
        yield value
        for cell in value.__closure__ or ():
            try:
                yield from functions_of(cell.cell_contents, depth - 1)
            except ValueError:
                pass
    elif isinstance(value, (types.MethodType, staticmethod, classmethod)):
        yield from functions_of(value.__func__, depth)
    elif isinstance(value, property):
        for one in (value.fget, value.fset):
            yield from functions_of(one, depth)
    elif isinstance(value, type):
        for one in vars(value).values():
            yield from functions_of(one, depth - 1)
    elif isinstance(value, dict):
        for one in list(value.values())[:1000]:
            yield from functions_of(one, depth - 1)
    elif isinstance(value, (list, tuple, set)):
        for one in list(value)[:1000]:
            yield from functions_of(one, depth - 1)
    elif hasattr(value, "__wrapped__"):
        yield from functions_of(value.__wrapped__, depth - 1)
    elif hasattr(value, "func") and callable(value.func):
        yield from functions_of(value.func, depth - 1)


class Scope:
    """The modules whose code counts: those in the working directory, and those of the packages under test."""

    def __init__(self, declared):
        self.packages = {one["name"].rpartition(":")[0].partition(".")[0] for one in declared}
        self.here = os.path.realpath(os.getcwd()) + os.sep
        self.known = {}

    def has(self, function):
        module = function.__module__ or ""
        if module not in self.known:
            file = os.path.realpath(function.__code__.co_filename)
            is_here = file.startswith(self.here) and "site-packages" not in file[len(self.here):]
            self.known[module] = os.path.exists(file) and (is_here or module.partition(".")[0] in self.packages)
        return self.known[module]

    def methods(self):
        """The methods of all classes that count, by name."""
        found = {}
        for module in list(sys.modules.values()):
            for value in list(vars(module).values()) if isinstance(module, types.ModuleType) else ():
                if isinstance(value, type) and value.__module__ == module.__name__:
                    for one in functions_of(value):
                        if self.has(one):
                            found.setdefault(one.__name__, set()).add(one)
        return found

    def reached(self, function):
        """The code that calls of a function can run, as far as names tell: what it names, and every method of a name that it uses."""
        methods = self.methods()
        left, seen, codes = list(functions_of(function)), set(), []
        while left:
            one = left.pop()
            if one in seen or not self.has(one):
                continue
            seen.add(one)
            for code in codes_in(one.__code__):
                codes.append(code)
                for name in code.co_names:
                    left.extend(functions_of(one.__globals__.get(name)))
                    left.extend(methods.get(name, ()))
            left.extend(cell for cell in functions_of(one) if cell is not one)
        return list(dict.fromkeys(codes))


class Trace:
    """What calls of one function run: statements and branches with numbers, and the calls that are watched."""

    def __init__(self, scope, function):
        codes = scope.reached(function)
        lines = {(code.co_filename, line) for code in codes for line in own_lines(code)}
        self.places = sorted(lines)
        statements = {place: number for number, place in enumerate(self.places)}
        self.branches, numbers = [], {}
        for code in sorted(codes, key=lambda code: (code.co_filename, code.co_firstlineno, code.co_qualname if hasattr(code, "co_qualname") else code.co_name)):
            for offset, line, _ in decisions(code):
                if (code.co_filename, line) in statements:
                    numbers[code, offset] = len(self.branches)
                    self.branches.append([statements[code.co_filename, line], code.co_name])
        self.codes = {code: Code(code, statements, numbers) for code in codes}
        self.steps, self.edges = [], []

    def begin(self):
        """Begins a call. What it runs is added to the lists that come back: its statements, and the directions of branches that it takes, one after the other."""
        self.steps, self.edges = [], []
        return self.steps, self.edges

    def described(self):
        files = sorted({file for file, _ in self.places})
        number = {file: place for place, file in enumerate(files)}
        return {
            "files": [os.path.relpath(file) if os.path.realpath(file).startswith(os.path.realpath(os.getcwd()) + os.sep) else file for file in files],
            "statements": [[number[file], line] for file, line in self.places],
            "branches": self.branches,
        }


class TracedFrames(Trace):
    """By sys.settrace, which every version has."""

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self.frame)
        return self

    def __exit__(self, *_):
        sys.settrace(self.before)

    def frame(self, frame, event, argument):
        known = self.codes.get(frame.f_code)
        if known is None:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        steps, edges, line_of, after, numbers = self.steps, self.edges, known.line_of, known.after, known.edges
        last = None

        def step(frame, event, argument):
            nonlocal last
            if event == "opcode":
                offset = frame.f_lasti
                if last is not None:
                    edges.append(2 * numbers[last] + (offset != after[last]))
                    last = None
                if offset in line_of and len(steps) < MOST_STEPS:
                    steps.append(line_of[offset])
                if offset in numbers and len(edges) < MOST_STEPS:
                    last = offset
            elif event == "exception":
                # Nothing was decided: what should decide raised.
                last = None
            return step

        return step


class TracedEvents(Trace):
    """By sys.monitoring, which there is from 3.12 on."""

    def __enter__(self):
        monitoring, tool = sys.monitoring, sys.monitoring.COVERAGE_ID
        monitoring.use_tool_id(tool, "dodona")
        monitoring.register_callback(tool, monitoring.events.LINE, self.line)
        monitoring.register_callback(tool, monitoring.events.BRANCH, self.branch)
        for code in self.codes:
            monitoring.set_local_events(tool, code, monitoring.events.LINE | monitoring.events.BRANCH)
        return self

    def __exit__(self, *_):
        for code in self.codes:
            sys.monitoring.set_local_events(sys.monitoring.COVERAGE_ID, code, 0)
        sys.monitoring.free_tool_id(sys.monitoring.COVERAGE_ID)

    def line(self, code, line):
        number = self.codes[code].statements.get(line) if code in self.codes else None
        if number is not None and len(self.steps) < MOST_STEPS:
            self.steps.append(number)

    def branch(self, code, offset, destination):
        known = self.codes.get(code)
        if known and offset in known.edges and len(self.edges) < MOST_STEPS:
            self.edges.append(2 * known.edges[offset] + (destination != known.after[offset]))


# What stands before the body of a function in its code: no event comes of it.
PROLOGUE = {"RESUME", "MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR", "POP_TOP", "GEN_START"}


def own_instructions(code):
    """The instructions of the body, each with its offset and line."""
    body = itertools.dropwhile(lambda placed: placed[0].opname in PROLOGUE, instructions(code))
    return [(one.offset, line) for one, line in body if line is not None]


def own_lines(code):
    """The lines that a call of it can run: not the one of its head, where nothing of its body stands."""
    return {line for _, line in own_instructions(code)}


def new_trace(scope, function):
    return (TracedEvents if hasattr(sys, "monitoring") else TracedFrames)(scope, function)


