"""The same relations as tests of Hypothesis."""

import humanize
import semver
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(1, 10**12))
def test_signed_size(value):
    assert humanize.naturalsize(-value) == "-" + humanize.naturalsize(value)


@given(st.integers(1, 10**15))
def test_signed_words(value):
    assert humanize.intword(-value) == "-" + humanize.intword(value)


@given(st.integers(10**6, 10**15))
def test_next_word(value):
    assert "1000.0" not in humanize.intword(value)


@given(st.sampled_from(["1.0.0-rc.1", "1.0.0-rc.9", "0.4.2-alpha", "2.0.0-a-b", "1.2.3-0", "1.2.3-beta.11"]))
def test_raised(version):
    assert semver.compare(semver.bump_prerelease(version), version) == 1
