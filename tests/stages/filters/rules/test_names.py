"""The rules ``node_type``, ``namespace`` and ``edge_type``."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline import NOWHERE, Candidates, GraphIndex, KnowledgeNode, Query
from tests.stages.filters.rules.judged import judged, kept, rules, typed
from tests.tiny import edge

NODES = [
    typed("p1", "person"),
    typed("l1", "place", namespace="h"),
    typed("t", "Person"),
    typed("blank", ""),
    typed("greek", "ΣΑΣ", namespace="İ"),
]
INDEX = GraphIndex.from_records(NODES, [edge("p1>l1", "in"), edge("l1>t", "near"), edge("t>greek", "")])


def test_types_are_compared_as_they_are_written():
    assert kept({"node_type": ["person"]}, INDEX) == "p1"
    assert kept({"node_type": ["ΣΑΣ", "place"]}, INDEX) == "l1 greek"
    assert kept({"node_type": ["σας"]}, INDEX) == ""
    assert judged({"node_type": ["place"]}, INDEX) == {
        "p1": "node_type",
        "l1": "",
        "t": "node_type",
        "blank": "node_type",
        "greek": "node_type",
    }


def test_a_blank_type_is_a_type():
    assert kept({"node_type": [""]}, INDEX) == "blank"
    assert kept({"not": {"node_type": [""]}}, INDEX) == "p1 l1 t greek"


def test_two_things_of_one_name_are_told_apart_by_their_type():
    # HKUDS/LightRAG#329, #1657: one label, two nodes.
    index = GraphIndex.from_records(
        [KnowledgeNode("p1", "person", "Jordan"), KnowledgeNode("l1", "place", "Jordan")]
    )
    assert kept({"node_type": ["place"]}, index) == "l1"


def test_namespaces_are_compared_likewise():
    assert kept({"namespace": ["h", "İ"]}, INDEX) == "l1 greek"


def walked() -> Candidates:
    """p1 as a seed, then l1, t and greek, each over the edge from the one before."""
    node, parent, over = [0, 1, 2, 4], [NOWHERE, 0, 1, 2], [NOWHERE, 0, 1, 2]
    return Candidates.of(np.array(node), np.array(parent), np.array(over), np.arange(4))


def test_an_edge_type_is_that_of_the_edge_that_led_there():
    told = judged({"edge_type": ["in"]}, INDEX, candidates=walked())
    assert told == {"p1": "", "l1": "", "t": "edge_type", "greek": "edge_type"}
    assert judged({"edge_type": [""]}, INDEX, candidates=walked()) == {
        "p1": "",
        "l1": "edge_type",
        "t": "edge_type",
        "greek": "",
    }


def test_a_seed_has_no_edge_and_is_left_to_other_rules():
    told = judged({"not": {"edge_type": ["in"]}}, INDEX, candidates=walked())
    assert told == {"p1": "", "l1": "not edge_type", "t": "", "greek": ""}
    told = judged({"all": [{"edge_type": ["near"]}, {"node_type": ["place"]}]}, INDEX, candidates=walked())
    assert told == {"p1": "node_type", "l1": "edge_type", "t": "node_type", "greek": "edge_type"}


def test_no_candidates_are_judged_as_none():
    for rule in ({"node_type": ["a"]}, {"namespace": ["a"]}, {"edge_type": ["a"]}):
        assert judged(rule, INDEX, candidates=Candidates.seeds(np.zeros(0, dtype=np.int64))) == {}


def test_names_that_the_graph_does_not_know_are_remarked_on():
    rule = {"any": [{"node_type": ["persn", "place"]}, {"edge_type": ["nearr"]}, {"namespace": ["qq"]}]}
    assert rules(rule).remarks(walked(), Query("x"), INDEX) == (
        "no node has the node type 'persn'; did you mean 'person'?",
        "no edge has the type 'nearr'; did you mean 'near'?",
        "no node has the namespace 'qq'",
    )
