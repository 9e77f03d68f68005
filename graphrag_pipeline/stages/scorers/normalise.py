"""Bringing signals of different ranges onto one scale before they are weighted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray

Normalisation: TypeAlias = Literal["none", "minmax", "rank", "zscore"]
"""How a column is brought onto a scale."""


def normalised(column: FloatArray, how: Normalisation) -> FloatArray:
    """Return a column on another scale; the order of its values stays.

    Args:
        column: Finite numbers.
        how: ``none`` leaves them as they are. ``minmax`` gives 0 to the lowest and 1 to the highest, the
            rest in proportion; 0 everywhere when all are equal. ``rank`` gives 0 to the lowest and 1 to
            the highest of different values, the rest by rank; equal values share the mean of their ranks,
            so a constant column is 0.5 everywhere. ``zscore`` gives (value - mean) / standard deviation
            of the population; 0 everywhere when all are equal.
    """
    return _SCALES[how](column) if column.size else column


def average_ranks(column: FloatArray) -> FloatArray:
    """Return the rank of each value, 1 for the lowest; equal values share the mean of their ranks."""
    _, place, count = np.unique(column, return_inverse=True, return_counts=True)
    ranks: FloatArray = (np.cumsum(count) - (count - 1) / 2)[place]
    return ranks


def _as_it_is(column: FloatArray) -> FloatArray:
    return column


def _minmax(column: FloatArray) -> FloatArray:
    if _is_constant(column):
        return np.zeros(column.size)
    column = _tamed(column)
    low = column.min()
    scaled: FloatArray = (column - low) / (column.max() - low)
    return scaled


def _rank(column: FloatArray) -> FloatArray:
    if _is_constant(column):
        return np.full(column.size, 0.5)
    return (average_ranks(column) - 1) / (column.size - 1)


def _zscore(column: FloatArray) -> FloatArray:
    if _is_constant(column):
        return np.zeros(column.size)
    column = _tamed(column)
    scaled: FloatArray = (column - column.mean()) / column.std()
    return scaled


def _is_constant(column: FloatArray) -> bool:
    return bool(column.min() == column.max())


def _tamed(column: FloatArray) -> FloatArray:
    """Return a column divided by a power of two, so that no square of it overflows; no digit is lost."""
    _, exponent = np.frexp(np.abs(column).max())
    tamed: FloatArray = np.ldexp(column, -exponent)
    return tamed


_SCALES: Mapping[Normalisation, Callable[[FloatArray], FloatArray]] = {
    "none": _as_it_is,
    "minmax": _minmax,
    "rank": _rank,
    "zscore": _zscore,
}
