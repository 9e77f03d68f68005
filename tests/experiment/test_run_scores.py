"""Scores of a run file: strictly falling in single precision, and otherwise as they are."""

from __future__ import annotations

from itertools import pairwise

import ir_measures
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.experiment.run_scores import falling

NUMBERS = st.floats(-1e30, 1e30)


def single(scores) -> list[float]:
    return np.array(scores, dtype=np.float32).tolist()


def test_scores_that_differ_stay_as_they_are():
    scores = [0.30000000000000004, 0.25, 0.0, -1e-9]
    assert falling(scores) is scores
    assert falling([]) == []
    assert falling([0.1]) == [0.1]


def test_equal_scores_fall_by_the_smallest_steps_of_single_precision():
    assert falling([0.6, 0.1, 0.1, 0.1]) == [0.6, 0.1, 0.09999999403953552, 0.09999998658895493]
    assert falling([0.0, 0.0, -0.0]) == [0.0, -1.401298464324817e-45, -2.802596928649634e-45]
    assert falling([-1.0, -1.0]) == [-1.0, -1.0000001192092896]


def test_scores_that_only_double_precision_tells_apart_fall_too():
    above, below = 0.1, float(np.nextafter(0.1, 0))
    assert falling([above, below]) == [above, 0.09999999403953552]


def test_a_score_right_behind_ties_gives_way():
    first = float(np.float32(0.5))
    after = float(np.nextafter(np.float32(0.5), np.float32(0)))
    assert falling([first, first, after, 0.25]) == [
        first,
        after,
        float(np.nextafter(np.float32(after), np.float32(0))),
        0.25,
    ]


@given(st.lists(NUMBERS | st.sampled_from([0.0, -0.0, 0.1, 1.0]), max_size=40))
def test_they_fall_strictly_and_hardly_move(found):
    scores = sorted(found, reverse=True)
    written = falling(scores)
    assert all(one > other for one, other in pairwise(single(written)))
    assert all(one > other for one, other in pairwise(written))
    limit = 2.0**-23 * max(len(scores), 1)
    assert all(
        abs(one - other) <= limit * abs(one) + 1e-43 for one, other in zip(scores, written, strict=True)
    )


@given(st.lists(st.sampled_from([1.0, 0.5, 0.1, 0.1 + 1e-12]), min_size=1, max_size=8), st.data())
def test_trec_eval_sees_the_order_of_the_ranking(found, data):
    names = data.draw(st.permutations([f"d{place}" for place in range(len(found))]))
    relevant = data.draw(st.integers(0, len(found) - 1))
    run = [
        ir_measures.ScoredDoc("q", name, score)
        for name, score in zip(names, falling(sorted(found, reverse=True)), strict=True)
    ]
    qrels = [ir_measures.Qrel("q", names[relevant], 1)]
    assert ir_measures.calc_aggregate([ir_measures.RR], qrels, run)[ir_measures.RR] == 1 / (relevant + 1)
