"""Scores that put some candidates in a new order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.stages.rerank.order import best_first, scores_in_order


def dealt(score: list[float], order: list[int]) -> list[float]:
    return list(scores_in_order(np.array(score), np.array(order, dtype=np.int64)).tolist())


def test_the_best_come_first_and_equals_as_they_were_visited():
    assert best_first(np.array([0.1, 0.5, 0.5, 0.9, 0.1]), 4).tolist() == [3, 1, 2, 0]
    assert best_first(np.array([0.1]), 4).tolist() == [0]


def test_the_scores_are_dealt_out_anew_and_the_other_rows_keep_theirs():
    assert dealt([0.9, 0.7, 0.4, 0.1], [2, 0, 1]) == [0.7, 0.4, 0.9, 0.1]


def test_equal_scores_are_told_apart_by_the_least_there_is():
    found = dealt([0.5, 0.5, 0.5], [1, 2, 0])
    assert found == [0.5, np.nextafter(np.nextafter(0.5, 1), 1), np.nextafter(0.5, 1)]


def test_whoever_is_put_first_is_above_an_equal_row_that_is_not():
    found = dealt([0.5, 0.1, 0.1, 0.1], [1, 0])
    assert found[1] == 0.5
    assert found[0] == np.nextafter(0.1, 1)
    assert found[2:] == [0.1, 0.1]


def test_one_row_and_no_row_stay_as_they_are():
    assert dealt([0.3], [0]) == [0.3]
    assert dealt([], []) == []
    assert dealt([0.3, 0.2], []) == [0.3, 0.2]


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.1, 0.1, 0.6, 1.0]), min_size=1, max_size=30), st.data())
def test_the_ranking_is_the_order_then_the_rest_as_it_was(values, data):
    score = np.array(values)
    head = best_first(score, data.draw(st.integers(1, score.size)))
    order = np.array(data.draw(st.permutations(head.tolist())), dtype=np.int64)
    found = scores_in_order(score, order)
    rest = [row for row in np.argsort(-score, kind="stable").tolist() if row not in set(head.tolist())]
    assert np.argsort(-found, kind="stable").tolist() == [*order.tolist(), *rest]
    np.testing.assert_allclose(np.sort(found), np.sort(score), rtol=0, atol=1e-12)
