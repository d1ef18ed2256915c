# Writes mutants of Python modules that cosmic-ray or mutmut make. It reads one JSON document and writes a line of JSON for each mutant; no test is run.
import ast, hashlib, json, os, sys


def main():
    wanted = json.load(sys.stdin)
    try:
        mutants_of = {"cosmic-ray": of_cosmic_ray, "mutmut": of_mutmut}[wanted["tool"]](wanted["to"])
    except ImportError as error:
        print(json.dumps({"missing": wanted["tool"], "why": str(error)}))
        return
    number = 0
    for module in wanted["modules"]:
        with open(module["file"], encoding="utf-8") as file:
            text = file.read()
        code = Code(text, set(module["lines"]))
        seen = {code.of(text): "original"}
        for operator, line, column, mutated in mutants_of(text):
            if mutated == text or not code.reaches(line):
                continue
            compiled = code.of(mutated)
            if compiled is None:
                continue
            number += 1
            known = {"operator": operator, "line": line, "column": column, "function": code.function(line), "file": module["file"], "same_as": seen.get(compiled)}
            known["before"], known["after"] = changed(text, mutated)
            seen.setdefault(compiled, number)
            folder = os.path.join(wanted["to"], str(number))
            write(os.path.join(folder, module["path"]), mutated)
            print(json.dumps({**known, "folder": folder}), flush=True)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Code:
    """A module: which of its functions calls can run, and what its text compiles to."""

    def __init__(self, text, lines):
        self.tree = ast.parse(text)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        self.functions = [(node.lineno, node.end_lineno, node) for node in ast.walk(self.tree) if isinstance(node, kinds)]
        run = [node for first, last, node in self.functions if any(first <= one <= last for one in lines)]
        self.run = {id(node) for node in run}
        self.loaded = self.loaded_for({one for node in run for one in names_in(node)})

    def loaded_for(self, used):
        """The lines of the module itself that matter for these names: all but definitions of what nothing uses."""
        left, lines = list(self.tree.body), set()
        while wanted := [one for one in left if defined(one) is None or defined(one) & used]:
            left = [one for one in left if one not in wanted]
            for statement in wanted:
                used = used | names_in(statement)
                lines.update(range(statement.lineno, statement.end_lineno + 1))
        return lines

    def enclosing(self, line):
        return max(((first, node) for first, last, node in self.functions if first <= line <= last), key=lambda one: one[0], default=(0, None))[1]

    def function(self, line):
        found = self.enclosing(line)
        return found.name if found else "<module>"

    def reaches(self, line):
        """Whether a mutant at a line is one of code that calls can run: of such a function, or of what the module does for them when it is loaded."""
        found = self.enclosing(line)
        return line in self.loaded if found is None else id(found) in self.run

    def of(self, text):
        """What a text compiles to, without the places of its lines: equal ones are the same program."""
        try:
            return hashlib.sha256(repr(self.parts(compile(text, "module", "exec", dont_inherit=True))).encode()).hexdigest()
        except (SyntaxError, ValueError):
            return None

    def parts(self, code):
        constants = tuple(self.parts(one) if hasattr(one, "co_code") else (type(one).__name__, repr(one)) for one in code.co_consts)
        return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags, code.co_argcount, code.co_kwonlyargcount, getattr(code, "co_exceptiontable", b"")


def names_in(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def defined(statement):
    """The names that a statement of a module does nothing but define; None of one that does more."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return {one.id for target in getattr(statement, "targets", None) or [statement.target] for one in ast.walk(target) if isinstance(one, ast.Name)} or None
    return None


def changed(before, after):
    """The first line that differs, in both texts."""
    old, new = before.split("\n"), after.split("\n")
    first = next((place for place, (one, other) in enumerate(zip(old, new)) if one != other), min(len(old), len(new)))
    last = 0
    while last < min(len(old), len(new)) - first - 1 and old[-1 - last] == new[-1 - last]:
        last += 1
    part = lambda lines: " ".join(line.strip() for line in lines[first:len(lines) - last])
    return part(old), part(new)


def of_cosmic_ray(_):
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    def mutants(text):
        tree = get_ast(text)
        found = []
        for name in operator_names():
            operator = get_operator(name)
            if operator.arguments():
                continue
            operator = operator()
            places = [start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node)]
            for occurrence, (line, column) in enumerate(places):
                mutated = mutate_code(text, operator, occurrence)
                if mutated is not None:
                    # What stands behind the name says which operators are exchanged, and the change itself shows that.
                    found.append((name.removeprefix("core/").partition("_")[0], line, column + 1, mutated))
        return sorted(found, key=lambda one: one[1:3])

    return mutants


def of_mutmut(folder):
    # It reads its settings from the working directory.
    write(os.path.join(folder, "setup.cfg"), "[mutmut]\nsource_paths=.\n")
    os.chdir(folder)
    from libcst.metadata import MetadataWrapper, PositionProvider
    from mutmut.mutation.file_mutation import create_mutations

    def mutants(text):
        # The nodes of a mutation are those of the tree that it comes with.
        module, mutations, *_ = create_mutations("module.py", text)
        places = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
        found = []
        for one in mutations:
            at = places[one.original_node].start
            found.append((type(one.original_node).__name__, at.line, at.column + 1, module.deep_replace(one.original_node, one.mutated_node).code))
        return sorted(found, key=lambda one: one[1:3])

    return mutants


main()
