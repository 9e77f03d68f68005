"""The question and the answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import CELLS, GraphSourceError, KnowledgeEdge, KnowledgeNode, Query, QueryResult
from tests.model.test_records import edges, nodes

results = st.builds(
    QueryResult,
    nodes=st.lists(nodes, max_size=3).map(tuple),
    edges=st.lists(edges, max_size=3).map(tuple),
    paths=st.lists(st.lists(st.text(max_size=3), max_size=3).map(tuple), max_size=3).map(tuple),
    scored=st.lists(st.tuples(st.text(max_size=3), st.floats(0, 1)), max_size=3).map(tuple),
    context_text=st.text(max_size=10),
)


@given(results)
def test_a_result_survives_dict_and_json(result):
    assert QueryResult.from_dict(result.to_dict()) == result
    assert QueryResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_a_results_dict_is_plain_data_in_the_references_order():
    result = QueryResult(
        nodes=(KnowledgeNode("a", "concept", "A"),),
        edges=(KnowledgeEdge("a", "b", "uses", weight=2),),
        paths=(("a", "b"),),
        scored=(("a", 0.5),),
        context_text="x",
    )
    assert list(result.to_dict()) == ["nodes", "edges", "paths", "scored", "context_text"]
    assert result.to_dict()["paths"] == [["a", "b"]]
    assert result.to_dict()["scored"] == [["a", 0.5]]
    assert result.to_dict()["edges"][0]["weight"] == 2


def test_missing_parts_of_a_result_are_empty():
    assert QueryResult.from_dict({}) == QueryResult()


def test_a_malformed_node_of_a_result_is_refused():
    with pytest.raises(GraphSourceError, match="node_type"):
        QueryResult.from_dict({"nodes": [{"node_id": "a"}]})


def test_query_and_result_are_frozen():
    with pytest.raises(AttributeError):
        QueryResult().context_text = "x"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Query("x").k = 3  # type: ignore[misc]


def test_negative_hops_mean_none():
    assert [Query("x", max_hops=hops).hops for hops in (-5, 0, 2)] == [0, 0, 2]


@pytest.mark.parametrize(
    ("query", "anchors"),
    [
        (Query("x"), ()),
        (Query("x", persona=""), ()),
        (Query("x", persona="P-1"), ("P-1",)),
        (Query("x", persona="P-1", anchors=("boss", "P-1")), ("boss", "P-1")),
        (Query("x", anchors=("boss",)), ()),
    ],
)
def test_a_persona_stands_for_itself_unless_anchors_are_given(query, anchors):
    assert query.persona_anchors == anchors


def test_a_query_can_be_a_key():
    assert len({Query("x", cell=CELLS[0]), Query("x", cell=CELLS[0]), Query("x")}) == 2
