"""What rerankers share: which candidates they look at, and scores that put them in a new order."""

from __future__ import annotations

import math

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray, IntArray

MOST = 200
"""Most candidates that may be compared with one another."""


def best_first(score: FloatArray, depth: int) -> IntArray:
    """Return the rows of the best candidates, the best first; of equals the first visited."""
    return np.argsort(-score, kind="stable")[:depth]


def scores_in_order(score: FloatArray, order: IntArray) -> FloatArray:
    """Return scores by which ``order`` comes first and in that order.

    The scores that these rows have are dealt out anew: the highest to the first row, and so on. So they
    stay comparable with the scores of all other rows, which do not change. Where two are equal, or the
    lowest is not above the other rows, the better one is raised to the next larger number.

    Args:
        score: Scores, none of the other rows' above one of ``order``.
        order: Rows, the best first.
    """
    given = score.copy()
    rest = np.ones(score.size, dtype=np.bool_)
    rest[order] = False
    level = float(score[rest].max(initial=-math.inf))
    for row, value in zip(order[::-1].tolist(), np.sort(score[order]).tolist(), strict=True):
        level = max(value, math.nextafter(level, math.inf))
        given[row] = level
    return given
