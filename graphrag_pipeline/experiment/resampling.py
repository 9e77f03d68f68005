"""Intervals and p-values by drawing again: the percentile bootstrap and the randomisation test.

All draws come from the seed alone, and values are put in order before anything is drawn. So the same
values give the same result in whatever order queries come, and a further run changes no other figure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EXACT = 20
"""Most differences for which all 2^n signs are tried; above, signs are drawn."""
BLOCK = 1 << 20
"""Most draws that are held in memory at once."""
_BOOTSTRAP, _SIGNS = 0, 1

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Resampling:
    """How to draw.

    Args:
        seed: Seed of all draws.
        draws: How often to draw.
        level: Share of the draws that an interval holds.
    """

    seed: int = 7
    draws: int = 10_000
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the mean over all queries of this kind plausibly is."""

    low: float
    high: float


def mean_interval(values: Values, how: Resampling) -> Interval | None:
    """Return the percentile bootstrap interval of a mean; None for fewer than two values.

    Draw n of the n values with replacement, take the mean, do it B times: the interval goes from the
    quantile (1 - level) / 2 of these means to the quantile (1 + level) / 2.

    Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), section 13.3; for queries,
    T. Sakai, Evaluating evaluation metrics based on the bootstrap (SIGIR 2006).
    """
    if len(values) < 2:
        return None
    ordered = np.sort(values) + 0.0  # no negative zeros: they would make equal values look different
    mirrored = np.sort(-values) + 0.0
    # Of the values and their mirror image always the same one is drawn from, so swapping two runs
    # changes the signs and not a digit.
    turned = ordered.tolist() < mirrored.tolist()
    found = _interval(mirrored if turned else ordered, how)
    if ordered.tolist() == mirrored.tolist():
        half = (found.high - found.low) / 2
        return Interval(0.0 - half, half)
    return Interval(0.0 - found.high, 0.0 - found.low) if turned else found


def _interval(ordered: Values, how: Resampling) -> Interval:
    if ordered[0] == ordered[-1]:
        return Interval(float(ordered[0]), float(ordered[0]))
    random = np.random.default_rng([how.seed, _BOOTSTRAP])
    count = len(ordered)
    means = np.concatenate(
        [ordered[random.integers(0, count, (rows, count))].mean(axis=1) for rows in _blocks(how.draws, count)]
    )
    low, high = np.quantile(means, [(1 - how.level) / 2, (1 + how.level) / 2])
    return Interval(float(low), float(high))


def randomisation_p(differences: Values, how: Resampling) -> float:
    """Return the two-sided p-value of the paired randomisation test; 1 when there is no difference at all.

    If the two runs were equally good, each difference might as well have the other sign. p is the share of
    all signs that give a mean at least as far from 0 as the one observed. Up to :data:`EXACT` differences
    that are not 0 all signs are tried; above, B are drawn, and p = (1 + as far) / (1 + B), since the
    observed signs are one more way.

    Source: R. Fisher, The Design of Experiments (1935), section 21; for queries, M. Smucker, J. Allan and
    B. Carterette, A comparison of statistical significance tests for information retrieval evaluation
    (CIKM 2007); the 1 that is added, B. Phipson and G. Smyth, Permutation p-values
    should never be zero (2010).
    """
    observed = abs(math.fsum(differences))
    sizes = np.sort(np.abs(differences[differences != 0]))
    if len(sizes) == 0:
        return 1.0
    # Sums of the same numbers in another order differ in the last digits; these must not count.
    reached = observed - 1e-9 * float(sizes.sum())
    if len(sizes) <= EXACT:
        return float(np.mean(np.abs(_all_sums(sizes)) >= reached))
    random = np.random.default_rng([how.seed, _SIGNS])
    total = float(sizes.sum())
    as_far = 0
    for rows in _blocks(how.draws, len(sizes)):
        turned = random.integers(0, 2, (rows, len(sizes)), dtype=np.int8)
        as_far += int(np.count_nonzero(np.abs(total - 2 * (turned @ sizes)) >= reached))
    return (1 + as_far) / (1 + how.draws)


def _all_sums(sizes: Values) -> Values:
    """Return the sums of every choice of signs, the first one's being plus: the others mirror these."""
    sums = sizes[:1]
    for size in sizes[1:]:
        sums = np.concatenate([sums + size, sums - size])
    return sums


def _blocks(draws: int, width: int) -> list[int]:
    rows = max(1, BLOCK // width)
    return [min(rows, draws - start) for start in range(0, draws, rows)]
