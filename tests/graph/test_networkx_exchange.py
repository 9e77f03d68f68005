"""From and to networkx."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphrag_pipeline import GraphRAG, GraphSourceError, KnowledgeEdge, KnowledgeGraph, KnowledgeNode
from graphrag_pipeline.graph.sources.networkx_object import NetworkXGraph
from tests.tiny import ends, graph_of

ALL = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]


def read(graph: nx.Graph[Any]) -> KnowledgeGraph:
    return KnowledgeGraph.from_networkx(graph)


@pytest.mark.parametrize("kind", ALL)
def test_every_kind_of_networkx_graph_is_read(kind):
    graph = kind()
    graph.add_edge("a", "b", relation="owns", weight=2)
    graph.add_edge("b", "c")
    graph.add_node("d")
    found = read(graph)
    assert list(found.node_ids()) == ["a", "b", "c", "d"]
    assert found.all_edges() == [
        KnowledgeEdge("a", "b", "owns", weight=2),
        KnowledgeEdge("b", "c", "related_to"),
    ]


def test_parallel_edges_of_a_multigraph_are_all_read():
    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
    graph.add_edges_from([("a", "b", {"type": "x"}), ("a", "b", {"type": "y"}), ("b", "b", {})])
    assert [edge.edge_type for edge in read(graph).all_edges()] == ["x", "y", "related_to"]


@pytest.mark.parametrize("key", ["label", "name", "title"])
def test_a_label_is_taken_from_the_attribute_that_has_it(key):
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_node("a", **{key: "Ann", "age": 3})
    assert read(graph).all_nodes() == [KnowledgeNode("a", "node", "Ann", properties={"age": 3})]


@pytest.mark.parametrize("key", ["node_type", "type", "kind"])
def test_a_node_type_is_taken_from_the_attribute_that_has_it(key):
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_node("a", **{key: "role"})
    assert read(graph).all_nodes() == [KnowledgeNode("a", "role", "a")]


@pytest.mark.parametrize("key", ["edge_type", "type", "relation", "label"])
def test_an_edge_type_is_taken_from_the_attribute_that_has_it(key):
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_edge("a", "b", **{key: "owns", "since": 1})
    assert read(graph).all_edges() == [KnowledgeEdge("a", "b", "owns", properties={"since": 1})]


def test_the_first_attribute_that_holds_text_wins_and_the_others_become_properties():
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_node("a", title="T", name="N", label=7, type="t", kind="k", namespace="x", uri="u")
    (found,) = read(graph).all_nodes()
    assert (found.label, found.node_type, found.namespace, found.uri) == ("N", "t", "x", "u")
    assert found.properties == {"title": "T", "label": 7, "kind": "k"}


def test_an_attribute_named_properties_is_spread_when_it_is_a_mapping_and_kept_when_it_is_not():
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_node("a", properties={"x": 1}, y=2)
    graph.add_node("b", properties="many")
    assert [entry.properties for entry in read(graph).all_nodes()] == [
        {"x": 1, "y": 2},
        {"properties": "many"},
    ]


def test_the_callers_graph_is_not_changed():
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_node("a", label="A", properties={"x": 1})
    graph.add_edge("a", "b", type="t", weight=3)
    before = (dict(graph.nodes(data=True)), list(graph.edges(data=True)))
    read(graph)
    assert (dict(graph.nodes(data=True)), list(graph.edges(data=True))) == before
    assert graph.nodes["a"] == {"label": "A", "properties": {"x": 1}}


def test_numbers_become_ids_in_text():
    assert list(read(nx.path_graph(3)).node_ids()) == ["0", "1", "2"]
    assert ends(read(nx.path_graph(3))) == ["0>1", "1>2"]


@pytest.mark.parametrize(("one", "other"), [(10, "10"), (1.5, "1.5"), (True, "True"), ((1, 2), "(1, 2)")])
def test_two_ids_of_one_text_are_refused_and_both_named(one, other):
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_nodes_from([one, other])
    with pytest.raises(GraphSourceError) as error:
        read(graph)
    assert repr(one) in error.value.what
    assert repr(other) in error.value.what
    assert "relabel_nodes" in error.value.hint


def test_large_ids_stay_apart():
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_edge(9007199254740993, 9007199254740992)
    assert list(read(graph).node_ids()) == ["9007199254740993", "9007199254740992"]
    assert ends(read(graph)) == ["9007199254740993>9007199254740992"]


@pytest.mark.parametrize("weight", ["3", None, True, [1], math.nan, -math.inf, np.float32("nan")])
def test_a_weight_that_is_no_number_is_refused_and_the_edge_named(weight):
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_edge("a", "b", weight=weight)
    with pytest.raises(GraphSourceError, match="must be a number, and finite") as error:
        read(graph)
    assert "a -> b" in error.value.where


def everything() -> KnowledgeGraph:
    graph = graph_of("z a", "a>z z>a a>z a>a ghost>a a>phantom ghost>phantom")
    graph.add_node(
        KnowledgeNode("n", "role", "", "ns", "urn:n", {"label": "x", "weight": "w", "properties": {}})
    )
    graph.add_edge(KnowledgeEdge("n", "a", "label", "ns", 7, {"type": "t", "edge_type": 1, "weight": 2}))
    graph.add_edge(KnowledgeEdge("z", "n", "", weight=-0.5))
    return graph


def test_an_exported_graph_comes_back_equal_dangling_edges_included():
    graph = everything()
    back = KnowledgeGraph.from_networkx(graph.to_networkx())
    assert back.to_dict() == graph.to_dict()
    assert back.dangling_edges() == graph.dangling_edges()


def test_an_exported_graph_survives_a_copy_by_networkx():
    graph = everything()
    for copied in (graph.to_networkx().copy(), nx.MultiDiGraph(graph.to_networkx())):
        assert KnowledgeGraph.from_networkx(copied).to_dict() == graph.to_dict()


def test_an_export_is_a_copy():
    graph = graph_of("a b", "a>b")
    graph.to_networkx().remove_node("a")
    assert ends(graph) == ["a>b"]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_an_export_that_was_made_another_kind_of_graph_can_still_be_read(kind):
    found = KnowledgeGraph.from_networkx(kind(graph_of("a b c", "b>c a>b").to_networkx()))
    assert list(found.node_ids()) == ["a", "b", "c"]
    assert sorted(sorted(end.split(">")) for end in ends(found)) == [["a", "b"], ["b", "c"]]


def test_edges_that_a_user_added_to_an_export_under_a_key_of_their_own_are_read():
    exported = graph_of("a b", "a>b").to_networkx()
    exported.add_edge("b", "a", key="mine", edge_type="owns", label="L")
    assert sorted(ends(KnowledgeGraph.from_networkx(exported))) == ["a>b", "b>a"]


def test_the_live_networkx_graph_answers_algorithms():
    graph = graph_of("a b c", "a>b b>c")
    assert nx.shortest_path(graph.nx, "a", "c") == ["a", "b", "c"]


def test_a_networkx_graph_can_be_queried_directly():
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_edge("risk", "owner")
    assert GraphRAG(graph).query("risk", max_hops=1).paths[:2] == (("risk",), ("risk", "owner"))


def test_the_source_without_an_object_says_how_to_hand_one_over():
    with pytest.raises(GraphSourceError, match="needs a networkx graph object") as error:
        NetworkXGraph().load()
    assert "load_pipeline" in error.value.hint


def test_the_source_loads_its_object():
    loaded = NetworkXGraph(graph=nx.path_graph(2)).load()
    assert isinstance(loaded.graph, KnowledgeGraph)
    assert list(loaded.graph.node_ids()) == ["0", "1"]
    assert loaded.report.source == "networkx object"


def test_dangling_ends_stay_unknown_only_in_exports():
    exported = graph_of("a", "a>ghost").to_networkx()
    assert "ghost" not in KnowledgeGraph.from_networkx(exported)
    del exported.graph["graphrag_edge_order"]
    assert "ghost" in KnowledgeGraph.from_networkx(exported)


def test_node_attributes_may_have_keys_that_are_no_text():
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_node("a")
    attributes: Any = graph.nodes["a"]
    attributes[1] = "x"
    (found,) = read(graph).all_nodes()
    assert str(found.properties) == "{1: 'x'}"


def test_numbers_and_arrays_of_numpy_and_sets_become_plain_values():
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node("a", rank=np.int64(7), share=np.float32(0.5), flag=np.bool_(True), vector=np.arange(3))
    graph.add_node(
        "b", tags={"y", "x"}, deep={"list": [np.int8(1), frozenset({3, 2})], "pair": (np.int64(1), "z")}
    )
    graph.add_edge("a", "b", weight=np.float64(0.25), count=np.uint8(3))
    graph.add_edge("b", "a", weight=np.int64(2))
    read = KnowledgeGraph.from_networkx(graph)
    first, second = read.all_nodes()
    assert first.properties == {"rank": 7, "share": 0.5, "flag": True, "vector": [0, 1, 2]}
    assert [type(value) for value in first.properties.values()] == [int, float, bool, list]
    assert second.properties == {"tags": ["x", "y"], "deep": {"list": [1, [2, 3]], "pair": [1, "z"]}}
    weights = [edge.weight for edge in read.all_edges()]
    assert (weights, [type(weight) for weight in weights]) == ([0.25, 2], [float, int])
    assert read.all_edges()[0].properties == {"count": 3}


def test_an_attribute_that_holds_itself_is_refused():
    endless: list[object] = []
    endless.append(endless)
    graph: nx.Graph[str] = nx.Graph()
    graph.add_node("a", deep=endless)
    with pytest.raises(GraphSourceError, match="nested too deeply"):
        KnowledgeGraph.from_networkx(graph)


def test_the_source_of_a_networkx_graph_accounts_for_its_nodes_and_edges():
    for graph in (nx.MultiDiGraph([("a", "b"), ("a", "b")]), graph_of("a b", "a>b b>ghost").to_networkx()):
        loaded = NetworkXGraph(graph=graph).load()
        assert loaded.report.account is not None
        assert loaded.report.account.balanced
        assert loaded.report.account.edges == 2
