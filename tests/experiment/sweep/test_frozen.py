"""The config of a point, made again from the first one and what differs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.experiment.sweep.frozen import difference, patched, tree_digest

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.sampled_from(["", "a", "é"])
TREES = st.dictionaries(
    st.sampled_from(["a", "b", "c", ""]),
    st.recursive(
        SCALARS,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    max_size=4,
)


@given(first=TREES, other=TREES)
def test_a_patch_makes_the_other_config_of_the_first(first, other):
    made = patched(first, json.loads(json.dumps(difference(first, other))))
    assert json.dumps(made) == json.dumps(other)
    assert tree_digest(made) == tree_digest(other)


def test_a_patch_holds_only_what_differs():
    first = {"query": {"k": 10, "cell": None}, "score": {"weights": {"a": 1.0, "b": 2.0}}}
    other = {"query": {"k": 10, "cell": None}, "score": {"weights": {"a": 1.0, "b": 3.0}}}
    assert difference(first, first) == []
    assert difference(first, other) == [[["score", "weights", "b"], 3.0]]


@pytest.mark.parametrize(("before", "after"), [(1, True), (1, 1.0), ({"a": 1, "b": 2}, {"b": 2, "a": 1})])
def test_values_that_compare_equal_are_told_apart(before, after):
    assert difference({"x": before}, {"x": after}) == [[["x"], after]]
    assert tree_digest({"x": before}) != tree_digest({"x": after})


def test_the_first_config_stays_as_it_is():
    first = {"a": {"b": 1}}
    patched(first, [[["a", "b"], 2]])
    assert first == {"a": {"b": 1}}
