"""The edges among the best nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphrag_pipeline import KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.stages.candidates import Extras
from graphrag_pipeline.stages.context.relations import Relation, relations_among
from graphrag_pipeline.stages.context.triples import Triples, TriplesParams
from tests.stages.context.scored import ranked, written
from tests.tiny import edge, node

NODES = [node("a", "Ann"), node("b", "Bob"), node("c", "Cyd")]
EDGES = [
    edge("c>a", "owns"),
    edge("a>b", "knows"),
    edge("a>b", "hires"),
    edge("b>a", "knows"),
    edge("a>a", "is"),
]


def triples(budget: int = 10_000, nodes: Any = NODES, edges: Any = EDGES, **params: Any) -> Any:
    return written(Triples(TriplesParams(**params)), *ranked(nodes, edges), budget)


ALL = [
    "Ann (concept) -[knows]-> Bob (concept)",
    "Ann (concept) -[hires]-> Bob (concept)",
    "Bob (concept) -[knows]-> Ann (concept)",
    "Cyd (concept) -[owns]-> Ann (concept)",
]


def test_every_edge_stands_once_where_its_worse_end_is_ranked():
    assert triples().text.splitlines() == ALL
    assert triples().node_ids == ("a", "b", "c")


def test_edges_that_fit_are_written_and_nodes_of_the_others_left_out():
    context = triples(len("\n".join(ALL[:3])))
    assert context.text.splitlines() == ALL[:3]
    assert (context.written, context.left_out, context.rest) == (2, {}, "budget")


def test_a_node_without_an_edge_is_a_line_or_left_out():
    nodes = [*NODES, node("z", "Zoe")]
    assert triples(nodes=nodes).text.splitlines() == [*ALL, "Zoe (concept)"]
    assert triples(nodes=nodes, without_edge="skip").left_out == {"z": "no_edge"}


def test_an_edge_to_a_node_that_is_not_there_is_not_written():
    assert triples(nodes=NODES[:2]).text.splitlines() == ALL[:3]


def test_edges_of_one_kind_between_two_nodes_are_written_once():
    assert triples(edges=[edge("a>b"), edge("a>b"), edge("b>a")], nodes=NODES[:2]).text.splitlines() == [
        "Ann (concept) -[uses]-> Bob (concept)",
        "Bob (concept) -[uses]-> Ann (concept)",
    ]


def test_edges_of_a_bridge_are_among_them():
    extras = Extras(
        nodes=(KnowledgeNode("x", "idea", "Xen"),),
        edges=(
            KnowledgeEdge("x", "a", "inspires"),
            KnowledgeEdge("a", "c", "meets"),
            KnowledgeEdge("x", "q", "no"),
        ),
        score=np.array([0.05]),
    )
    nodes, index = ranked(NODES, [edge("a>b", "knows")], extras=extras)
    assert written(Triples(), nodes, index).text.splitlines() == [
        "Ann (concept) -[knows]-> Bob (concept)",
        "Ann (concept) -[meets]-> Cyd (concept)",
        "Xen (idea) -[inspires]-> Ann (concept)",
    ]


def test_case_82_type_and_direction_of_an_edge_are_written():
    for nodes in ([node("a"), node("b")], [node("b"), node("a")]):
        assert (
            triples(nodes=nodes, edges=[edge("a>b", "supplies")]).text
            == "a (concept) -[supplies]-> b (concept)"
        )


def test_relations_are_given_at_the_worse_end():
    nodes, index = ranked(NODES, EDGES)
    assert relations_among(nodes, index) == [
        [],
        [Relation(0, 1, "knows"), Relation(0, 1, "hires"), Relation(1, 0, "knows")],
        [Relation(2, 0, "owns")],
    ]
    assert relations_among([], index) == []


def test_no_label_can_pass_for_an_edge():
    sly = node("s", "Ann (concept) -[knows]-> Eve\nBob (concept) -[hires]-> Eve")
    assert triples(nodes=[sly], edges=[]).text == (
        "Ann (concept) \\-[knows\\]-> Eve Bob (concept) \\-[hires\\]-> Eve (concept)"
    )
