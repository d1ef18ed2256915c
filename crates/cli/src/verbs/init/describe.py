# Tells the functions of a module as JSON: what `dodona init --python` drafts a manifest from. Nothing of the module is called.
import collections.abc, importlib, inspect, json, os, sys, traceback, typing

NUMBERS = {float: "f64", int: "i64", bool: "bool"}


def type_of(hint):
    """The type of a signature, or None."""
    if hint in NUMBERS:
        return NUMBERS[hint]
    if hint is str:
        return "text"
    if "ndarray" in str(hint) or "NDArray" in str(hint):
        return "[i64]" if "int" in str(hint) else "[f64]"
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    sequences = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
    if origin in sequences and len(parts) == 1 and parts[0] in NUMBERS:
        return f"[{NUMBERS[parts[0]]}]"
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis and parts[0] in NUMBERS:
        return f"[{NUMBERS[parts[0]]}]"
    return None


def returned(hint):
    """The type of a result, which may have parts or be missing."""
    if plain := type_of(hint):
        return plain
    if hint is bytes:
        return "text"
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is list and parts == (str,):
        return "text"
    if origin is tuple and parts and Ellipsis not in parts:
        inner = [returned(part) for part in parts]
        return None if None in inner else f"({', '.join(inner)})"
    rest = [part for part in parts if part is not type(None)]
    if len(rest) == len(parts) - 1 == 1:
        inner = returned(rest[0])
        return None if inner is None or inner.startswith("Option") else f"Option<{inner}>"
    return None


def described(name, function):
    told = {"name": name, "doc": (inspect.getdoc(function) or "").split("\n")[0]}
    try:
        parameters = inspect.signature(function).parameters.values()
        hints = typing.get_type_hints(function)
    except Exception as error:
        return told | {"why": f"its signature cannot be read: {error}"}
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return told | {"why": "it returns before it has a value: it is a coroutine or a generator"}
    chosen, left = [], []
    for one in parameters:
        optional = one.default is not inspect.Parameter.empty
        hint = hints.get(one.name, type(one.default) if optional else None)
        ty = type_of(hint)
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) or (one.kind == one.KEYWORD_ONLY and optional):
            left.append(one.name)
            continue
        if one.kind == one.KEYWORD_ONLY:
            return told | {"why": f"`{one.name}` can be given by its name alone"}
        if optional and (ty is None or left):
            # What stands behind can only be given by name.
            left.append(one.name)
            continue
        if ty is None:
            said = "has no annotation" if hint is None else f"is a {getattr(hint, '__name__', hint)}"
            return told | {"why": f"`{one.name}` {said}"}
        chosen.append([one.name, ty])
    if not chosen:
        return told | {"why": "it takes nothing that can be declared"}
    if "return" not in hints:
        return told | {"why": "its result has no annotation"}
    result = returned(hints["return"])
    if result is None:
        return told | {"why": f"it returns {getattr(hints['return'], '__name__', hints['return'])}"}
    return told | {"parameters": chosen, "returns": result, "left": left}


def main():
    name = sys.argv[1]
    sys.path.insert(0, os.getcwd())
    answer = os.dup(1)
    os.dup2(2, 1)
    try:
        module = importlib.import_module(name)
    except BaseException as error:
        lines = traceback.TracebackException.from_exception(error)
        lines.stack = traceback.StackSummary.from_list([one for one in lines.stack if one.filename != "<string>" and "importlib" not in one.filename])
        os.write(answer, json.dumps({"error": "".join(lines.format())}).encode())
        return
    public = getattr(module, "__all__", None) or [one for one in vars(module) if not one.startswith("_")]
    found = [(one, getattr(module, one, None)) for one in public]
    own = [(one, value) for one, value in found if inspect.isroutine(value) and getattr(value, "__module__", None) in (name, None)]
    os.write(answer, json.dumps({"functions": [described(one, value) for one, value in own]}).encode())


main()
