"""Scores of a run file: strictly falling in single precision, and otherwise as they are."""

from __future__ import annotations

from itertools import pairwise

import ir_measures
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.experiment.run_scores import written_scores

NUMBERS = st.floats(-1e30, 1e30)


def written(*scores: float) -> list[str]:
    return list(written_scores(scores))


def test_scores_that_differ_have_every_digit():
    assert written(0.30000000000000004, 0.25, 0.0, -1e-9) == ["0.30000000000000004", "0.25", "0.0", "-1e-09"]
    assert written() == []
    assert written(0.1) == ["0.1"]


def test_equal_scores_fall_by_the_smallest_steps_of_single_precision():
    assert written(0.6, 0.1, 0.1, 0.1) == ["0.6", "0.1", "0.099999994", "0.0999999866"]
    assert written(0.0, 0.0, -0.0) == ["0.0", "-1.40129846e-45", "-2.80259693e-45"]
    assert written(-1.0, -1.0) == ["-1.0", "-1.00000012"]


def test_scores_that_only_double_precision_tells_apart_fall_too():
    assert written(0.1, float(np.nextafter(0.1, 0))) == ["0.1", "0.099999994"]


def test_a_score_right_behind_ties_gives_way():
    after = float(np.nextafter(np.float32(0.5), np.float32(0)))
    assert written(0.5, 0.5, after, 0.25) == ["0.5", "0.49999997", "0.49999994", "0.25"]


@given(st.lists(NUMBERS | st.sampled_from([0.0, -0.0, 0.1, 1.0]), max_size=40))
def test_they_fall_strictly_in_both_precisions_and_hardly_move(found):
    scores = sorted(found, reverse=True)
    double = [float(text) for text in written(*scores)]
    single = np.array(double, dtype=np.float32).tolist()
    assert all(one > other for one, other in pairwise(double))
    assert all(one > other for one, other in pairwise(single))
    limit = 2.0**-23 * (len(scores) + 1)
    assert all(
        abs(one - other) <= limit * abs(one) + 1e-43 for one, other in zip(scores, double, strict=True)
    )


@given(st.lists(st.sampled_from([1.0, 0.5, 0.1, 0.1 + 1e-12]), min_size=1, max_size=8), st.data())
def test_trec_eval_sees_the_order_of_the_ranking(found, data):
    names = data.draw(st.permutations([f"d{place}" for place in range(len(found))]))
    relevant = data.draw(st.integers(0, len(found) - 1))
    scores = map(float, written(*sorted(found, reverse=True)))
    run = [ir_measures.ScoredDoc("q", *entry) for entry in zip(names, scores, strict=True)]
    qrels = [ir_measures.Qrel("q", names[relevant], 1)]
    assert ir_measures.calc_aggregate([ir_measures.RR], qrels, run)[ir_measures.RR] == 1 / (relevant + 1)
