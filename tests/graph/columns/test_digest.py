"""Digests, and arrays there and back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import given, settings

from graphrag_pipeline import GraphIndex, KnowledgeGraph, KnowledgeNode
from graphrag_pipeline.graph.columns.canonical import shown
from graphrag_pipeline.graph.columns.digest import array_digest
from graphrag_pipeline.graph.columns.layout import put_together, take_apart
from tests.property.test_graphs import graphs
from tests.tiny import edge, node


@settings(max_examples=50)
@given(graphs)
def test_a_table_taken_apart_and_put_together_is_the_same_graph(data):
    index = GraphIndex.from_graph(KnowledgeGraph.from_dict(data))
    again = GraphIndex(put_together(take_apart(index.table)))
    assert repr(again.all_nodes()) == repr(index.all_nodes())
    assert repr(again.all_edges()) == repr(index.all_edges())
    assert again.digest == index.digest
    assert [again.position(node_id) for node_id in index.ids] == list(range(index.node_count))


def test_an_arrays_digest_tells_types_lengths_and_values_apart():
    arrays: list[Any] = [[1, 0], [1], [0, 1], []]
    made = [np.array(values, dtype=kind) for values in arrays for kind in (np.int32, np.uint32, np.int64)]
    assert len({array_digest(array) for array in made}) == len(made)
    assert array_digest(np.arange(6)[::2]) == array_digest(np.array([0, 2, 4]))


def test_a_replaced_node_leaves_no_trace_in_the_digest():
    new = [KnowledgeNode("a", "t", "A"), KnowledgeNode("b", "u", "B")]
    old = [KnowledgeNode("a", "gone", "old", "gone", "urn:x", {"x": {1}}), *new]
    assert (
        GraphIndex.from_records(old, [edge("a>b")]).digest
        == GraphIndex.from_records(new, [edge("a>b")]).digest
    )


def test_a_set_shows_its_members_in_one_order_and_everything_else_as_str_does():
    assert shown({"b", "a", "c"}) == "{'a', 'b', 'c'}"
    assert shown([frozenset({"b", "a"}), ({"x", "w"},)]) == "[frozenset({'a', 'b'}), ({'w', 'x'},)]"
    assert shown({"k": {"b", "a"}}) == "{'k': {'a', 'b'}}"
    values: list[Any] = [set(), frozenset(), (), (1,), (1, "x"), [], {}, {1: [2.0, None]}, "{x}", 1.5, True]
    assert [shown(value) for value in values] == [str(value) for value in values]


def test_a_node_is_found_by_what_a_set_shows():
    index = GraphIndex.from_records(
        [node("a", words={"Risk", "Audit"}), node("b", words=json.dumps({"x": 1}))]
    )
    found = index.mentioning("{'audit', 'risk'}", np.arange(2))
    assert found.tolist() == [True, False]
    assert index.mentioning('{"x": 1}', np.arange(2)).tolist() == [False, True]
