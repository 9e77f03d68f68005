"""Scores as a run file has them: no two of a ranking are equal, so that every reader sees one order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray

_SIGN = np.int64(1 << 31)


def written_scores(scores: Sequence[float]) -> Iterable[str]:
    """Return the scores of a ranking as text, each below the one before.

    trec_eval (https://github.com/usnistgov/trec_eval) orders by score alone, in single precision, and ties by
    the names of documents. A score that would be no lower there than the one before becomes the next lower
    number of single precision, with the nine digits that tell it; all others have every digit there is.

    Args:
        scores: The best first; none is NaN.
    """
    with np.errstate(over="ignore"):
        single = np.array(scores, dtype=np.float32)
    if (single[1:] < single[:-1]).all():
        return map(repr, scores)
    steps = _steps(single)
    places = np.arange(steps.size)
    lower = np.minimum.accumulate(steps + places) - places
    moved = zip(scores, _numbers(lower).tolist(), (lower < steps).tolist(), strict=True)
    return [f"{other:.9g}" if is_moved else repr(score) for score, other, is_moved in moved]


def _steps(single: np.ndarray[tuple[int], np.dtype[np.float32]]) -> IntArray:
    """Return for each number how many numbers of single precision are between it and 0, negative below 0."""
    bits = single.view(np.uint32).astype(np.int64)
    return np.where(bits >= _SIGN, _SIGN - bits, bits)


def _numbers(steps: IntArray) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    bits = np.where(steps < 0, _SIGN - steps, steps)
    return bits.astype(np.uint32).view(np.float32)
