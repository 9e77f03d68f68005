"""Columns of names, numbers and properties."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import GraphIndex, GraphSourceError, KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.graph.columns.names import NameBuilder
from graphrag_pipeline.graph.columns.text import TextColumn
from graphrag_pipeline.graph.columns.values import SparseText, code_type, no_json, to_json
from tests.tiny import index_of, node


def weights(values: list[Any]) -> list[Any]:
    edges = [KnowledgeEdge("a", "b", "uses", weight=value) for value in values]
    return [edge.weight for edge in GraphIndex.from_records([node("a"), node("b")], edges).all_edges()]


numbers = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.integers()
    | st.sampled_from([1.0, 1, 0, -0.0, 2**53, 2**53 + 1, 10**300])
)


@given(st.lists(numbers, max_size=9))
def test_a_weight_comes_back_as_the_number_it_was_written_as(values):
    assert [repr(weight) for weight in weights(values)] == [repr(value) for value in values]


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf, np.float32("nan")])
def test_a_weight_that_is_nan_or_infinite_is_refused_and_the_edge_named(weight):
    with pytest.raises(GraphSourceError, match=r"finite number, not (NaN|an infinite one)\.") as caught:
        weights([1.0, weight])
    assert caught.value.where == "edge 'a' -> 'b'"


def test_weights_that_are_all_1_take_no_memory():
    edges = [KnowledgeEdge("a", "b", "uses") for _ in range(9)]
    column = GraphIndex.from_records([node("a")], edges).table.edges.weight
    assert (column.value.size, column.whole.size, column.exact.at.size) == (0, 0, 0)
    assert weights([1.0, 1.0, 0.5, 1.0, 1]) == [1.0, 1.0, 0.5, 1.0, 1]


@pytest.mark.parametrize(("count", "kind"), [(256, np.uint8), (257, np.uint16), (65_537, np.int32)])
def test_names_are_numbered_in_as_few_bytes_as_their_number_allows(count, kind):
    builder = NameBuilder()
    for row in range(count):
        builder.put(row, f"name {row}")
    builder.put(count, f"name {count - 1}")
    column = builder.finish()
    assert code_type(count) is kind
    assert column.code.dtype == kind
    assert (column[0], column[1], column[count]) == ("name 0", "name 1", f"name {count - 1}")
    assert column.many(np.array([2, 1])) == ["name 2", "name 1"]


def test_names_are_counted_most_first_then_by_first_use_and_unused_ones_left_out():
    builder = NameBuilder()
    for row, name in enumerate(["gone", "x", "y", "z", "y"]):
        builder.put(row, name)
    builder.put(0, "z")
    assert list(builder.finish().counts().items()) == [("z", 2), ("y", 2), ("x", 1)]


def test_a_sparse_text_is_there_or_none():
    column = SparseText(np.array([2, 5]), TextColumn.of(["", "x"]))
    assert [column.get(row) for row in range(7)] == [None, None, "", None, None, "x", None]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(), max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.text(st.characters(), max_size=3), json_values, max_size=3))
def test_json_properties_come_back_as_they_were(properties):
    (entry,) = GraphIndex.from_records([KnowledgeNode("a", "t", "A", properties=properties)]).all_nodes()
    assert repr(entry.properties) == repr(properties)


def test_properties_are_made_anew_each_time():
    given_properties = {"list": [1], "set": {2}}
    index = GraphIndex.from_records([KnowledgeNode("a", "t", "A", properties=given_properties)])
    given_properties["list"].append(9)  # type: ignore[attr-defined]
    given_properties["set"].add(9)  # type: ignore[attr-defined]
    index.node(0).properties["list"].append(8)
    index.node(0).properties["set"].add(8)
    assert index.node(0).properties == {"list": [1], "set": {2}}
    plain = index_of([node("a", list=[1])])
    plain.node(0).properties["list"].append(8)
    assert plain.node(0).properties == {"list": [1]}


@pytest.mark.parametrize(
    "value",
    [(1, 2), {1, 2}, b"x", 1j, {1: 2}, {"a": [(1,)]}, np.float64(0.5), OrderedDict(a=1), range(3)],
    ids=repr,
)
def test_what_json_would_change_is_kept_as_a_copy(value):
    index = index_of([node("a", x=value), node("b", x=1)])
    kept = index.node(0).properties["x"]
    assert (kept, type(kept)) == (value, type(value))
    assert [entry.properties["x"] for entry in index.nodes(np.array([1, 0]))] == [1, value]
    edge = KnowledgeEdge("a", "b", "uses", properties={"x": value})
    assert GraphIndex.from_records([], [KnowledgeEdge("a", "b", "uses"), edge]).edge(1).properties == {
        "x": value
    }


def test_what_cannot_be_copied_is_shared():
    lock = threading.Lock()
    index = index_of([node("a", x=lock)])
    assert index.node(0).properties == {"x": lock}
    odd = KnowledgeNode("a", "t", "A", properties=MappingProxyType({"x": [1]}))
    assert GraphIndex.from_records([odd]).node(0).properties == {"x": [1]}


def test_what_json_would_lose_is_named():
    assert no_json({"a": [1, "x", None, 0.5, {"b": True}]}) is None
    assert no_json({"a": {7: 1}}) == "the key 7"
    assert no_json([1, (2,)]) == "(2,) (tuple)"
    assert to_json({}) == b""
    assert to_json({"ü": "\ud800"}) == b'{"\\u00fc":"\\ud800"}'
    assert to_json({"a": {1}}) is None


def test_a_property_that_holds_itself_is_refused():
    circle: list[Any] = []
    circle.append(circle)
    inner: dict[str, Any] = {}
    inner["self"] = inner
    for value in (circle, inner):
        with pytest.raises(GraphSourceError, match="nested too deeply"):
            index_of([node("a", x=value)])
