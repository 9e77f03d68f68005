"""The mutable graph: one order of nodes, one order of edges."""

from __future__ import annotations

import pytest

from graphrag_pipeline import GraphIndex, GraphSourceError, KnowledgeEdge, KnowledgeGraph, KnowledgeNode
from tests.tiny import ends, graph_of, node


def ids(graph: KnowledgeGraph) -> list[str]:
    return list(graph.node_ids())


def test_nodes_keep_insertion_order():
    assert ids(graph_of("c a b")) == ["c", "a", "b"]


def test_a_replaced_node_keeps_its_place_and_its_edges():
    graph = graph_of("a b c", "a>b b>c")
    graph.add_node(node("b", "new", x=1))
    assert ids(graph) == ["a", "b", "c"]
    assert graph.get_node("b") == node("b", "new", x=1)
    assert ends(graph) == ["a>b", "b>c"]


def test_a_replaced_node_keeps_nothing_of_the_old_one():
    graph = KnowledgeGraph()
    graph.add_node(KnowledgeNode("a", "concept", "A", "ns", "urn:a", {"x": 1}))
    graph.add_node(KnowledgeNode("a", "role", ""))
    assert graph.all_nodes() == [KnowledgeNode("a", "role", "")]


def test_a_node_added_after_an_edge_named_it_takes_its_place_then():
    graph = graph_of("a", "b>a a>b b>b a>c")
    graph.add_node(node("d"))
    graph.add_node(node("b"))
    assert ids(graph) == ["a", "d", "b"]
    assert ends(graph) == ["b>a", "a>b", "b>b", "a>c"]
    assert [edge.key[:2] for edge in graph.dangling_edges()] == [("a", "c")]


def test_edges_keep_one_global_order_over_all_nodes():
    order = "a>b c>a b>a a>c a>b c>b"
    graph = graph_of("a b c", order)
    assert ends(graph) == order.split()
    assert [neighbour.node_id for neighbour in graph.neighbors("a")] == ["b", "c", "b", "c", "b"]


def test_parallel_edges_are_kept_apart_with_their_data():
    graph = graph_of("a b")
    for weight in (1, 2.5, 1):
        graph.add_edge(KnowledgeEdge("a", "b", "uses", weight=weight, properties={"w": weight}))
    assert [(edge.weight, edge.properties["w"]) for edge in graph.all_edges()] == [(1, 1), (2.5, 2.5), (1, 1)]
    assert graph.edge_count == 3


def test_a_self_loop_gives_its_node_twice_as_neighbour():
    graph = graph_of("a b", "a>a a>b")
    assert [neighbour.node_id for neighbour in graph.neighbors("a")] == ["a", "a", "b"]
    assert graph.stats()["self_loops"] == 1


def test_an_id_that_only_edges_name_is_no_node():
    graph = graph_of("a", "a>ghost ghost>a ghost>ghost")
    assert graph.node_count == len(graph) == 1
    assert "ghost" not in graph
    assert graph.get_node("ghost") is None
    assert graph.neighbors("a") == []
    assert [neighbour.node_id for neighbour in graph.neighbors("ghost")] == ["a", "a"]
    assert graph.edge_count == len(graph.dangling_edges()) == 3


def test_membership_takes_any_value():
    graph = graph_of("a")
    values: list[object] = ["a", None, 1, ["a"], {}]
    assert [value in graph for value in values] == [True, False, False, False, False]
    assert graph.neighbors("nobody") == []


def test_records_by_type_come_in_order():
    graph = graph_of("a b")
    graph.add_node(KnowledgeNode("r", "role", "R"))
    graph.add_edge(KnowledgeEdge("a", "b", "owns"))
    graph.add_edge(KnowledgeEdge("b", "a", "uses"))
    graph.add_edge(KnowledgeEdge("b", "r", "owns"))
    assert [entry.node_id for entry in graph.nodes_by_type("concept")] == ["a", "b"]
    assert [entry.target_id for entry in graph.edges_by_type("owns")] == ["b", "r"]
    assert graph.nodes_by_type("nope") == []
    assert graph.edges_by_type("nope") == []


