"""What a compiled graph tells a stage."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import GraphIndex, KnowledgeEdge, ZachmanCell
from graphrag_pipeline.graph.cells import NO_CODE, UNREADABLE, cell_code
from tests.tiny import graph_of, index_of, node


def around(index: GraphIndex, node_id: str) -> list[tuple[str, int]]:
    """Neighbours of a node, each with the edge that leads there."""
    position = index.position(node_id)
    assert position is not None
    neighbours, edges = index.adjacency.around(position)
    return [(index.ids[place], edge) for place, edge in zip(neighbours.tolist(), edges.tolist(), strict=True)]


def test_positions_follow_node_order():
    index = index_of("c a b")
    assert [index.position(node_id) for node_id in ("c", "a", "b", "nobody")] == [0, 1, 2, None]
    assert list(index.ids) == ["c", "a", "b"]
    assert index.node(1).node_id == "a"


def test_neighbours_come_in_global_edge_order_once_over_the_first_edge():
    index = index_of("a b c", "c>a a>b b>a a>a a>ghost a>c")
    assert around(index, "a") == [("c", 0), ("b", 1)]
    assert around(index, "b") == [("a", 1)]
    assert index.edge(0).key == ("c", "a", "uses")


def test_dangling_edges_are_counted_and_never_walked():
    index = index_of("a b", "ghost>b a>ghost ghost>ghost a>b")
    assert index.dangling_edges == 3
    assert index.edge_count == 4
    assert around(index, "a") == [("b", 3)]


def test_an_empty_graph_compiles():
    index = index_of()
    assert (index.node_count, index.edge_count, index.dangling_edges) == (0, 0, 0)
    assert index.named("").tolist() == []
    assert index.perspectives.size == 0


def test_rows_of_several_nodes_are_gathered_in_the_order_asked():
    index = index_of("a b c d", "a>b a>c")
    owner, neighbour, edge = index.adjacency.gather(np.array([2, 3, 0]))
    assert owner.tolist() == [0, 2, 2]
    assert [index.ids[place] for place in neighbour] == ["a", "b", "c"]
    assert edge.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("needle", "found"),
    [
        ("risk", ["r-1", "x"]),
        ("-1", ["r-1"]),
        ("", ["r-1", "x", "Σ"]),
        ("Risk", []),
        ("\u03c3", ["Σ"]),
        ("\u03c3\u03b1ς", ["Σ"]),
        ("\x00", []),
        ("k\nx", []),
    ],
)
def test_names_hold_a_needle_in_lower_cased_label_or_id(needle, found):
    index = index_of([node("r-1", "RISK"), node("x", "the Risk"), node("Σ", "ΣΑΣ")])
    assert index.ids_at(np.flatnonzero(index.named(needle))) == found


def test_names_are_told_in_the_order_of_the_positions_asked():
    index = index_of("ab b a")
    assert index.named("a", np.array([2, 1, 0, 0])).tolist() == [True, False, True, True]
    assert index.named("a", np.array([], dtype=np.int64)).tolist() == []


@pytest.mark.parametrize(
    ("needle", "found"),
    [
        ("lab", [0]),
        ("owner", [1]),
        ("fcon", [2]),
        ("['x', 1]", [3]),
        ("none", [4]),
        ("true", [5]),
        ("{'deep': 'v'}", [6]),
        ("uri", []),
        ("1.5", [7]),
    ],
)
def test_a_mention_may_be_in_label_id_property_key_or_shown_value(needle, found):
    nodes = [node("0", "LAB"), node("1", OWNER=0), node("2", k="FCON-1"), node("3", k=["X", 1])]
    nodes += [node("4", k=None), node("5", k=True), node("6", k={"Deep": "V"}), node("7", k=1.5)]
    index = index_of(nodes)
    assert np.flatnonzero(index.mentioning(needle, np.arange(8))).tolist() == found


def test_cells_become_codes_of_row_and_column():
    values: list[object] = [None, "nobody", 7, "executive", "enterprise:why", "architect:whom"]
    values += [
        ZachmanCell.from_coordinate("engineer:what"),
        {"perspective": "technician", "interrogative": "who"},
    ]
    rows, columns = zip(*map(cell_code, values), strict=True)
    assert list(rows) == [NO_CODE, UNREADABLE, UNREADABLE, 0, 5, 2, 3, 4]
    assert list(columns) == [NO_CODE, NO_CODE, NO_CODE, NO_CODE, 5, NO_CODE, 0, 3]


def test_a_node_without_a_cell_and_one_with_null_are_alike():
    index = index_of([node("a"), node("b", zachman_cell=None), node("c", zachman_cell="")])
    assert index.perspectives.tolist() == [NO_CODE, NO_CODE, UNREADABLE]
    assert index.interrogatives.tolist() == [NO_CODE] * 3


# -- digest ------------------------------------------------------------------------------------


def base() -> GraphIndex:
    return index_of([node("a", x=1), node("b")], "a>b b>a")


def changed() -> dict[str, GraphIndex]:
    """Graphs that differ from the base in one thing each."""
    nodes = tuple(base().node(position) for position in range(2))
    edges = tuple(base().edge(position) for position in range(2))

    def with_node(**change: Any) -> GraphIndex:
        return GraphIndex.from_records((replace(nodes[0], **change), nodes[1]), edges)

    def with_edge(**change: Any) -> GraphIndex:
        return GraphIndex.from_records(nodes, (replace(edges[0], **change), edges[1]))

    return {
        "label": with_node(label="A"),
        "node type": with_node(node_type="role"),
        "id": with_node(node_id="c"),
        "node namespace": with_node(namespace="x"),
        "uri": with_node(uri="x"),
        "property value": with_node(properties={"x": 2}),
        "property key": with_node(properties={"y": 1}),
        "property type: float": with_node(properties={"x": 1.0}),
        "property type: bool": with_node(properties={"x": True}),
        "property type: text": with_node(properties={"x": "1"}),
        "property type: list": with_node(properties={"x": [1]}),
        "property more": with_node(properties={"x": 1, "y": None}),
        "property fewer": with_node(properties={}),
        "node order": GraphIndex.from_records(nodes[::-1], edges),
        "edge order": GraphIndex.from_records(nodes, edges[::-1]),
        "edge gone": GraphIndex.from_records(nodes, edges[:1]),
        "node gone": GraphIndex.from_records(nodes[:1], edges),
        "edge type": with_edge(edge_type="owns"),
        "edge ends": with_edge(target_id="ghost"),
        "weight": with_edge(weight=2.0),
        "weight type": with_edge(weight=1),
        "edge property": with_edge(properties={"x": 1}),
        "edge namespace": with_edge(namespace="x"),
    }


def test_a_digest_changes_with_any_change():
    digests = {"base": base().digest, **{name: index.digest for name, index in changed().items()}}
    assert len(set(digests.values())) == len(digests)


def test_equal_graphs_have_one_digest_however_they_were_made():
    graph = graph_of([node("a", x=1), node("b")], "a>b b>a")
    again = graph_of([node("a", "old"), node("b")], "a>b")
    again.add_node(node("a", x=1))
    again.add_edge(KnowledgeEdge("b", "a", "uses"))
    assert GraphIndex.from_graph(graph).digest == GraphIndex.from_graph(again).digest == base().digest


def test_a_digest_is_a_sha256():
    assert len(base().digest) == 64
    assert int(base().digest, 16)


@pytest.mark.parametrize(
    "value",
    ["\ud800", "\x00", float("nan"), float("inf"), {1: {(1, 2): 3}}, {1, "a"}, b"\xff", ZachmanCell, 10**400],
    ids=lambda value: str(sorted(map(str, value)) if isinstance(value, set) else value),
)
def test_any_property_value_has_a_digest(value):
    index = index_of([node("a", x=value)])
    assert index.digest == index_of([node("a", x=value)]).digest != index_of([node("a", x=0)]).digest


def test_a_value_and_the_text_that_shows_it_have_different_digests():
    for value in ({"a"}, (1, 2), b"x", ZachmanCell.from_coordinate("architect:how"), frozenset([1])):
        assert index_of([node("a", x=value)]).digest != index_of([node("a", x=repr(value))]).digest


HASHING = """
import sys; sys.path.insert(0, {root!r})
from tests.tiny import index_of, node
words = {{"persona", "risk", "auditor", "owner", "control"}}
for each in ({words}):
    print(index_of([node("a", plain={{"x": [1]}}, words=each)], "a>b").digest)
