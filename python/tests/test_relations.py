"""Relations that are written in Python, as tests and by themselves."""

import pytest

from dodona import NotTested, floats, lists, relation, texts
from dodona.literals import value_of

import violated

pytest_plugins = ["pytester"]

TESTS = """
import math
from dodona import assume, floats, lists, relation

def shifted(x):
    return x + 1 if x < 100 else x + 2

@relation(x=floats(-10, 10))
def odd(x):
    assert math.sin(-x) == -math.sin(x)

@relation(x=floats(0, 1000))
def step(x):
    assert shifted(x + 50) == shifted(x) + 50

@relation
def longer(text: str, other: str):
    return len(text + other) >= len(text)

@relation(xs=lists(floats(-1e3, 1e3), length=(1, 9)))
def least(xs):
    assume(len(xs) > 1)
    assert min(xs[1:]) >= min(xs)

@relation(x=floats(0, 1))
def never(x):
    assume(x > 2)

class TestGroup:
    pass
"""


def test_each_relation_is_a_test(pytester):
    pytester.makepyfile(test_some=TESTS)
    result = pytester.runpytest_subprocess("-v")
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(["*test_some.py::step FAILED*", "*shifted(x + 50) == shifted(x) + 50*", "*violated by x = 5*"])
    result.stdout.fnmatch_lines(["*never was never tested: no input is eligible*"])


def test_some_are_chosen_by_name_and_run_in_several_processes(pytester):
    pytester.makepyfile(test_some=TESTS)
    pytester.runpytest_subprocess("-k", "odd or longer").assert_outcomes(passed=2, deselected=3)
    pytester.runpytest_subprocess("-n", "2").assert_outcomes(passed=3, failed=2)
    pytester.runpytest_subprocess("--lf").assert_outcomes(failed=2)


def test_a_relation_by_itself_raises_with_the_simplest_input():
    with pytest.raises(AssertionError, match="small is false for n = 77"):
        violated.small.check()
    with pytest.raises(LookupError) as raised:
        violated.without.check(sources=2000)
    assert "violated by text = 'cb', flag = True" in "".join(getattr(raised.value, "__notes__", [])) + str(raised.value)
    assert violated.small(5) and not violated.small(80)


def test_what_has_no_domain_is_refused():
    with pytest.raises(TypeError, match="parameter x of f has neither a domain nor a type"):
        @relation
        def f(x):
            return True
    with pytest.raises(TypeError, match="no parameter y"):
        @relation(y=floats())
        def g():
            return True
    with pytest.raises(TypeError, match="no lists of text"):
        lists(texts())


def test_a_module_that_is_nowhere_is_told():
    outside = relation(lambda x: True, x=floats())
    with pytest.raises(NotTested, match="defined inside a function"):
        outside.check()
    outside.__qualname__, outside.function.__module__ = "outside", "nowhere_at_all"
    with pytest.raises(NotTested, match="nowhere_at_all"):
        outside.check()


def test_literals_are_read_as_they_are_written():
    assert value_of('"a\\"\\u{e9}\\n\\x80,"') == 'a"é\n\udc80,'
    assert value_of("[1, -2]") == [1, -2] and value_of("[]") == [] and value_of("1e300") == 1e300
    assert value_of("-inf") == float("-inf") and value_of("false") is False
