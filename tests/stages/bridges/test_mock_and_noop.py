"""The bridges that need nobody else."""

from __future__ import annotations

from graphrag_pipeline import LyraMockBridge, NoOpLyraBridge
from graphrag_pipeline.stages.bridges.mock import seed_graph
from tests.tiny import edge, graph_of, node


def test_the_mock_has_seven_nodes_of_its_own():
    assert list(seed_graph().ids) == [
        "persona",
        "riscear",
        "discernment",
        "curiosity",
        "humility",
        "workflow",
        "fcc",
    ]


def test_the_mock_walks_along_edges_from_the_nodes_that_the_text_names():
    bridge = LyraMockBridge(graph_of("a b c d", "a>b b>c d>a"))
    answer = bridge.graph_of_thought_query("A", depth=2)
    assert [entry["node_id"] for entry in answer["nodes"]] == ["a", "b", "c"]
    assert answer["paths"] == [["a", "b"], ["b", "c"]]
    assert [entry["edge_type"] for entry in answer["edges"]] == ["uses", "uses"]
    assert (answer["query"], answer["depth"]) == ("A", 2)


def test_the_mock_goes_no_deeper_than_asked():
    bridge = LyraMockBridge(graph_of("a b c", "a>b b>c"))
    for depth, found in ((-1, "a"), (0, "a"), (1, "ab")):
        answer = bridge.graph_of_thought_query("a", depth)
        assert "".join(entry["node_id"] for entry in answer["nodes"]) == found


def test_the_mock_finds_nothing_for_a_text_that_names_nothing():
    answer = LyraMockBridge().graph_of_thought_query("")
    assert (answer["nodes"], answer["edges"], answer["paths"]) == ([], [], [])


def test_the_mock_reads_its_graph_once():
    graph = graph_of("a")
    bridge = LyraMockBridge(graph)
    graph.add_node(node("ab"))
    assert bridge.vocab_lookup("a") == ["a"]


def test_vocabulary_is_looked_up_in_one_namespace_or_in_all():
    bridge = LyraMockBridge()
    assert bridge.vocab_lookup("IT") == ["curiosity", "humility"]
    assert bridge.vocab_lookup("it", "lyra-seed") == ["curiosity", "humility"]
    assert bridge.vocab_lookup("it", "fcc") == []
    assert bridge.vocab_lookup("") == []


def test_related_concepts_are_targets_of_skos_like_edges_in_edge_order():
    assert LyraMockBridge().harmonic_expand("persona") == ["riscear", "discernment", "fcc"]
    graph = graph_of("a b c", [edge("a>c", "maps_to"), edge("a>b", "owns"), edge("a>c", "depends_on")])
    assert LyraMockBridge(graph).harmonic_expand("a") == ["c"]


def test_noop_answers_every_call_with_nothing():
    bridge = NoOpLyraBridge()
    assert bridge.graph_of_thought_query("persona", depth=3) == {}
    assert bridge.vocab_lookup("persona") == []
    assert bridge.harmonic_expand("persona") == []
