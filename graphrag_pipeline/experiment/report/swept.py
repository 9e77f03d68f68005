"""The values of a swept key: in what order, and in which groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.experiment.report.svg import short

MOST_VALUES = 12
"""Values of a key that are shown each by itself; more numbers go into groups, more texts are cut."""
GROUPS = 6


@dataclass(frozen=True, slots=True)
class Group:
    """Configs that have one value of a key, or one of a range.

    Args:
        name: The value, or the range.
        points: Places of the configs.
    """

    name: str
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SweptKey:
    """A key and its values.

    Args:
        key: The dotted key.
        texts: The value of each config.
        numbers: The same as numbers; None when some are none.
        groups: Configs by value, in order.
    """

    key: str
    texts: tuple[str, ...]
    numbers: tuple[float, ...] | None
    groups: tuple[Group, ...]

    @property
    def ranged(self) -> bool:
        """Whether groups are ranges of numbers."""
        return self.numbers is not None and len(set(self.texts)) > MOST_VALUES


def swept_key(key: str, texts: Sequence[str], order: Sequence[str] = ()) -> SweptKey:
    """Group configs by their value of a key.

    Args:
        key: The key.
        texts: The value of each config.
        order: Values as they are to come, where they are no numbers; others follow.
    """
    numbers = _numbers(texts)
    there = frozenset(texts)
    by_text: dict[str, list[int]] = {text: [] for text in order if text in there}
    for place, text in enumerate(texts):
        by_text.setdefault(text, []).append(place)
    if numbers is not None and len(by_text) > MOST_VALUES:
        return SweptKey(key, tuple(texts), numbers, _ranges(numbers))
    if numbers is not None:
        by_text = dict(sorted(by_text.items(), key=lambda item: (numbers[item[1][0]], item[0])))
    groups = tuple(Group(text, tuple(places)) for text, places in by_text.items())
    return SweptKey(key, tuple(texts), numbers, groups)


def _numbers(texts: Sequence[str]) -> tuple[float, ...] | None:
    found = []
    for text in texts:
        try:
            found.append(float(text))
        except ValueError:
            return None
    return tuple(found) if all(map(math.isfinite, found)) else None


def _ranges(numbers: Sequence[float]) -> tuple[Group, ...]:
    """Return groups of about as many configs each; equal numbers are never apart."""
    values = np.array(numbers)
    bounds = np.unique(np.quantile(values, np.linspace(0, 1, GROUPS + 1)))
    which = np.clip(np.searchsorted(bounds, values, side="right") - 1, 0, len(bounds) - 2)
    groups = []
    for group in range(len(bounds) - 1):
        points = np.flatnonzero(which == group)
        if points.size:
            name = f"{short(float(values[points].min()))} … {short(float(values[points].max()))}"
            groups.append(Group(name, tuple(points.tolist())))
    return tuple(groups)
