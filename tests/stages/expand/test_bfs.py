"""Breadth-first expansion, on graphs small enough to see."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline import GraphIndex, Query
from graphrag_pipeline.stages.candidates import NOWHERE, Candidates
from graphrag_pipeline.stages.expand.bfs import BreadthFirst
from tests.tiny import index_of


def expand(index: GraphIndex, seeds: str, hops: int = 3) -> Candidates:
    positions = [index.position(seed) for seed in seeds.split()]
    return BreadthFirst().expand(
        Candidates.seeds(np.array(positions, dtype=np.int64)), Query("x", max_hops=hops), index
    )


def visited(index: GraphIndex, seeds: str, hops: int = 3) -> list[str]:
    return [index.ids[node] for node in expand(index, seeds, hops).node]


def test_edges_are_tried_in_global_order_not_in_the_order_of_targets():
    assert visited(index_of("a b c d", "c>a a>d b>a"), "a", 1) == ["a", "c", "d", "b"]


def test_edges_are_walked_in_both_directions():
    assert visited(index_of("a b c", "b>a b>c"), "a") == ["a", "b", "c"]


def test_a_seeds_neighbours_come_before_the_next_seeds_and_hops_before_further_hops():
    index = index_of("a b c d e", "b>d a>c c>e")
    assert visited(index, "a b") == ["a", "b", "c", "d", "e"]
    assert visited(index, "b a") == ["b", "a", "d", "c", "e"]


@pytest.mark.parametrize(("hops", "found"), [(-3, "a"), (0, "a"), (1, "a b"), (2, "a b c"), (99, "a b c d")])
def test_max_hops_bounds_the_walk(hops, found):
    assert visited(index_of("a b c d", "a>b b>c c>d"), "a", hops) == found.split()


def test_the_first_of_two_ways_discovers_a_node():
    index = index_of("a b c d", "a>b a>c c>d b>d")
    found = expand(index, "a")
    assert [index.ids[node] for node in found.node] == ["a", "b", "c", "d"]
    assert found.parent.tolist() == [NOWHERE, 0, 0, 1]
    assert found.edge.tolist() == [NOWHERE, 0, 1, 3]
    assert found.hop.tolist() == [0, 1, 1, 2]
    assert found.paths(index) == [("a",), ("a", "b"), ("a", "c"), ("a", "b", "d")]
    assert [edge.key[:2] for edge in found.edges(index)] == [("a", "b"), ("a", "c"), ("b", "d")]


def test_of_parallel_edges_the_first_is_the_one_on_the_path():
    found = expand(index_of("a b", "b>a a>b"), "a")
    assert found.edge.tolist() == [NOWHERE, 0]


def test_loops_circles_and_dangling_edges_add_nothing():
    index = index_of("a b c", "a>a a>ghost ghost>c a>b b>a b>b")
    assert visited(index, "a") == ["a", "b"]


def test_a_seed_is_never_discovered_again():
    found = expand(index_of("a b", "a>b"), "a b")
    assert found.hop.tolist() == [0, 0]
    assert found.edges(index_of("a b", "a>b")) == []


def test_paths_through_a_dropped_node_are_gone_and_so_are_its_edges():
    index = index_of("a b c d", "a>b b>c a>d")
    left = expand(index, "a").keep(np.array([True, False, True, True]))
    assert [index.ids[node] for node in left.node] == ["a", "d", "c"]
    assert left.paths(index) == [("a",), ("a", "d")]
    assert [edge.key[:2] for edge in left.edges(index)] == [("a", "d")]
    assert left.parent_row.tolist() == [-1, 0, -1]
