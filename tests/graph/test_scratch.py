"""Questions about lists of positions, in memory that is never cleared."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.graph.scratch import Scratch

SIZE = 12
SHARED = Scratch(SIZE)
positions = st.lists(st.integers(0, SIZE - 1), max_size=20)


def firsts(nodes: list[int]) -> list[int]:
    return [row for row, place in enumerate(nodes) if place not in nodes[:row]]


def rows(nodes: list[int], wanted: list[int]) -> list[int]:
    return [nodes.index(place) if place in nodes else -1 for place in wanted]


def array(values: list[int]) -> np.ndarray:
    return np.array(values, dtype=np.int64)


@given(positions)
def test_firsts_are_where_each_position_stands_first(nodes):
    assert SHARED.firsts(array(nodes)).tolist() == firsts(nodes)


@given(st.lists(st.integers(0, SIZE - 1), unique=True), st.lists(st.integers(-3, SIZE - 1)))
def test_rows_are_where_each_wanted_position_stands(nodes, wanted):
    assert SHARED.rows(array(nodes), array(wanted)).tolist() == rows(nodes, wanted)


@given(st.lists(st.tuples(positions, st.lists(st.integers(-1, SIZE - 1))), max_size=5))
def test_what_earlier_calls_left_is_never_believed(calls):
    scratch = Scratch(SIZE)
    for nodes, wanted in calls:
        assert scratch.firsts(array(nodes)).tolist() == firsts(nodes)
        unique = [nodes[row] for row in firsts(nodes)]
        assert scratch.rows(array(unique), array(wanted)).tolist() == rows(unique, wanted)


def test_columns_of_any_whole_type_are_asked_about():
    scratch = Scratch(300)
    for kind in (np.int32, np.uint32, np.uint16, np.int64):
        assert scratch.firsts(np.array([299, 0, 299], dtype=kind)).tolist() == [0, 1]
        assert scratch.rows(np.array([299, 7], dtype=kind), np.array([7, 8], dtype=np.int64)).tolist() == [
            1,
            -1,
        ]


def test_a_graph_without_nodes_has_nowhere():
    scratch = Scratch(0)
    assert scratch.firsts(array([])).tolist() == []
    assert scratch.rows(array([]), array([-1, -1])).tolist() == [-1, -1]


def test_threads_do_not_see_each_others_work():
    scratch = Scratch(5000)

    def work(seed: int) -> bool:
        rng = Random(seed)
        for _ in range(40):
            nodes = rng.sample(range(5000), 400)
            wanted = rng.sample(range(5000), 50)
            where = {place: row for row, place in enumerate(nodes)}
            if scratch.rows(array(nodes), array(wanted)).tolist() != [
                where.get(place, -1) for place in wanted
            ]:
                return False
            if scratch.firsts(array(nodes + nodes)).tolist() != list(range(400)):
                return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))
