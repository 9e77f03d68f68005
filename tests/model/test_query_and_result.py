"""The question and the answer."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import (
    CELLS,
    ConfigError,
    GraphSourceError,
    KnowledgeEdge,
    KnowledgeNode,
    Query,
    QueryResult,
)
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


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"text": None}, "query.text: must be text, got None"),
        ({"text": 7}, "query.text: must be text, got 7"),
        ({"k": "3"}, "query.k: must be a whole number, got '3'"),
        ({"k": 2.0}, "query.k: must be a whole number, got 2.0"),
        ({"k": True}, "query.k: must be a whole number, got True"),
        ({"max_hops": None}, "query.max_hops: must be a whole number, got None"),
        ({"persona": 7}, "query.persona: must be text or None, got 7"),
        ({"cell": "architect:how"}, "query.cell: must be a ZachmanCell or None, got 'architect:how'"),
    ],
)
def test_a_query_of_wrong_types_is_refused_when_it_is_made(wrong, said):
    with pytest.raises(ConfigError) as error:
        Query(**{"text": "x", **wrong})
    (problem,) = error.value.problems
    assert str(problem).startswith(said)
    if "cell" in wrong:
        assert problem.hint == "ZachmanCell.from_coordinate('row:column')"


def test_a_query_tells_of_every_wrong_value():
    with pytest.raises(ConfigError) as error:
        Query(7, "x", 7, 7, "x")  # type: ignore[arg-type]
    assert [problem.key for problem in error.value.problems] == [
        "query.text",
        "query.k",
        "query.persona",
        "query.cell",
        "query.max_hops",
    ]


def test_whole_numbers_of_numpy_are_as_good():
    query = Query("x", k=np.int64(3), max_hops=np.uint8(2))  # type: ignore[arg-type]
    assert query == Query("x", k=3, max_hops=2)
    assert (type(query.k), type(query.max_hops)) == (int, int)