"""
WORDS = ["sorted(words)", "words", "{'deep': [frozenset(words)]}"]


@pytest.fixture(scope="module")
def digests(root) -> list[tuple[str, ...]]:
    """The digests for each of the words, in two processes whose hashes are others."""
    code = HASHING.format(root=str(root), words=", ".join(WORDS))
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for seed in ("1", "2")
    ]
    return list(zip(*said, strict=True))


@pytest.mark.parametrize("words", WORDS)
def test_a_digest_is_the_same_in_every_process(digests, words):
    assert len(digests) == len(WORDS)
    assert len(set(digests[WORDS.index(words)])) == 1


def test_the_digest_of_the_demo_graph_survives_json(tmp_path):
    from graphrag_pipeline.graph.sources.demo_graph import DemoGraph
    from graphrag_pipeline.graph.sources.json_file import load_json_graph

    graph = DemoGraph().load().graph
    path = tmp_path / "g.json"
    data = {"nodes": [entry.to_dict() for entry in graph.all_nodes()]}
    data["edges"] = [entry.to_dict() for entry in graph.all_edges()]
    path.write_text(json.dumps(data))
    again = load_json_graph(path).graph
    assert isinstance(again, GraphIndex)
    assert isinstance(graph, GraphIndex)
    assert again.digest == graph.digest


# -- records and structure ---------------------------------------------------------------------


def test_records_are_found_by_position_and_by_id():
    index = index_of("a b", "a>b b>ghost")
    assert index.get_node("b") == index.node(1) == index.all_nodes()[1] == node("b")
    assert index.get_node("ghost") is None
    assert [edge.key for edge in index.all_edges()] == [("a", "b", "uses"), ("b", "ghost", "uses")]
    assert index.ids_at(np.array([1, 0, 1])) == ["b", "a", "b"]
    assert [entry.node_id for entry in index.nodes(np.array([1, 0]))] == ["b", "a"]
    assert not hasattr(index, "edges")


@pytest.mark.parametrize("place", [-1, -2, 2, 99])
def test_a_position_that_is_none_is_an_index_error(place):
    index = index_of("a b", "a>b b>a")
    with pytest.raises(IndexError):
        index.node(place)
    with pytest.raises(IndexError):
        index.edge(place)


def test_the_ends_of_dangling_edges_and_self_loops_are_told():
    index = index_of("a b", "a>ghost a>b ghost>b a>a ghost>ghost")
    assert index.dangling().tolist() == [0, 2, 4]
    assert (index.dangling_edges, index.self_loops) == (3, 2)


def test_edges_join_their_ends_either_way_round():
    index = index_of("a b c", "a>b b>c c>ghost")
    edges = np.array([0, 0, 1, 1, 2])
    one, other = np.array([0, 1, 1, 0, 2]), np.array([1, 0, 2, 2, 2])
    assert index.joins(edges, one, other).tolist() == [True, True, True, False, False]


def test_types_are_counted_most_first_then_by_first_use():
    index = index_of(
        [node("a"), replace(node("b"), node_type="role"), replace(node("c"), node_type="role")], "a>b"
    )
    assert list(index.node_types().items()) == [("role", 2), ("concept", 1)]
    assert index.edge_types() == {"uses": 1}


def test_the_first_nodes_of_a_name_are_found_up_to_a_limit():
    index = index_of([node("1", "Risk"), node("2", "x"), node("risk-3", "y"), node("4", "risks")])
    assert index.find("risk", 9).tolist() == [0, 2, 3]
    assert index.find("risk", 2).tolist() == [0, 2]
    assert index.find("risk", 0).tolist() == []
    assert index.find("", 3).tolist() == [0, 1, 2]
    assert index.find("Risk", 9).tolist() == []


def test_firsts_and_rows_are_told_by_position():
    index = index_of("a b c d")
    assert index.firsts(np.array([3, 1, 3, 0, 1])).tolist() == [0, 1, 3]
    assert index.rows(np.array([3, 0]), np.array([0, 3, 1, -1])).tolist() == [1, 0, -1, -1]


def test_a_mask_that_was_remembered_is_not_changed_by_whoever_asked():
    index = index_of("ab b a")
    every = np.arange(3)
    first = index.mentioning("a", every)
    first[:] = True
    assert index.mentioning("a", every).tolist() == [True, False, True]
