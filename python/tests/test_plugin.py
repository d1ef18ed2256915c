"""The plugin, in a folder of its own, as somebody uses it who has installed the wheel."""

import pytest

pytest_plugins = ["pytester"]

MODULE = """
import math
import numpy as np


def root(x: float) -> float:
    return math.sqrt(x)


def shifted(x: float) -> float:
    return x + 1 if x < 100 else x + 2


def total(xs: np.ndarray) -> float:
    return float(xs.sum())
"""

MANIFEST = """
relations = ["m.mr"]
[target]
python = "m"
[[function]]
signature = "root(x: f64) -> f64"
domain.x = { range = [0, 1e6] }
[[function]]
signature = "shifted(x: f64) -> f64"
domain.x = { range = [0, 1000] }
[[function]]
signature = "total(xs: [f64]) -> f64"
domain.xs = { range = [-1e6, 1e6], length = [0, 20] }
"""

RELATIONS = """# relation commented: root(x) == x
relation scaled: root(4 * x) ~= 2 * root(x)
relation step: shifted(x + 50) ~= shifted(x) + 50
relation reversed: total(reverse(xs)) ~= total(xs)
"""


@pytest.fixture
def folder(pytester):
    for name, text in (("m.py", MODULE), ("dodona.toml", MANIFEST), ("m.mr", RELATIONS)):
        (pytester.path / name).write_text(text)
    return pytester


def test_each_relation_is_a_test_with_its_counterexample(folder):
    result = folder.runpytest_subprocess("-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*m.mr::scaled PASSED*", "*m.mr::step FAILED*", "*m.mr::reversed PASSED*"])
    result.stdout.fnmatch_lines(["*VIOLATED*step*", "*x = 51.0*"])


def test_some_are_chosen_by_name_and_the_last_failures_again(folder):
    folder.runpytest_subprocess("-k", "scaled").assert_outcomes(passed=1, deselected=2)
    folder.runpytest_subprocess().assert_outcomes(passed=2, failed=1)
    folder.runpytest_subprocess("--lf").assert_outcomes(failed=1)


def test_several_processes_share_them(folder):
    folder.runpytest_subprocess("-n", "2").assert_outcomes(passed=2, failed=1)


def test_a_module_that_cannot_be_imported_is_told(folder):
    (folder.path / "m.py").write_text("import nowhere_at_all\n")
    result = folder.runpytest_subprocess("-k", "scaled")
    result.assert_outcomes(failed=1, deselected=2)
    result.stdout.fnmatch_lines(["*No module named 'nowhere_at_all'*"])
