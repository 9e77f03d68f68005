"""What travels from step to step: ranking, and what is there already."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import Candidates
from graphrag_pipeline.pipeline.working import FIRST, EdgesThere, NodesThere, WorkingSet, best_rows
from graphrag_pipeline.stages.candidates import Extras
from tests.tiny import edge, index_of, node

scores = st.lists(st.sampled_from([0.0, -0.0, 0.1, 0.5, 1.0, -1.0]) | st.floats(-9, 9), max_size=40)


@given(scores, st.integers(1, 45))
def test_the_best_rows_are_the_first_of_the_stable_ranking(values, count):
    column = np.array(values, dtype=np.float64)
    expected = sorted(range(len(values)), key=lambda row: -values[row])[:count]
    assert best_rows(column, count).tolist() == expected


def test_every_node_is_ranked_once_also_beyond_those_ranked_first():
    size = 3 * FIRST
    index = index_of([node(str(number)) for number in range(size)])
    values = np.array([number % 7 / 10 for number in range(size)])
    candidates = replace(Candidates.seeds(np.arange(size)), score=values)
    extras = Extras(nodes=(node("x"), node("3", "theirs")), score=np.array([0.6, 9.0]))
    working = WorkingSet(candidates, extras)
    ranked = [(entry.node.node_id, entry.score) for entry in working.ranked(index)]
    both = [*values.tolist(), 0.6, 9.0]
    ids = [*map(str, range(size)), "x", "3"]
    assert ranked == [(ids[row], both[row]) for row in sorted(range(size + 2), key=lambda row: -both[row])]


def test_the_graphs_own_record_wins_over_a_bridges():
    index = index_of([node("a", "Ours"), node("b")])
    working = WorkingSet(
        Candidates.seeds(np.array([1])), Extras(nodes=(node("a", "theirs"), node("x")), score=np.zeros(2))
    )
    assert working.nodes(np.array([2, 1, 0, 1]), index) == [
        node("x"),
        node("a", "Ours"),
        node("b"),
        node("a", "Ours"),
    ]


def test_nodes_and_edges_that_are_there_are_known():
    index = index_of("a b c d", "a>b c>b a>d")
    candidates = Candidates.of(
        np.array([0, 1, 2]), np.array([-1, 0, 1]), np.array([-1, 0, 1]), np.array([0, 1, 2])
    )
    extras = Extras(nodes=(node("x"),), edges=(edge("x>a"),), score=np.zeros(1))
    working = WorkingSet(candidates, extras)
    nodes, edges = NodesThere.of(working, index), EdgesThere.of(working, index)
    values: list[object] = ["a", "c", "x", "d", "nobody", None, 1]
    assert [value in nodes for value in values] == [True, True, True, False, False, False, False]
    keys: list[object] = [edge("a>b").key, edge("c>b").key, edge("x>a").key]
    assert [key in edges for key in keys] == [True, True, True]
    others: list[object] = [edge("b>a").key, edge("b>c").key, edge("a>d").key, edge("a>b", "owns").key, None]
    assert [key in edges for key in others] == [False] * 5


def test_an_edge_is_not_there_when_its_parent_was_dropped():
    index = index_of("a b", "a>b")
    candidates = Candidates.of(np.array([0, 1]), np.array([-1, 0]), np.array([-1, 0]), np.array([0, 1]))
    working = WorkingSet(candidates.keep(np.array([False, True])))
    assert edge("a>b").key not in EdgesThere.of(working, index)
    assert "a" not in NodesThere.of(working, index)
