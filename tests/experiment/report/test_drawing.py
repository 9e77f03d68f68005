"""What is drawn of a query, and where."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from graphrag_pipeline import KnowledgeEdge, KnowledgeGraph, KnowledgeNode
from graphrag_pipeline.config.load import load_pipeline
from graphrag_pipeline.experiment.report.layout import drawing, said
from graphrag_pipeline.experiment.report.subgraph import (
    CONTEXT,
    DROPPED,
    LEFT,
    MOST_EDGES,
    MOST_NODES,
    UNSEEN,
    DrawnEdge,
    DrawnNode,
    Subgraph,
    subgraph,
)
from graphrag_pipeline.plugin.host import PluginHost

CELLS = ("architect:how", "engineer:how", "executive:why")


@pytest.fixture(scope="module")
def large() -> KnowledgeGraph:
    """A hub with 300 nodes around it, each joined with the next nine; two thirds are in other rows."""
    graph = KnowledgeGraph()
    graph.add_node(KnowledgeNode("hub", "hub", "the hub", properties={"zachman_cell": CELLS[0]}))
    for place in range(300):
        properties = {"zachman_cell": CELLS[place % 3]} if place % 7 else {}
        graph.add_node(KnowledgeNode(f"n{place}", "leaf", f"leaf {place}", properties=properties))
    for place in range(300):
        graph.add_edge(KnowledgeEdge("hub", f"n{place}", "has"))
        for step in range(1, 10):
            graph.add_edge(KnowledgeEdge(f"n{place}", f"n{(place + step) % 300}", "next"))
    return graph


def asked(graph: KnowledgeGraph, relevant: tuple[str, ...], *overrides: str) -> Subgraph:
    host = PluginHost.discover(entry_points=False, environ={})
    given = ["bridge=noop", "personas=none", "query.text=the hub", *overrides]
    pipeline = load_pipeline(given, host=host, graph=graph)
    return subgraph(pipeline.trace(pipeline.query), relevant)


def test_a_large_result_is_drawn_in_part_and_counted_in_full(large) -> None:
    found = asked(large, ("n298", "gone"), "query.cell=architect:how", "context.max_tokens=300")
    states = Counter(node.state for node in found.nodes)
    assert len(found.nodes) <= MOST_NODES
    assert len(found.edges) == MOST_EDGES
    assert found.hidden_edges > 0
    context, left, dropped, unseen = found.totals
    assert context + left + dropped == 301
    assert unseen == 1
    assert states[CONTEXT] <= context
    assert min(states[CONTEXT], states[LEFT], states[DROPPED]) >= 5


def test_relevant_nodes_are_drawn_whatever_became_of_them(large) -> None:
    found = asked(large, ("n298", "n299", "gone"), "query.cell=architect:how", "context.max_tokens=100")
    gold = {node.node_id: (node.state, node.reason) for node in found.nodes if node.gold}
    assert gold["gone"] == (UNSEEN, "no node of the graph")
    assert gold["n298"] == (DROPPED, "other_perspective (filter)")
    assert set(gold) == {"n298", "n299", "gone"}


def test_every_reason_for_which_nodes_were_dropped_is_drawn(large) -> None:
    found = asked(large, (), "query.cell=architect:how")
    reasons = {node.reason for node in found.nodes if node.state == DROPPED}
    assert reasons == {"other_perspective (filter)", "no_cell (filter)"}


def test_edges_of_the_walk_are_drawn_before_others(large) -> None:
    found = asked(large, ())
    drawn = [edge.discovered for edge in found.edges]
    assert drawn == sorted(drawn, reverse=True)
    assert sum(drawn) == len(found.nodes) - 1


def test_no_two_nodes_share_a_place_and_columns_follow_the_distance(large) -> None:
    found = asked(large, ("n5",), "query.cell=architect:how", "context.max_tokens=200")
    data = drawing(found)
    places = [(x, y) for _, _, _, x, y, _ in data["n"]]
    assert len(set(places)) == len(places)
    assert [head for head, _, _ in data["l"]] == ["seeds", "1 hop", "dropped"]
    assert [x for _, x, _ in data["l"]] == sorted(x for _, x, _ in data["l"])
    json.dumps(data, allow_nan=False)


def test_a_node_says_in_words_what_became_of_it() -> None:
    kept = DrawnNode("a", "A", "t", CONTEXT, "", gold=True, rank=2, score=0.5, hop=1)
    assert said(kept) == "in the context, rank 2, score 0.5000, relevant"
    assert said(DrawnNode("b", "B", "t", LEFT, "budget", gold=False)) == (
        "in the result, not in the context: budget"
    )


def test_nodes_of_a_bridge_have_a_column_of_their_own() -> None:
    nodes = (
        DrawnNode("a", "A", "t", CONTEXT, "", gold=False, rank=1, score=1.0, hop=0),
        DrawnNode("b", "B", "t", CONTEXT, "", gold=False, rank=2, score=0.2, hop=-1),
        DrawnNode("c", "", "t", UNSEEN, "", gold=True),
    )
    data = drawing(Subgraph(nodes, (DrawnEdge(0, 1, "x" * 500, discovered=True),), (2, 0, 0, 1), 0))
    assert [head for head, _, _ in data["l"]] == ["seeds", "bridge", "not reached"]
    assert data["n"][2][0] == "c"
    assert len(data["e"][0][2]) == 40


def test_nothing_found_is_nothing_to_draw() -> None:
    graph = KnowledgeGraph()
    graph.add_node(KnowledgeNode("a", "t", "A"))
    found = asked(graph, ())
    assert found == Subgraph((), (), (0, 0, 0, 0), 0)
    assert drawing(found) == {"n": [], "e": [], "l": []}
