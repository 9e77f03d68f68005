"""The tree of values."""

from __future__ import annotations

from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.tree import Leaf, describe, find, from_plain, merge, plain, put

HERE, THERE = Origin("here"), Origin("there", 3)


def test_mappings_are_joined_and_anything_else_is_replaced():
    base = from_plain({"a": {"x": 1, "y": [1, 2]}, "b": 1}, HERE)
    over = from_plain({"a": {"y": [3]}, "b": {"c": 2}}, THERE)
    merged = merge(base, over)
    assert plain(merged) == {"a": {"x": 1, "y": [3]}, "b": {"c": 2}}
    assert plain(base) == {"a": {"x": 1, "y": [1, 2]}, "b": 1}
    kept = find(merged, ("a", "x"))
    assert kept is not None
    assert kept.origin == HERE


def test_a_value_is_put_into_mappings_and_lists():
    tree = from_plain({"a": [{"b": 1}, 2]}, HERE)
    assert plain(put(tree, ("a", 0, "b"), Leaf(9, THERE))) == {"a": [{"b": 9}, 2]}
    assert plain(put(tree, ("a", "1"), None)) == {"a": [{"b": 1}]}
    assert plain(put(tree, ("c", "d"), Leaf(1, THERE))) == {"a": [{"b": 1}, 2], "c": {"d": 1}}


def test_a_value_is_described_in_yaml_words_and_not_at_length():
    assert describe(from_plain({"a": None, "b": [True, "x"]}, HERE)) == "{a: null, b: [true, 'x']}"
    assert len(describe(from_plain(list(range(100)), HERE))) <= 60


def test_an_origin_is_shown_with_its_line():
    assert (str(HERE), str(THERE)) == ("here", "there:3")
