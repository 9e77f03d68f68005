"""Nodes and edges that come one by one."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline import GraphIndex, KnowledgeEdge, KnowledgeGraph, KnowledgeNode
from graphrag_pipeline.graph.builder import TableBuilder
from tests.tiny import edge, node


def build(*parts: KnowledgeNode | KnowledgeEdge) -> tuple[TableBuilder, GraphIndex]:
    builder = TableBuilder()
    for part in parts:
        if isinstance(part, KnowledgeNode):
            builder.add_node(part)
        else:
            builder.add_edge(part)
    return builder, GraphIndex(builder.finish())


def test_of_a_repeated_id_the_last_node_wins_in_the_first_ones_place():
    old = KnowledgeNode(
        "a", "old type", "Old", "old ns", "urn:old", {"zachman_cell": "architect:how", "x": {1}}
    )
    new = KnowledgeNode("a", "t", "New")
    builder, index = build(old, node("b"), new)
    assert builder.repeated == {"a": 1}
    assert index.all_nodes() == [new, node("b")]
    assert index.node(0).uri == "fcc:t/a"
    assert index.named("old").tolist() == [False, False]
    assert (index.perspectives.tolist(), index.interrogatives.tolist()) == ([-1, -1], [-1, -1])
    assert index.node_types() == {"t": 1, "concept": 1}
    assert index.digest == GraphIndex.from_records([new, node("b")]).digest


def test_a_repeated_node_may_bring_what_the_first_lacked():
    full = KnowledgeNode("b", "t", "New", "ns", "urn:new", {"zachman_cell": "engineer:who", "x": (1,)})
    _, index = build(node("a"), node("b"), full)
    assert index.all_nodes() == [node("a"), full]
    assert (index.perspectives.tolist(), index.interrogatives.tolist()) == ([-1, 3], [-1, 3])


def test_repeated_ids_are_counted_in_order_of_the_first_repetition():
    builder, _ = build(*(node(name) for name in "abcbabba"))
    assert list(builder.repeated.items()) == [("b", 3), ("a", 2)]


def test_an_end_that_becomes_a_node_later_is_known_in_the_end():
    _, index = build(edge("b>a"), edge("ghost>b"), node("a"), edge("a>ghost2"), node("b"), edge("a>b"))
    assert [found.key[:2] for found in index.all_edges()] == [
        ("b", "a"),
        ("ghost", "b"),
        ("a", "ghost2"),
        ("a", "b"),
    ]
    assert index.dangling().tolist() == [1, 2]
    assert list(index.ids) == ["a", "b"]
    assert list(index.table.edges.unknown) == ["ghost", "ghost2"]
    assert index.adjacency.around(0)[0].tolist() == [1]


def test_a_loop_at_an_unknown_id_is_a_self_loop():
    _, index = build(edge("ghost>ghost"), edge("a>a"), edge("a>ghost"), node("a"))
    assert (index.self_loops, index.dangling_edges, index.edge_count) == (2, 2, 3)
    assert index.position("ghost") is None


def test_an_empty_builder_gives_an_empty_table():
    _, index = build()
    assert (index.node_count, index.edge_count, index.all_nodes(), index.all_edges()) == (0, 0, [], [])
    assert index.node_types() == index.edge_types() == {}


names = st.sampled_from("abcd")
parts = st.lists(
    st.builds(lambda name, label: node(name, label, x=label), names, st.sampled_from(["", "A", "\ud800"]))
    | st.builds(
        lambda one, other, weight: KnowledgeEdge(one, other, "uses", weight=weight),
        names,
        names,
        st.sampled_from([1, 1.0, 0.5, 2**60]),
    ),
    max_size=14,
)


@settings(max_examples=100)
@given(parts)
def test_a_builder_gives_what_compiling_a_graph_gives(given_parts: list[Any]):
    graph = KnowledgeGraph()
    for part in given_parts:
        if isinstance(part, KnowledgeNode):
            graph.add_node(part)
        else:
            graph.add_edge(part)
    _, index = build(*given_parts)
    compiled = GraphIndex.from_graph(graph)
    assert repr(index.all_nodes()) == repr(graph.all_nodes()) == repr(compiled.all_nodes())
    assert repr(index.all_edges()) == repr(graph.all_edges()) == repr(compiled.all_edges())
    assert [index.get_node(name) for name in "abcd"] == [graph.get_node(name) for name in "abcd"]
    assert index.dangling_edges == len(graph.dangling_edges())
    assert [index.edge(int(place)) for place in index.dangling()] == graph.dangling_edges()
