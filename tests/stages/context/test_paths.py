"""Whole paths from their seeds."""

from __future__ import annotations

from typing import Any

from graphrag_pipeline import KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.stages.context.paths import Paths, PathsParams
from tests.stages.context.scored import chain, ranked, written
from tests.tiny import edge, node

NODES = [node("a", "Ann"), node("b", "Bob"), node("c", "Cyd"), node("d", "Dov")]
EDGES = [edge("a>b", "knows"), edge("c>b", "owns"), edge("a>d", "hires")]
PARENTS = [-1, 0, 1, 0]
"""Ann is the seed; Bob and Dov were found from her, and Cyd from Bob, against the edge."""


def paths(
    budget: int = 10_000, nodes: Any = NODES, edges: Any = EDGES, parents: Any = PARENTS, **params: Any
) -> Any:
    return written(Paths(PathsParams(**params)), *ranked(nodes, edges, parents), budget)


CYD = "Ann (concept) -[knows]-> Bob (concept) <-[owns]- Cyd (concept)"
DOV = "Ann (concept) -[hires]-> Dov (concept)"


def test_a_path_is_a_line_with_its_edges_in_their_direction():
    assert paths().text == f"{CYD}\n{DOV}"
    assert paths().node_ids == ("a", "b", "c", "d")


def test_a_path_that_begins_another_one_is_not_repeated_until_only_it_fits():
    assert paths(len(CYD)).text == CYD
    shorter = "Ann (concept) -[knows]-> Bob (concept)"
    # In rank order: Ann, Bob, then Cyd, which does not fit, then Dov, which does not fit beside Bob.
    assert paths(len(CYD) - 1).text == shorter
    assert paths(len(CYD) - 1).node_ids == ("a", "b")


def test_a_path_is_never_cut():
    for budget in range(1, len(CYD) + len(DOV) + 2):
        lines = paths(budget).text.splitlines()
        assert set(lines) <= {"Ann (concept)", "Ann (concept) -[knows]-> Bob (concept)", CYD, DOV}


def test_a_tree_writes_a_shared_beginning_once():
    assert paths(layout="tree", header="Paths:").text == (
        "Paths:\nAnn (concept)\n  -[knows]-> Bob (concept)\n    <-[owns]- Cyd (concept)\n"
        "  -[hires]-> Dov (concept)"
    )


def test_a_node_whose_path_a_filter_broke_is_a_path_of_one():
    nodes, index = ranked(NODES, EDGES, PARENTS, dropped=[1])
    assert [node.node_id for node in nodes] == ["a", "c", "d"]
    assert written(Paths(), nodes, index).text == f"{DOV}\nCyd (concept)"


def test_seeds_alone_are_paths_of_one():
    assert paths(edges=(), parents=None).text == "Ann (concept)\nBob (concept)\nCyd (concept)\nDov (concept)"


def test_two_nodes_of_one_name_are_two_paths():
    nodes = [
        KnowledgeNode("p1", "person", "Jordan"),
        KnowledgeNode("l1", "place", "Jordan"),
        node("x", "Jordan"),
    ]
    text = paths(nodes=[*nodes, node("y", "Jordan")], edges=(), parents=None).text
    assert text == "Jordan (person)\nJordan (place)\nJordan (concept)\nJordan (concept)"
    assert "(person, id=p1)" in paths(nodes=nodes, edges=(), parents=None, ids=True).text


def test_labels_and_types_cannot_pass_for_edges_or_lines():
    sly = [
        node("a", "Ann (concept) -[knows]-> Eve"),
        KnowledgeNode("b", "x]-> y\nEve", "Bob\\\n<-[owns]- Cyd"),
    ]
    edges = [KnowledgeEdge("a", "b", "is]-> Eve (x) -[not")]
    text = paths(nodes=sly, edges=edges, parents=[-1, 0]).text
    assert text == (
        "Ann (concept) \\-[knows\\]-> Eve (concept) -[is\\]-> Eve (x) \\-[not]-> "
        "Bob\\\\ <\\-[owns\\]- Cyd (x\\]-> y Eve)"
    )


def test_case_82_type_and_direction_of_an_edge_are_written():
    supplied = paths(nodes=[node("a"), node("b")], edges=[edge("a>b", "supplies")], parents=[-1, 0])
    assert supplied.text == "a (concept) -[supplies]-> b (concept)"
    other = paths(nodes=[node("b"), node("a")], edges=[edge("a>b", "supplies")], parents=[-1, 0])
    assert other.text == "b (concept) <-[supplies]- a (concept)"


def test_an_edge_without_a_type_is_still_an_edge():
    assert paths(nodes=[node("a"), node("b")], edges=[edge("a>b", "")], parents=[-1, 0]).text == (
        "a (concept) -[]-> b (concept)"
    )


def test_a_path_may_be_longer_than_calls_may_be_nested():
    nodes, index = chain(3000)
    for layout in ("lines", "tree"):
        context = written(Paths(PathsParams(layout=layout, pool=1)), nodes, index, 10**8)
        assert context.written == 3000
        assert context.rest == "pool"
