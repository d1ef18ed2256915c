"""Each relation of a `*.mr` file beside a `dodona.toml` is a test, and so is each relation that is written in Python. `-k`, `--lf` and pytest-xdist work as for other tests."""

import re
import subprocess

import pytest

from dodona import Relation, program

RELATION = re.compile(r"^[ \t]*relation[ \t]+([A-Za-z_][A-Za-z0-9_]*)", re.MULTILINE)


def pytest_addoption(parser):
    group = parser.getgroup("dodona", "metamorphic relations")
    group.addoption("--dodona-sources", metavar="N", type=int, help="source inputs of each relation (1000; of programs 100)")
    group.addoption("--dodona-seed", metavar="SEED", type=int, help="where everything random starts (0)")


def pytest_collect_file(parent, file_path):
    if file_path.suffix == ".mr" and (file_path.parent / "dodona.toml").exists():
        return RelationFile.from_parent(parent, path=file_path)
    return None


def pytest_pycollect_makeitem(collector, name, obj):
    if isinstance(obj, Relation):
        return PythonRelationItem.from_parent(collector, name=name, relation=obj)
    return None


class PythonRelationItem(pytest.Item):
    """A relation that is written in Python. Its message is that of its own assertion, for the simplest input that violates it."""

    def __init__(self, *, relation, **other):
        super().__init__(**other)
        self.relation = relation

    def runtest(self):
        self.relation.check(self.config.getoption("--dodona-sources"), self.config.getoption("--dodona-seed"))

    def repr_failure(self, excinfo, style=None):
        # What stands above the relation's own code tells nothing of the violation.
        own = excinfo.traceback.cut(path=self.relation.function.__code__.co_filename)
        excinfo.traceback = own
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        code = self.relation.function.__code__
        return self.path, code.co_firstlineno - 1, f"relation {self.name}"


class RelationFile(pytest.File):
    """A file of relations."""

    def collect(self):
        text = self.path.read_text(encoding="utf-8")
        for found in RELATION.finditer(text):
            # From 0, as pytest counts lines.
            line = text.count("\n", 0, found.start(1))
            yield RelationItem.from_parent(self, name=found.group(1), line=line)


class RelationItem(pytest.Item):
    """A relation, which is checked by itself."""

    def __init__(self, *, line, **other):
        super().__init__(**other)
        self.line = line

    def runtest(self):
        words = [program(), "check", str(self.path.parent), "--relations", str(self.path), "--relation", self.name]
        for option in ("sources", "seed"):
            if (value := self.config.getoption(f"--dodona-{option}")) is not None:
                words += [f"--{option}", str(value)]
        ran = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        if ran.returncode != 0:
            raise NotHeld((ran.stdout + ran.stderr).strip())
        self.add_report_section("call", "dodona", ran.stdout)

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, NotHeld):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, self.line, f"relation {self.name}"


class NotHeld(Exception):
    """What the program said of a relation that does not hold, or could not be tested."""
