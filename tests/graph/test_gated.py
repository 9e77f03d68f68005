"""A graph as a walk sees it that a gate keeps out of some nodes or edges."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import GraphIndex
from graphrag_pipeline.graph.arrays import BoolArray
from graphrag_pipeline.graph.gated import Gate, GatedIndex
from tests.tiny import edge, graph_of, index_of


class Counting:
    """Shuts some nodes or edges, and keeps what it was asked."""

    def __init__(self, index: GraphIndex, nodes: str = "", edge_types: str = "") -> None:
        self.nodes = [index.ids.index(node_id) for node_id in nodes.split()]
        kinds = [index.edge(place).edge_type for place in range(index.edge_count)]
        self.edges = [place for place, kind in enumerate(kinds) if kind in edge_types.split()]
        self.asked: list[tuple[int, int, int]] = []

    def __call__(self, origin: Any, node: Any, edge: Any) -> BoolArray:
        self.asked += list(zip(origin.tolist(), node.tolist(), edge.tolist(), strict=True))
        return ~np.isin(node, self.nodes) & ~np.isin(edge, self.edges)


def gated(
    index: GraphIndex, nodes: str = "", edge_types: str = "", by_step: bool = False
) -> tuple[GatedIndex, Counting]:
    judge = Counting(index, nodes, edge_types)
    return GatedIndex(index, Gate(index, judge, by_step=by_step)), judge


def around(index: GraphIndex, node_id: str) -> list[str]:
    position = index.position(node_id)
    assert position is not None
    neighbours, edges = index.adjacency.around(position)
    return [
        f"{index.ids[node]}:{index.edge(over).edge_type}"
        for node, over in zip(neighbours.tolist(), edges.tolist(), strict=True)
    ]


def test_shut_nodes_are_not_there():
    view, _ = gated(index_of("a b c d", "a>b a>c d>a b>c"), "b")
    assert around(view, "a") == ["c:uses", "d:uses"]
    owner, neighbour, over = view.adjacency.gather(np.array([2, 0]))
    assert (owner.tolist(), neighbour.tolist(), over.tolist()) == ([0, 1, 1], [0, 2, 3], [1, 1, 2])


def test_each_node_is_asked_about_once_and_no_other():
    view, judge = gated(index_of("a b c d e f", "a>b a>c b>c c>d e>f"), "b")
    for _ in range(3):
        around(view, "a")
        around(view, "c")
    assert [node for _, node, _ in judge.asked] == [1, 2, 0, 3]


def test_a_node_that_is_met_twice_in_one_step_is_asked_about_once():
    view, judge = gated(index_of("a b c", "a>c b>c"))
    view.adjacency.gather(np.array([0, 1]))
    assert judge.asked == [(0, 2, 0)]


def test_what_is_known_already_is_not_asked():
    index = index_of("a b c", "a>b a>c")
    judge = Counting(index)
    gate = Gate(index, judge)
    gate.know(np.array([1]), np.array([False]))
    assert around(GatedIndex(index, gate), "a") == ["c:uses"]
    assert [node for _, node, _ in judge.asked] == [2]


def test_another_edge_may_be_open_where_the_first_is_shut():
    edges = [edge("a>b", "uses"), edge("b>a", "owns"), edge("a>b", "reads"), edge("a>c", "uses")]
    index = index_of("a b c", edges)
    assert around(index, "a") == ["b:uses", "c:uses"]
    view, judge = gated(index, edge_types="uses", by_step=True)
    assert around(view, "a") == ["b:owns"]
    assert around(view, "b") == ["a:owns"]
    assert judge.asked == [(0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 2, 3), (1, 0, 0), (1, 0, 1), (1, 0, 2)]


def test_neighbours_over_some_edges_only_are_gated_too():
    edges = [edge("a>b", "uses"), edge("c>a", "uses"), edge("a>d", "owns"), edge("a>b", "owns")]
    view, _ = gated(index_of("a b c d", edges), "d")

    def reached(*choice: Any) -> list[int]:
        return [int(node) for node in view.adjacency_over(*choice).around(0)[0]]

    assert reached(["owns"]) == [1]
    assert reached(None, "in") == [2]
    assert reached(None, "out", True) == [1, 1]


def test_arrays_and_degrees_are_those_of_the_whole_graph():
    index = index_of("a b c", "a>b a>c")
    view, judge = gated(index, "b c")
    assert view.adjacency.start.tolist() == index.adjacency.start.tolist() == [0, 2, 3, 4]
    assert view.adjacency.neighbour.tolist() == index.adjacency.neighbour.tolist()
    assert judge.asked == []


def test_all_else_is_the_whole_indexs_own():
    index = index_of("a b", "a>b")
    view, _ = gated(index, "b")
    assert isinstance(view, GraphIndex)
    assert view.node_count == 2
    assert view.to_dict() == index.to_dict()
    assert view.table is index.table
    assert view._search is index._search  # worked out once, and kept for the next query
    assert view.digest == index.digest
    assert pickle.loads(pickle.dumps(view)).digest == index.digest
    with pytest.raises(AttributeError):
        _ = view.nothing


def test_a_node_without_neighbours_has_none():
    view, judge = gated(index_of("a b", ""))
    assert around(view, "a") == []
    assert view.adjacency.gather(np.zeros(0, dtype=np.int64))[1].size == 0
    assert judge.asked == []


nodes = "abcdef"
links = st.lists(
    st.tuples(st.sampled_from(nodes), st.sampled_from(nodes), st.sampled_from(["uses", "owns"])), max_size=16
)


@given(links, st.sets(st.sampled_from(nodes)), st.booleans())
def test_a_gated_graph_is_the_graph_without_what_is_shut(found, shut, by_type):
    edges = [edge(f"{source}>{target}", kind) for source, target, kind in found]
    index = GraphIndex.from_graph(graph_of(" ".join(nodes), edges))
    types = "uses" if by_type else ""
    view, _ = gated(index, " ".join(sorted(shut)), types, by_step=by_type)
    left = [link for link in edges if link.edge_type != types and not shut & {link.source_id, link.target_id}]
    smaller = GraphIndex.from_graph(graph_of(" ".join(nodes), left))
    for node_id in nodes:
        if node_id not in shut:
            assert around(view, node_id) == around(smaller, node_id)