def test_stats_list_only_the_types_there_are_in_alphabetical_order():
    graph = graph_of("b a", "a>b a>ghost b>b")
    graph.add_node(KnowledgeNode("z", "actor", "Z"))
    assert list(graph.stats().items()) == [
        ("node_count", 3),
        ("edge_count", 3),
        ("dangling_edges", 1),
        ("self_loops", 1),
        ("nodes_actor", 1),
        ("nodes_concept", 2),
        ("edges_uses", 3),
    ]


def test_a_subgraph_keeps_the_graphs_order_and_the_inner_edges():
    graph = graph_of("a b c d", "d>a a>b c>d d>d a>ghost b>a")
    part = graph.subgraph(["d", "b", "a", "nobody"])
    assert ids(part) == ["a", "b", "d"]
    assert ends(part) == ["d>a", "a>b", "d>d", "b>a"]
    assert ids(graph) == ["a", "b", "c", "d"]


def test_merging_keeps_places_and_lets_the_other_graph_win():
    one, two = graph_of("a b", "a>b"), graph_of("c", "b>a c>d")
    two.add_node(node("b", "theirs"))
    both = one.merge(two)
    assert ids(both) == ["a", "b", "c"]
    assert both.get_node("b") == node("b", "theirs")
    assert ends(both) == ["a>b", "b>a", "c>d"]
    assert one.get_node("b") == node("b")


def test_a_graph_merged_with_itself_has_its_edges_twice():
    graph = graph_of("a b", "a>b")
    assert ends(graph.merge(graph)) == ["a>b", "a>b"]
    assert ends(graph) == ["a>b"]


def test_a_node_removed_through_networkx_takes_its_edges_along():
    graph = graph_of("a b c", "a>b b>c c>a")
    graph.nx.remove_node("b")
    assert ids(graph) == ["a", "c"]
    assert ends(graph) == ["c>a"]
    graph.add_edge(KnowledgeEdge("a", "c", "uses"))
    assert ends(graph) == ["c>a", "a>c"]


def test_a_dict_has_the_references_shape_and_comes_back():
    graph = graph_of("a b", "b>a a>ghost")
    data = graph.to_dict()
    assert list(data) == ["version", "namespace", "nodes", "edges"]
    assert KnowledgeGraph.from_dict(data).to_dict() == data


def test_of_a_repeated_id_the_last_entry_wins_in_the_first_ones_place():
    data = {"nodes": [node("a", "1").to_dict(), node("b").to_dict(), node("a", "2").to_dict()]}
    graph = KnowledgeGraph.from_dict(data)
    assert [(entry.node_id, entry.label) for entry in graph.all_nodes()] == [("a", "2"), ("b", "b")]


@pytest.mark.parametrize(
    ("data", "where", "said"),
    [
        ({"nodes": [node("a").to_dict()] * 3 + [{"node_id": "x"}]}, "nodes[3]", "'node_type' is missing"),
        ({"nodes": [None]}, "nodes[0]", "must be an object, not null"),
        (
            {"edges": [{"source_id": "a", "target_id": 1}]},
            "edges[0]",
            "'target_id' must hold text, not the number 1",
        ),
        ({"nodes": {"a": {}}}, "nodes", "must hold a list, not an object"),
        ({"nodes": None}, "nodes", "must hold a list, not null"),
        ({"edges": "ab"}, "edges", "must hold a list, not the text 'ab'"),
        ([], "", "must be an object"),
        (None, "", "must be an object"),
    ],
)
def test_a_malformed_graph_is_refused_and_the_place_named(data, where, said):
    with pytest.raises(GraphSourceError) as error:
        KnowledgeGraph.from_dict(data)
    assert error.value.where == where
    assert said in error.value.what


def test_an_empty_dict_is_an_empty_graph():
    assert KnowledgeGraph.from_dict({}).to_dict()["nodes"] == []


def test_a_later_change_does_not_reach_a_compiled_index():
    graph = graph_of("a b", "a>b")
    index = GraphIndex.from_graph(graph)
    graph.add_node(node("c"))
    graph.add_node(node("a", "changed"))
    graph.nx.remove_node("b")
    assert [entry.label for entry in index.all_nodes()] == ["a", "b"]
    assert index.edge_count == 1
