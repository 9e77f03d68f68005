"""Where scored nodes come from: paths, edges, and what a bridge added."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline import KnowledgeEdge, KnowledgeNode, ScoredNode
from graphrag_pipeline.stages.candidates import Extras
from graphrag_pipeline.stages.scored import PathStep
from tests.stages.context.scored import ranked
from tests.tiny import edge, node

NODES = [node("a", "Ann"), node("b", "Bob"), node("c", "Cyd")]
EDGES = [edge("a>b", "knows"), edge("c>b", "owns")]
PARENTS = [-1, 0, 1]
ANN = PathStep("a", "concept", "Ann")
BOB = PathStep("b", "concept", "Bob", "knows", True)
CYD = PathStep("c", "concept", "Cyd", "owns", False)


def test_a_path_has_every_node_from_the_seed_on_with_the_edge_before_it():
    nodes, _ = ranked(NODES, EDGES, PARENTS)
    assert [found.path() for found in nodes] == [(ANN,), (ANN, BOB), (ANN, BOB, CYD)]
    assert [found.hop for found in nodes] == [0, 1, 2]
    assert [found.position for found in nodes] == [0, 1, 2]
    assert [found.edge() for found in nodes] == [None, *EDGES]
    assert [found.bridge_edges() for found in nodes] == [(), (), ()]


def test_a_path_that_a_filter_broke_is_the_node_alone():
    nodes, _ = ranked(NODES, EDGES, PARENTS, dropped=[0])
    assert [found.path() for found in nodes] == [
        (PathStep("b", "concept", "Bob"),),
        (PathStep("c", "concept", "Cyd"),),
    ]
    # The edge between the two is in the result, though no path leads over it.
    assert [found.edge() for found in nodes] == [None, EDGES[1]]


def test_a_node_made_by_hand_is_its_own_path():
    found = ScoredNode(node("a", "Ann"), 0.5)
    assert (found.path(), found.hop, found.edge(), found.bridge_edges()) == ((ANN,), 0, None, ())
    assert found.position is None
    assert list(found) == [node("a", "Ann"), 0.5]


def extras(*paths: tuple[str, ...]) -> Extras:
    return Extras(
        nodes=(KnowledgeNode("x", "idea", "Xen"), KnowledgeNode("y", "idea", "Yas")),
        edges=(KnowledgeEdge("x", "b", "inspires"), KnowledgeEdge("x", "y", "leads")),
        paths=paths,
        score=np.array([0.05, 0.04]),
    )


XEN = PathStep("x", "idea", "Xen", "inspires", False)
YAS = PathStep("y", "idea", "Yas", "leads", True)


def test_a_bridges_node_has_the_first_of_its_paths_that_is_all_in_the_result():
    unknown, unjoined, whole = ("q", "x", "y"), ("a", "y"), ("a", "b", "x", "y")
    nodes, _ = ranked(NODES, EDGES, PARENTS, extras(unknown, unjoined, whole, ("x", "y")))
    assert nodes[4].path() == (ANN, BOB, XEN, YAS)
    assert nodes[3].path() == (PathStep("x", "idea", "Xen"),)
    assert [found.hop for found in nodes[3:]] == [-1, -1]
    assert [found.position for found in nodes[3:]] == [None, None]


def test_an_edge_of_the_graph_may_be_walked_either_way_in_a_bridges_path():
    nodes, _ = ranked(NODES, EDGES, PARENTS, extras(("c", "b", "x")))
    assert nodes[3].path() == (
        PathStep("c", "concept", "Cyd"),
        PathStep("b", "concept", "Bob", "owns", True),
        XEN,
    )


def test_a_bridges_edges_are_at_both_their_ends():
    nodes, _ = ranked(NODES, EDGES, PARENTS, extras())
    inspires, leads = extras().edges
    assert [found.bridge_edges() for found in nodes] == [(), (inspires,), (), (inspires, leads), (leads,)]


def test_the_graphs_own_record_of_a_bridges_node_wins_and_has_a_position():
    there = Extras(nodes=(KnowledgeNode("c", "idea", "other"),), score=np.array([0.1]))
    nodes, _ = ranked(NODES, EDGES, PARENTS, there, dropped=[2])
    assert (nodes[2].label, nodes[2].position, nodes[2].hop) == ("Cyd", 2, -1)
