"""Corrections of p-values for having made several tests at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values adjusted so that the chance of even one false finding stays below the level.

    With p sorted, the i-th of m (from 1) becomes the largest of (m - j + 1) p_j over all j up to i, and
    at most 1.

    Source: S. Holm, A simple sequentially rejective multiple test procedure (1979).
    """
    count = len(p_values)
    adjusted = [0.0] * count
    largest = 0.0
    for place, which in enumerate(_ascending(p_values)):
        largest = max(largest, min(1.0, (count - place) * p_values[which]))
        adjusted[which] = largest
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values adjusted so that the expected share of false findings stays below the level.

    With p sorted, the i-th of m (from 1) becomes the smallest of m p_j / j over all j from i on, at most 1.

    Source: Y. Benjamini and Y. Hochberg, Controlling the false discovery rate (1995).
    """
    count = len(p_values)
    adjusted = [0.0] * count
    smallest = 1.0
    for place, which in reversed(list(enumerate(_ascending(p_values), start=1))):
        smallest = min(smallest, count * p_values[which] / place)
        adjusted[which] = smallest
    return tuple(adjusted)


def _ascending(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=lambda which: p_values[which])
