"""What can be said of two runs that answered the same queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from graphrag_pipeline.experiment.resampling import (
    Interval,
    Resampling,
    Values,
    mean_interval,
    randomisation_p,
)

ALPHA = 0.05
POWER = 0.8
TIE = 1e-9
"""Differences up to this size are ties: they are rounding."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The first run against the second, query by query.

    Args:
        queries: How many queries.
        difference: Mean of first minus second.
        interval: Bootstrap interval of that mean; None for one query.
        p: P-value of the randomisation test, of this test alone.
        effect: Cohen's d of the differences; None where it has no value.
        wins: Queries on which the first is better.
        ties: Queries on which both are equal.
        losses: Queries on which the second is better.
        win_share: Share of wins, a tie counting half.
        detectable: The smallest true difference that this many queries would show; None below three queries.
    """

    queries: int
    difference: float
    interval: Interval | None
    p: float
    effect: float | None
    wins: int
    ties: int
    losses: int
    win_share: float
    detectable: float | None


def paired(first: Values, second: Values, how: Resampling) -> Paired:
    """Compare two runs by their values on the same queries, of which there is at least one."""
    raw = first - second
    differences = np.where(np.abs(raw) <= TIE, 0.0, raw)
    count = len(differences)
    wins, losses = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    ties = count - wins - losses
    return Paired(
        queries=count,
        difference=mean(differences),
        interval=mean_interval(differences, how),
        p=randomisation_p(differences, how),
        effect=cohen_d(differences),
        wins=wins,
        ties=ties,
        losses=losses,
        win_share=(wins + ties / 2) / count,
        detectable=minimum_detectable(differences),
    )


def mean(values: Values) -> float:
    """Return the mean, the same one in whatever order the values come."""
    return math.fsum(values) / len(values)


def deviation(values: Values) -> float:
    """Return the standard deviation, by n - 1; 0 for equal values. There must be two."""
    if values.min() == values.max():
        return 0.0
    middle = mean(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values.tolist()) / (len(values) - 1))


def cohen_d(differences: Values) -> float | None:
    """Return the mean difference in standard deviations of the differences (d_z): mean / s.

    0.2 is commonly called small, 0.5 medium, 0.8 large. None for one query, and where all differences are
    equal but not 0, which no number of deviations measures.

    Source: J. Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), section 2.3.5.
    """
    if not differences.any():
        return 0.0
    spread = deviation(differences) if len(differences) > 1 else 0.0
    return mean(differences) / spread if spread > 0 else None


def minimum_detectable(differences: Values) -> float | None:
    """Return the smallest true mean difference that a paired test would find with power .8 at level .05.

    With s the deviation of the differences, and z1 and z2 the quantiles 1 - .05/2 and .8 of the normal
    distribution, it is s (z1 + z2) / sqrt(n - z1² / 2). What is taken from n is Guenther's correction, by
    which the normal distribution may stand for Student's when n is small. None below three queries.

    Source: J. Cohen (1988), section 2.4; W. Guenther, Sample size formulas for normal theory t-tests
    (The American Statistician, 1981); for queries, T. Sakai, Laboratory Experiments in IR (2018), chapter 6.
    """
    count = len(differences)
    if count < 3:
        return None
    level, power = NormalDist().inv_cdf(1 - ALPHA / 2), NormalDist().inv_cdf(POWER)
    return deviation(differences) * (level + power) / math.sqrt(count - level**2 / 2)
