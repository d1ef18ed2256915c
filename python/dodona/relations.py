"""Relations that are written in Python: functions of their source input, which assert what must hold."""

import functools
import inspect
import json
import os
import subprocess
import sys
import tempfile
import typing

from dodona.domains import Domain, of_annotation
from dodona.literals import value_of
from dodona.programs import program


class NotEligible(Exception):
    """The relation says nothing of this input."""


class NotTested(Exception):
    """The relation could not be tested: no input is eligible, or the program failed."""


def assume(condition):
    """Leaves out the input of the relation that is being checked, unless the condition is true."""
    if not condition:
        raise NotEligible()


def relation(function=None, **domains):
    """Makes a relation of a function that asserts what must hold of its parameters, or returns whether it does.

    A parameter has the domain that is named, or else that of its annotation:

        @relation(x=floats(-10, 10))
        def odd(x):
            assert math.sin(-x) == -math.sin(x)

    Raises TypeError where a parameter has neither.
    """
    if function is None:
        return functools.partial(relation, **domains)
    return Relation(function, domains)


class Relation:
    """A relation. Called, it is the function that it was made of."""

    def __init__(self, function, domains):
        functools.update_wrapper(self, function)
        self.function = function
        parameters = inspect.signature(function).parameters
        types = typing.get_type_hints(function)
        if unknown := set(domains) - set(parameters):
            raise TypeError(f"{function.__name__} has no parameter {', '.join(sorted(unknown))}")
        self.domains = {}
        for name in parameters:
            domain = domains.get(name)
            if domain is None and name not in types:
                raise TypeError(f"parameter {name} of {function.__name__} has neither a domain nor a type: write @relation({name}=floats(0, 1)), or annotate it")
            self.domains[name] = domain if isinstance(domain, Domain) else of_annotation(types[name] if domain is None else domain)

    def __call__(self, *arguments, **named):
        return self.function(*arguments, **named)

    def judged(self, *arguments):
        """Whether it holds of an input; None where it says nothing of it. A worker calls this."""
        try:
            result = self.function(*arguments)
            return result is None or bool(result)
        except NotEligible:
            return None
        except Exception:
            return False

    def check(self, sources=None, seed=None):
        """Checks the relation on random inputs (1,000, and the seed 0, where nothing is said).

        Raises what the function raises for the simplest input that violates it, with the input as a note, or AssertionError where it returns False; and NotTested where no input was
        eligible.
        """
        if "<locals>" in self.__qualname__:
            raise NotTested(f"{self.__qualname__} is defined inside a function, where no other process finds it: define it in the module")
        with tempfile.TemporaryDirectory(prefix="dodona-") as folder:
            self.declare(folder)
            words = [program(), "check", folder, "--keep", "nothing", "--format", "json"]
            for option, value in (("--sources", sources), ("--seed", seed)):
                if value is not None:
                    words += [option, str(value)]
            ran = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        self.answer(ran)

    def declare(self, folder):
        """Writes the manifest and the relation, as the program has them."""
        names = [f"p{place}" for place in range(len(self.domains))]
        parameters = ", ".join(f"{name}: {domain.type}" for name, domain in zip(names, self.domains.values()))
        paths = [os.path.abspath(path) if path else os.getcwd() for path in sys.path]
        manifest = f"""name = {json.dumps(self.__name__)}
relations = ["relation.mr"]
[target]
python = {json.dumps(self.function.__module__)}
interpreter = {json.dumps(sys.executable)}
environment = {{ PYTHONPATH = {json.dumps(os.pathsep.join(paths))} }}
[[function]]
signature = "judged({parameters}) -> Option<bool>"
path = {json.dumps(f"{self.function.__module__}:{self.__qualname__}.judged")}
{''.join(domain.declared(name) for name, domain in zip(names, self.domains.values()))}"""
        call = f"judged({', '.join(names)})"
        for name, text in (("dodona.toml", manifest), ("relation.mr", f"relation holds: when {call} is some: {call}\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)

    def answer(self, ran):
        """What came of a check."""
        try:
            found = json.loads(ran.stdout)["subjects"][0]["relations"][0]
        except (ValueError, LookupError, TypeError):
            raise NotTested((ran.stderr or ran.stdout).strip()) from None
        counterexample = found.get("counterexample")
        if counterexample is None:
            if ran.returncode != 0:
                raise NotTested(self.why(found, ran))
            return
        values = [value_of(one["value"]) for one in counterexample["source"]]
        self.fail(values)

    def why(self, found, ran):
        tally = found["tally"]
        if tally["held"] == 0 and tally["violated"] == 0:
            return f"{self.__name__} was never tested: no input is eligible (assume leaves all of them out)"
        return (ran.stderr or ran.stdout).strip()

    def fail(self, values):
        """Raises what the relation raises for an input that violates it."""
        shown = ", ".join(f"{name} = {value!r}" for name, value in zip(self.domains, values))
        try:
            result = self.function(*values)
        except Exception as error:
            note(error, f"violated by {shown}")
            raise
        if result is not None and not result:
            raise AssertionError(f"{self.__name__} is false for {shown}")
        raise AssertionError(f"{self.__name__} was violated by {shown} in a process of its own, and holds here: it depends on what ran before")


def note(error, text):
    """Adds a line to what an exception says; before 3.11 to its message."""
    if hasattr(error, "add_note"):
        error.add_note(text)
    else:
        error.args = (f"{error.args[0] if error.args else ''}\n{text}", *error.args[1:])
