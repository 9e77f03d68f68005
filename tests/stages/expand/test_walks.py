"""Beam, personalized PageRank, none, and what bounds breadth-first expansion."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline import NOWHERE, Candidates, GraphIndex, KnowledgeEdge, Query
from graphrag_pipeline.stages.expand.beam import BeamExpander, BeamParams
from graphrag_pipeline.stages.expand.bfs import BreadthFirst, BreadthFirstParams
from graphrag_pipeline.stages.expand.none import NoExpansion
from graphrag_pipeline.stages.expand.ppr import PprExpander, PprParams
from graphrag_pipeline.stages.expand.push import PageRankParams, page_rank
from tests.tiny import index_of, node

PLAIN = {"decay": 0.5, "reverse": 1.0, "hub_power": 0.0, "salience_power": 0.0, "floor": 0.0001}


def seeds_of(index: GraphIndex, **values: float) -> Candidates:
    nodes = np.array([index.position(node_id) for node_id in values], dtype=np.int64)
    score = np.array(list(values.values()))
    return replace(Candidates.seeds(nodes), score=score, evidence={"mention": score})


def beam(index: GraphIndex, hops: int = 3, text: str = "x", **params: object) -> Candidates:
    component = BeamExpander(BeamParams.model_validate({**PLAIN, **params}))
    return component.expand(seeds_of(index, a=1.0), Query(text, max_hops=hops), index)


def values(found: Candidates, index: GraphIndex, name: str = "path_max") -> dict[str, float]:
    return dict(zip(index.ids_at(found.node), found.evidence_of(name).tolist(), strict=True))


# -- beam --------------------------------------------------------------------------------------


def test_a_value_halves_with_each_step():
    index = index_of("a b c d", "a>b b>c c>d")
    found = beam(index, hops=2)
    assert values(found, index) == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.25})
    assert found.hop.tolist() == [0, 1, 2]
    assert found.paths(index) == [("a",), ("a", "b"), ("a", "b", "c")]


def test_the_better_of_two_paths_counts_and_is_the_one_told():
    index = index_of(
        "a b c d e",
        [KnowledgeEdge("a", "e", "weak"), *(KnowledgeEdge(s, t, "free") for s, t in ("ab", "bc", "ce"))],
    )
    found = beam(index, identity={"free": 0.9})
    assert values(found, index)["e"] == pytest.approx(0.9**3)
    assert found.paths(index)[-1] == ("a", "b", "c", "e")


def test_a_step_against_its_edge_and_one_to_a_hub_cost_more():
    index = index_of("a b c d e f", "b>a a>c c>d c>e c>f")
    found = values(beam(index, hops=1, reverse=0.5, hub_power=1.0), index)
    # c has four neighbours: (4 - 2) ^ -1.
    assert found == pytest.approx({"a": 1.0, "b": 0.25, "c": 0.25})
    through = values(beam(index, hops=2, through_power=1.0), index)
    assert through["d"] == pytest.approx(0.5 * 0.5 / 2)


def test_edge_types_have_factors_and_may_be_forbidden():
    index = index_of("a b c d", [KnowledgeEdge("a", t, t * 2) for t in "bcd"])
    found = values(beam(index, edge_types={"bb": 0.5, "cc": 0.0}, other_edge_types=0.8), index)
    assert found == pytest.approx({"a": 1.0, "b": 0.25, "d": 0.4})


def test_of_parallel_edges_the_one_that_keeps_most_is_walked():
    index = index_of("a b", [KnowledgeEdge("a", "b", "weak"), KnowledgeEdge("a", "b", "same")])
    found = beam(index, identity={"same": 0.9})
    assert values(found, index)["b"] == pytest.approx(0.9)
    assert found.edge.tolist() == [NOWHERE, 1]


def test_an_early_mention_counts_more():
    index = index_of(
        [node("a", "A", text="Rome, " + "then " * 80 + "Oslo"), node("r", "Rome"), node("o", "Oslo")],
        "a>r a>o",
    )
    found = values(beam(index, salience_power=1.0), index)
    assert found["r"] == pytest.approx(0.5)
    assert found["o"] == pytest.approx(0.5 / (1 + 81 / 40))


def test_edges_whose_type_the_query_asks_about_count_more():
    index = index_of(
        "a b c", [KnowledgeEdge("a", "b", "date of birth"), KnowledgeEdge("a", "c", "place of death")]
    )
    # Edge types are no text of nodes, so the words must stand somewhere.
    index = index_of([node("a"), node("b"), node("c"), node("w", "birth death")], index.all_edges())
    found = values(beam(index, text="when was the birth", query_edges=0.5), index)
    assert found == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.25})
    silent = values(beam(index, text="zzz", query_edges=0.5), index)
    assert silent == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.5})


def test_paths_from_mentions_are_told_apart():
    index = index_of("a b c", "a>b c>b")
    start = replace(seeds_of(index, a=0.4, c=1.0), evidence={"mention": np.array([0.4, 0.0])})
    found = BeamExpander(BeamParams.model_validate(PLAIN)).expand(start, Query("x"), index)
    assert values(found, index)["b"] == pytest.approx(0.5)
    assert values(found, index, "path_from_mention")["b"] == pytest.approx(0.2)
    assert values(found, index, "path_sum")["b"] == pytest.approx(1 - (1 - 0.5) * (1 - 0.2))


def test_the_beam_is_as_wide_as_it_may_be_and_keeps_parents():
    index = index_of("a b c d e", "a>b a>c b>d c>e")
    assert set(values(beam(index, width=1), index)) == {"a", "b", "c", "d"}
    kept = beam(index, keep=1)
    assert index.ids_at(kept.node) == ["a"]
    deep = index_of("a b c", [KnowledgeEdge("a", "b", "x"), KnowledgeEdge("b", "c", "x")])
    assert index.ids_at(beam(deep, keep=3).node) == ["a", "b", "c"]


graphs = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from("xyz")), min_size=0, max_size=24
)


@settings(max_examples=120, deadline=None)
@given(
    graphs,
    st.integers(0, 4),
    st.lists(st.integers(0, 7), min_size=1, max_size=3, unique=True),
    st.integers(1, 5),
)
def test_any_beam_is_a_tree_of_true_paths(edges, hops, starts, width):
    index = index_of(
        [node(f"n{n}") for n in range(8)], [KnowledgeEdge(f"n{s}", f"n{t}", kind) for s, t, kind in edges]
    )
    start = replace(
        Candidates.seeds(np.array(starts, dtype=np.int64)),
        score=np.linspace(1.0, 0.5, len(starts)),
        evidence={"mention": np.linspace(1.0, 0.5, len(starts))},
    )
    params = BeamParams(width=width, floor=0.001, identity={"x": 0.98}, edge_types={"y": 0.5})
    found = BeamExpander(params).expand(start, Query("q", max_hops=hops), index)
    assert sorted(found.node[found.hop == 0].tolist()) == sorted(starts)
    for row in range(len(found)):
        parent = found.parent_row[row]
        assert (parent == NOWHERE) == (found.hop[row] == 0)
        if parent != NOWHERE:
            assert parent < row
            assert found.hop[row] == found.hop[parent] + 1 <= hops
            assert index.joins(
                found.edge[row : row + 1], found.parent[row : row + 1], found.node[row : row + 1]
            )
    path_max, trusted, total = (found.evidence_of(n) for n in ("path_max", "path_from_mention", "path_sum"))
    assert np.isfinite(total).all()
    assert (trusted <= path_max + 1e-12).all()
    assert (total >= path_max - 1e-6).all()


def test_parallel_edges_say_more_than_one_in_the_sum_over_paths():
    once = index_of("a b", [KnowledgeEdge("a", "b", "x")])
    thrice = index_of("a b", [KnowledgeEdge("a", "b", kind) for kind in "xyx"])
    sums = [values(beam(index, hops=1), index, "path_sum")["b"] for index in (once, thrice)]
    assert sums == pytest.approx([0.5, 1 - 0.5**3])
    assert [values(beam(index, hops=1), index)["b"] for index in (once, thrice)] == [0.5, 0.5]


def test_words_that_no_node_has_choose_edges_too():
    index = index_of(
        [node("f", "Midnight Court"), node("a", "Mary"), node("b", "Bob")],
        [KnowledgeEdge("f", "a", "directed by"), KnowledgeEdge("f", "b", "written by")],
    )
    component = BeamExpander(BeamParams.model_validate({**PLAIN, "query_edges": 1.0}))
    found = component.expand(seeds_of(index, f=1.0), Query("who directed Midnight Court"), index)
    assert values(found, index) == pytest.approx({"f": 1.0, "a": 0.5})


# -- personalized PageRank ---------------------------------------------------------------------


def test_page_rank_equals_that_of_networkx():
    graph = nx.karate_club_graph()
    index = index_of(
        [node(f"n{n}") for n in graph], [KnowledgeEdge(f"n{s}", f"n{t}", "x") for s, t in graph.edges]
    )
    params = PageRankParams(restart=0.3, degree_power=0.0, epsilon=1e-9, rounds=400)
    rank = page_rank(seeds_of(index, n0=3.0, n33=1.0), index, params)
    expected = nx.pagerank(graph, alpha=0.7, personalization={0: 3.0, 33: 1.0}, weight=None, tol=1e-12)
    assert rank.tolist() == pytest.approx([expected[n] for n in graph], abs=1e-7)


def test_page_rank_of_a_lone_node_is_all_its_own():
    index = index_of("a b")
    assert page_rank(seeds_of(index, a=1.0), index, PageRankParams()).tolist() == pytest.approx([1.0, 0.0])
    assert page_rank(seeds_of(index, a=0.0), index, PageRankParams()).tolist() == pytest.approx([1.0, 0.0])


def test_ppr_keeps_the_nodes_of_the_highest_rank_with_their_paths():
    index = index_of("a b c d", "a>b b>c c>d")
    found = PprExpander(PprParams(keep=1)).expand(seeds_of(index, a=1.0), Query("x"), index)
    assert index.ids_at(found.node) == ["a"]
    found = PprExpander().expand(seeds_of(index, a=1.0), Query("x", max_hops=2), index)
    assert index.ids_at(found.node) == ["a", "b", "c"]
    assert found.evidence["ppr"][0] == 1.0
    assert found.paths(index)[-1] == ("a", "b", "c")
    far = PprExpander(PprParams(keep=4, degree_power=0.0)).expand(
        seeds_of(index, a=1.0), Query("x", max_hops=3), index
    )
    assert far.hop.tolist() == [0, 1, 2, 3]


# -- none and bfs ------------------------------------------------------------------------------


def test_no_expansion_keeps_the_seeds():
    index = index_of("a b", "a>b")
    assert index.ids_at(NoExpansion().expand(seeds_of(index, b=1.0), Query("x"), index).node) == ["b"]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ["a", "b", "c", "d", "e"]),
        ({"max_hops": 1}, ["a", "b", "c"]),
        ({"max_hops": 0}, ["a"]),
        ({"edge_types": ["up"]}, ["a", "c", "e"]),
        ({"edge_types": []}, ["a"]),
        ({"direction": "out"}, ["a", "b", "d"]),
        ({"direction": "in"}, ["a", "c", "e"]),
        ({"fan_out": 1}, ["a", "b", "d"]),
        ({"fan_out": 2}, ["a", "b", "c", "d", "e"]),
        ({"direction": "out", "edge_types": ["up"]}, ["a"]),
    ],
)
def test_breadth_first_expansion_is_bounded(params, expected):
    edges = [("a", "b", "down"), ("c", "a", "up"), ("b", "d", "down"), ("e", "c", "up")]
    index = index_of("a b c d e", [KnowledgeEdge(*edge) for edge in edges])
    component = BreadthFirst(BreadthFirstParams.model_validate(params))
    found = component.expand(seeds_of(index, a=1.0), Query("x"), index)
    assert index.ids_at(found.node) == expected


def test_the_first_edge_of_the_wanted_type_is_walked_where_another_comes_before_it():
    index = index_of("a b", [KnowledgeEdge("a", "b", "x"), KnowledgeEdge("b", "a", "y")])
    found = BreadthFirst(BreadthFirstParams(edge_types=("y",))).expand(
        seeds_of(index, a=1.0), Query("x"), index
    )
    assert found.edge.tolist() == [NOWHERE, 1]
