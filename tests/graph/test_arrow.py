"""Indexes from Arrow tables."""

from __future__ import annotations

from typing import Any

import pytest

from graphrag_pipeline import GraphIndex, GraphSourceError, KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.graph import arrow
from tests.tiny import index_of

pa = pytest.importorskip("pyarrow")

NODES = {"node_id": ["b", "a"], "node_type": ["t", "u"], "label": ["B", "Ä"]}
EDGES = {"source_id": ["a", "b"], "target_id": ["b", "ghost"], "edge_type": ["uses", "owns"]}


def table(columns: dict[str, Any], **more: Any) -> Any:
    return pa.table({**columns, **more})


def test_tables_of_the_required_columns_are_a_graph():
    index = GraphIndex.from_arrow(table(NODES), table(EDGES))
    assert index.all_nodes() == [KnowledgeNode("b", "t", "B"), KnowledgeNode("a", "u", "Ä")]
    assert index.all_edges() == [KnowledgeEdge("a", "b", "uses"), KnowledgeEdge("b", "ghost", "owns")]
    assert index.digest == GraphIndex.from_records(index.all_nodes(), index.all_edges()).digest


def test_every_field_is_read_and_a_null_one_takes_its_default():
    nodes = table(NODES, namespace=["n", None], uri=[None, "urn:a"], properties=['{"x": [1]}', None])
    edges = table(EDGES, weight=[0.5, None], namespace=[None, "m"], properties=["", '{"y": null}'])
    index = GraphIndex.from_arrow(nodes, edges)
    assert index.all_nodes() == [
        KnowledgeNode("b", "t", "B", "n", "n:t/b", {"x": [1]}),
        KnowledgeNode("a", "u", "Ä", uri="urn:a"),
    ]
    assert index.all_edges() == [
        KnowledgeEdge("a", "b", "uses", weight=0.5),
        KnowledgeEdge("b", "ghost", "owns", "m", properties={"y": None}),
    ]


def test_every_other_column_is_a_property_where_it_is_not_null():
    nodes = table(NODES, owner=["me", None], rank=[None, 7], properties=['{"owner": "old", "x": 1}', None])
    first, second = GraphIndex.from_arrow(nodes, table(EDGES)).all_nodes()
    assert first.properties == {"owner": "me", "x": 1}
    assert second.properties == {"rank": 7}


def test_a_whole_weight_stays_whole():
    index = GraphIndex.from_arrow(table(NODES), table(EDGES, weight=pa.array([1, 2**60])))
    assert [repr(edge.weight) for edge in index.all_edges()] == ["1", str(2**60)]


@pytest.mark.parametrize("missing", ["node_id", "node_type", "label"])
def test_a_missing_column_of_nodes_is_named(missing):
    columns = {name: column for name, column in NODES.items() if name != missing}
    with pytest.raises(GraphSourceError) as error:
        GraphIndex.from_arrow(table(columns), table(EDGES))
    assert error.value.what == f"The nodes table has no column {missing}."
    assert error.value.hint == f"It has: {', '.join(columns)}."


def test_a_repeated_column_is_refused():
    twice = pa.table([pa.array(["a"])] * 4, names=["node_id", "node_type", "label", "label"])
    with pytest.raises(GraphSourceError, match="has the column label more than once"):
        GraphIndex.from_arrow(twice, table(EDGES))


def test_what_is_no_table_is_refused():
    with pytest.raises(GraphSourceError, match="The nodes must be an Arrow table, not NoneType"):
        GraphIndex.from_arrow(None, table(EDGES))


@pytest.mark.parametrize(
    ("more", "where", "said"),
    [
        ({"label": ["B", None]}, "nodes[1]", "'label' is missing"),
        ({"node_id": [1, 2]}, "nodes[0]", "'node_id' must hold text, not the number 1"),
        ({"properties": ["{}", "[1]"]}, "nodes[1]", "must be a JSON object as text"),
        ({"properties": ["{}", "{"]}, "nodes[1]", "must be a JSON object as text"),
        ({"properties": [{"a": 1}, {"a": 2}]}, "nodes[0]", "must be a JSON object as text"),
    ],
)
def test_a_wrong_value_is_named_with_its_row(more, where, said):
    with pytest.raises(GraphSourceError) as error:
        GraphIndex.from_arrow(table(NODES, **more), table(EDGES))
    assert said in error.value.what
    assert error.value.where == where


def test_rows_are_numbered_over_all_batches_and_progress_is_told(monkeypatch):
    monkeypatch.setattr(arrow, "BATCH", 2)
    told: list[int] = []
    many = {"node_id": list("abcde"), "node_type": ["t"] * 5, "label": list("ABCDE")}
    built = GraphIndex(arrow.table_from_arrow(table(many), table(EDGES), told.append))
    assert list(built.ids) == list("abcde")
    assert told == [2, 2, 1, 2]
    with pytest.raises(GraphSourceError) as error:
        GraphIndex.from_arrow(table({**many, "label": [*"ABCD", None]}), table(EDGES))
    assert error.value.where == "nodes[4]"


def test_a_repeated_id_wins_as_everywhere():
    twice = table({"node_id": ["a", "b", "a"], "node_type": ["t"] * 3, "label": ["1", "2", "3"]})
    index = GraphIndex.from_arrow(twice, table(EDGES))
    assert [(entry.node_id, entry.label) for entry in index.all_nodes()] == [("a", "3"), ("b", "2")]


def test_tables_without_rows_are_an_empty_graph():
    none = pa.table({name: pa.array([], pa.string()) for name in NODES})
    lost = pa.table({name: pa.array([], pa.string()) for name in EDGES})
    assert GraphIndex.from_arrow(none, lost).digest == index_of().digest
