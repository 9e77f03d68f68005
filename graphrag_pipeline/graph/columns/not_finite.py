"""Numbers that are not finite, NaN and the infinities: Python holds them, and no JSON does."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.columns.text import TextColumn
from graphrag_pipeline.graph.columns.values import PropertyColumn, SparseText, WeightColumn

# One search a word: a pattern of two is ten times as slow.
WORDS = (re.compile(rb"NaN"), re.compile(rb"Infinity"))
"""How Python writes such numbers where JSON should be."""
DEEPEST = 200
"""Levels that are looked at: an object from Python may hold itself."""

Told = Callable[[], None]


def is_finite(number: float) -> bool:
    """Whether a number is finite; every whole number is, however large."""
    return isinstance(number, int) or math.isfinite(number)


# Any throughout: a property holds whatever the graph's owner stored there.
def finite(value: Any, told: Told) -> Any:
    """Return a value with None in place of each number that is not finite, and tell of each."""
    if isinstance(value, float) and not math.isfinite(value):
        told()
        return None
    if isinstance(value, dict):
        return {key: finite(item, told) for key, item in value.items()}
    return [finite(item, told) for item in value] if isinstance(value, list) else value


def rows_not_finite(column: PropertyColumn) -> list[int]:
    """Return the rows whose properties hold a number that is not finite, ascending."""
    texts = column.text.text if isinstance(column.text, SparseText) else column.text
    rows = np.array(_places(texts), dtype=np.int64)
    if isinstance(column.text, SparseText):
        rows = column.text.at[rows]
    # A text may hold such a word, too, and what only Python has is no text.
    suspects = sorted({*rows.tolist(), *column.objects})
    return [row for row in suspects if not _all_finite(column.objects.get(row) or column[row], 0)]


def weights_not_finite(column: WeightColumn) -> IntArray:
    """Return the rows whose weight is not finite, ascending."""
    return np.flatnonzero(~np.isfinite(column.value))


def _places(texts: TextColumn) -> list[int]:
    found = {match.start() for word in WORDS for match in word.finditer(texts.blob)}
    if not found:
        return []
    places = np.searchsorted(texts.start, sorted(found), side="right") - 1
    rows: list[int] = np.unique(places).tolist()
    return rows


def _all_finite(value: Any, level: int) -> bool:
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, float):
        return math.isfinite(value)
    if level == DEEPEST:
        return True
    items: Any = ()
    if isinstance(value, dict):
        items = value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        items = value
    return all(_all_finite(item, level + 1) for item in items)
