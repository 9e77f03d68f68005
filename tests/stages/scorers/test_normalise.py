"""Scales of signals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.stages.scorers.normalise import Normalisation, average_ranks, normalised


def scaled(column: list[float], how: Normalisation) -> list[float]:
    return list(normalised(np.array(column, dtype=np.float64), how).tolist())


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("none", [2, 4, 4, 10]),
        ("minmax", [0, 0.25, 0.25, 1]),
        ("rank", [0, 0.5, 0.5, 1]),
        # The mean is 5 and the variance (9 + 1 + 1 + 25) / 4 = 9.
        ("zscore", [-1, -1 / 3, -1 / 3, 5 / 3]),
    ],
)
def test_a_column_on_each_scale(how, expected):
    assert scaled([2, 4, 4, 10], how) == pytest.approx(expected)


def test_ranks_start_at_one_and_equal_values_share_the_mean_of_theirs():
    assert average_ranks(np.array([0.3, 0.1, 0.3, 0.2, 0.3])).tolist() == [4, 1, 4, 2, 4]


def test_the_best_of_a_rank_scale_are_below_one_when_they_are_several():
    assert scaled([1, 5, 5], "rank") == [0, 0.75, 0.75]


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("value", [0.0, 0.1, -3.0, 1e300])
def test_a_constant_column_says_nothing(size, value):
    assert scaled([value] * size, "none") == [value] * size
    assert scaled([value] * size, "minmax") == [0] * size
    assert scaled([value] * size, "zscore") == [0] * size
    assert scaled([value] * size, "rank") == [0.5] * size


@pytest.mark.parametrize("how", ["none", "minmax", "rank", "zscore"])
def test_no_column_stays_none(how):
    assert scaled([], how) == []


@pytest.mark.parametrize("how", ["minmax", "zscore"])
@pytest.mark.parametrize("unit", [1e-300, 1e300, 1.7e308, 5e-324])
def test_very_large_and_very_small_numbers_are_no_problem(how, unit):
    assert scaled([-unit, 0, unit], how) == pytest.approx(scaled([-1, 0, 1], how))


def test_zeros_of_either_sign_are_one_value():
    assert scaled([0.0, -0.0, 1.0], "rank") == [0.25, 0.25, 1]
    assert scaled([0.0, -0.0], "minmax") == [0, 0]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_no_scale_changes_the_order(column):
    order = np.argsort(np.array(column), kind="stable")
    for how in ("minmax", "rank", "zscore"):
        found = np.array(scaled(column, how))
        assert np.isfinite(found).all()
        assert (np.diff(found[order]) >= 0).all()
        if how != "zscore":
            assert found.min() >= 0
            assert found.max() <= 1
