"""Formulas: values worked out by hand, and scipy's where it is installed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from graphrag_pipeline.experiment.corrections import benjamini_hochberg, holm
from graphrag_pipeline.experiment.letters import letters
from graphrag_pipeline.experiment.resampling import (
    EXACT,
    Interval,
    Resampling,
    mean_interval,
    randomisation_p,
)
from graphrag_pipeline.experiment.statistics import cohen_d, minimum_detectable, paired

HOW = Resampling(draws=2000)


def array(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)


def test_signs_of_three_differences_by_hand():
    # Sums of ±1 ±2 ±4 are ±7 ±5 ±3 ±1: 2 of 8 are as far from 0 as 7, 4 as 5, 6 as 3.
    assert randomisation_p(array(1, 2, 4), HOW) == 2 / 8
    assert randomisation_p(array(-1, 2, 4), HOW) == 4 / 8
    assert randomisation_p(array(1, -2, 4), HOW) == 6 / 8
    assert randomisation_p(array(1, 2, -4, 0, 0), HOW) == 8 / 8


def test_sums_that_differ_by_rounding_are_equal():
    # ±.1 ±.2 ±.3: both +.1+.2-.3 and its mirror image are 0, though not in floating point.
    assert randomisation_p(array(0.1, 0.2, -0.3), HOW) == 1.0
    assert randomisation_p(array(0.3, -0.2, -0.1), HOW) == 1.0


def test_drawn_signs_come_near_to_all_signs():
    differences = np.random.default_rng(3).normal(0.3, 1, EXACT)
    exact = randomisation_p(differences, HOW)
    # One more difference, too small to matter, makes it draw.
    drawn = randomisation_p(np.append(differences, 1e-7), Resampling(draws=50_000))
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 50_000))
    assert drawn != exact


def test_drawn_p_values_are_never_0():
    assert randomisation_p(np.ones(400), HOW) == 1 / 2001


def test_exact_p_values_are_those_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    differences = np.random.default_rng(5).normal(0.4, 1, 12)
    expected = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=math.inf, vectorized=False
    ).pvalue
    assert randomisation_p(differences, HOW) == pytest.approx(expected)


def test_the_interval_of_two_values_by_hand():
    # The mean of two draws is 0, .5 or 1 with chances 1/4, 1/2, 1/4.
    assert mean_interval(array(0, 1), HOW) == Interval(0.0, 1.0)
    assert mean_interval(array(0, 1), Resampling(draws=2000, level=0.4)) == Interval(0.5, 0.5)
    assert mean_interval(array(0.1, 0.1, 0.1), HOW) == Interval(0.1, 0.1)
    assert mean_interval(array(0.3), HOW) is None


def test_the_interval_is_that_of_scipy_but_for_chance():
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(1).random(60)
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=2)
    ours = mean_interval(values, Resampling(draws=20_000))
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.004)


def test_the_seed_decides_and_blocks_do_not_show(monkeypatch):
    values = np.random.default_rng(1).random(300)
    assert mean_interval(values, HOW) == mean_interval(values, HOW)
    assert mean_interval(values, HOW) != mean_interval(values, Resampling(seed=8, draws=2000))
    shifted = values - 0.45
    assert randomisation_p(shifted, HOW) == randomisation_p(shifted, HOW)
    assert randomisation_p(shifted, HOW) != randomisation_p(shifted, Resampling(seed=8, draws=2000))
    monkeypatch.setattr("graphrag_pipeline.experiment.resampling.BLOCK", 1000)
    found = mean_interval(values, HOW)
    assert found is not None
    assert found.low < values.mean() < found.high


def test_holm_by_hand():
    # Sorted: .01 .02 .03 .04, times 4 3 2 1: .04 .06 .06 .04, and never less than the one before.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx((0.06, 0.04, 0.06, 0.06))
    assert holm([0.7, 0.6]) == (1.0, 1.0)
    assert holm([0.3]) == (0.3,)
    assert holm([]) == ()


def test_benjamini_hochberg_by_hand():
    # Sorted: .01 .02 .03 .5, times 4/1 4/2 4/3 4/4: .04 .04 .04 .5.
    assert benjamini_hochberg([0.5, 0.01, 0.03, 0.02]) == pytest.approx((0.5, 0.04, 0.04, 0.04))
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.04, 0.04))
    assert benjamini_hochberg([]) == ()


def test_benjamini_hochberg_is_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    p_values = np.random.default_rng(4).random(30)
    assert benjamini_hochberg(p_values.tolist()) == pytest.approx(stats.false_discovery_control(p_values))


def test_effect_size_by_hand():
    # Mean 2, deviation sqrt((1 + 0 + 1) / 2) = 1.
    assert cohen_d(array(1, 2, 3)) == 2.0
    assert cohen_d(array(-1, -2, -3)) == -2.0
    assert cohen_d(array(0, 0)) == 0.0
    assert cohen_d(array(0)) == 0.0
    assert cohen_d(array(0.1, 0.1, 0.1)) is None
    assert cohen_d(array(5)) is None


def test_detectable_difference_by_hand():
    # s = 1, z = 1.95996 and .84162: 2.80159 / sqrt(3 - 1.92073) = 2.6967.
    assert minimum_detectable(array(1, 2, 3)) == pytest.approx(2.6967, abs=1e-4)
    assert minimum_detectable(array(2, 4, 6)) == pytest.approx(2 * 2.6967, abs=2e-4)
    assert minimum_detectable(array(0.5, 0.5, 0.5)) == 0.0
    assert minimum_detectable(array(1, 2)) is None


@pytest.mark.parametrize("count", [10, 30, 400])
def test_a_detectable_difference_has_power_80_percent(count):
    stats = pytest.importorskip("scipy.stats")
    differences = np.random.default_rng(count).normal(0, 1, count)
    detectable = minimum_detectable(differences)
    assert detectable is not None
    shift = detectable / differences.std(ddof=1) * math.sqrt(count)
    reached = stats.t.ppf(0.975, count - 1)
    power = stats.nct.sf(reached, count - 1, shift) + stats.nct.cdf(-reached, count - 1, shift)
    assert power == pytest.approx(0.8, abs=0.01)


def test_wins_ties_and_losses_are_counted_and_rounding_is_a_tie():
    found = paired(array(1, 0.3, 0, 0.5), array(0, 0.1 + 0.2, 1, 0), HOW)
    assert (found.wins, found.ties, found.losses) == (2, 1, 1)
    assert found.win_share == 2.5 / 4
    assert found.difference == 0.125
    assert found.queries == 4


@pytest.mark.parametrize(
    ("different", "expected"),
    [
        ([], ("a", "a", "a")),
        ([(0, 1), (0, 2), (1, 2)], ("a", "b", "c")),
        ([(0, 2)], ("a", "ab", "b")),
        ([(0, 1)], ("a", "b", "ab")),
        ([(0, 1), (0, 2)], ("a", "b", "b")),
    ],
)
def test_letters_by_hand(different, expected):
    assert letters(3, different) == expected


def test_letters_go_on_after_the_alphabet():
    every = [(first, second) for first in range(60) for second in range(first + 1, 60)]
    found = letters(60, every)
    assert (found[25:28], found[52]) == (("z", "A", "B"), "(53)")
    assert len(set(found)) == 60
