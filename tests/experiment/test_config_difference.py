"""In which keys two configs differ."""

from __future__ import annotations

import pytest

from graphrag_pipeline.experiment.config_difference import KeyChange, config_difference


def changes(first, second, default=None) -> list[tuple[str, str | None, str | None]]:
    found = config_difference(first, second, default or {})
    return [(change.key, change.first, change.second) for change in found]


def test_equal_configs_do_not_differ():
    tree = {"seed": {"use": "label", "names": [1, {"a": None}]}, "x": {}}
    assert changes(tree, {"seed": {"use": "label", "names": [1, {"a": None}]}, "x": {}}) == []


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        (1, 1.0, ("1", "1.0")),
        (1, True, ("1", "true")),
        (1, "1", ("1", '"1"')),
        (None, "null", ("null", '"null"')),
        ("", None, ('""', "null")),
        ([1, 2], [2, 1], ("[1, 2]", "[2, 1]")),
        ({}, None, ("{}", "null")),
        ("a\nb", "a b", ('"a\\nb"', "a b")),
        ("帳簿", "x", ("帳簿", "x")),
    ],
)
def test_values_of_two_types_are_two_values(first, second, shown):
    assert changes({"k": first}, {"k": second}) == [("k", *shown)]


def test_a_key_that_only_one_has_is_told_in_order():
    first, second = {"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "d": 3}, "e": 4}
    assert changes(first, second) == [("a.b", "1", None), ("a.d", None, "3"), ("e", None, "4")]


def test_a_mapping_in_place_of_a_value_is_told():
    assert changes({"a": 1}, {"a": {"b": 1}}) == [("a", "1", None), ("a.b", None, "1")]


def test_the_order_of_keys_is_told_where_nothing_else_differs_in_them():
    first, second = {"w": {"a": 1, "b": 2}}, {"w": {"b": 2, "a": 1}}
    assert changes(first, second) == [("w (order)", "a, b", "b, a")]
    assert changes({"a": 1, "b": 2}, {"b": 2, "a": 1}) == []


def test_defaults_come_along():
    found = config_difference({"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 1})
    assert found == (KeyChange("a", "1", "2", "1"), KeyChange("b", "1", "2", None))
