"""Measures of many rankings at once, from the judged level of the node at each rank.

The values are those of trec_eval (https://github.com/usnistgov/trec_eval), which ir-measures calls; here all
rankings of a query, or one ranking of each of many queries, cost a few operations on arrays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.experiment.trec import LARGEST

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_NAME = re.compile(r"(nDCG|R|P|RR|AP|Success|all-gold)(?:@([1-9]\d{0,6}))?", re.ASCII)
_WITHOUT_CUTOFF = frozenset({"nDCG", "RR", "AP"})
NOT_FOUND = 2.0 * LARGEST
"""The rank of a relevant node that is not in the ranking."""


def is_cutoff_measure(name: str) -> bool:
    """Tell whether :func:`cutoff_values` has a measure.

    Those are ``nDCG``, ``R``, ``P``, ``RR``, ``AP``, ``Success`` and ``all-gold`` with a cutoff, as in
    ``R@5``, and ``nDCG``, ``RR`` and ``AP`` without one. Other parameters, as in ``P(rel=2)@5``, are left to
    ir-measures.
    """
    return _parsed(name) is not None


def cutoff_of(name: str) -> int | None:
    """Return the last rank that a measure looks at; None where it looks at the whole ranking.

    Raises:
        ValueError: :func:`is_cutoff_measure` does not hold for the name.
    """
    return _of(name)[1]


def depth_of(names: Sequence[str], longest: int = LARGEST) -> int:
    """Return how many ranks the measures look at.

    Args:
        names: Names for which :func:`is_cutoff_measure` holds.
        longest: Length of the rankings: what a measure without a cutoff looks at, and the most there is.
    """
    return min(longest, max((_of(name)[1] or longest for name in names), default=0))


def cutoff_values(names: Sequence[str], gains: Floats, ideal: Floats, relevant: int | Integers) -> Floats:
    """Return measures by ranking.

    Args:
        names: Names for which :func:`is_cutoff_measure` holds. Without a cutoff, all of ``gains`` counts.
        gains: By ranking and rank, the judged level of the node there; 0 for a node that is not judged or not
            relevant, and behind the end of a ranking.
        ideal: All levels above 0 of the query in descending order; or one row of them a ranking, filled up
            with zeros, where rankings are of different queries.
        relevant: How many nodes are relevant; or one number a ranking.

    Returns:
        By measure and ranking; the larger, the better. NaN where nothing is relevant: there is no share of
        nothing, and no ranking could be better than another.

    Raises:
        ValueError: A name is none of these measures.
    """
    row, column = np.nonzero(gains > 0)
    place = np.arange(row.size) - np.searchsorted(row, row)
    shape = len(gains), int(place.max(initial=-1)) + 1
    ranks, levels = np.full(shape, NOT_FOUND), np.zeros(shape)
    ranks[row, place] = column + 1.0
    levels[row, place] = gains[row, column]
    return values_of_ranks(names, ranks, levels, ideal, relevant)


def values_of_ranks(
    names: Sequence[str], ranks: Floats, levels: Floats, ideal: Floats, relevant: int | Integers
) -> Floats:
    """Return what :func:`cutoff_values` does, from the ranks of the relevant nodes alone.

    Args:
        names: As there.
        ranks: By ranking, the ranks of relevant nodes from 1, ascending, filled up with :data:`NOT_FOUND`.
        levels: The judged level of each; 0 where it is filled up.
        ideal: As there.
        relevant: As there.
    """
    parsed = [_of(name) for name in names]
    count = np.broadcast_to(np.asarray(relevant, dtype=np.float64), len(ranks))
    values = np.full((len(names), len(ranks)), np.nan)
    if not parsed or not (count > 0).any():
        return values
    found = _Found(ranks, levels, np.atleast_2d(ideal), count)
    with np.errstate(divide="ignore", invalid="ignore"):  # where nothing is relevant, which is set below
        for row, (kind, cutoff) in zip(values, parsed, strict=True):
            row[:] = _KINDS[kind](found, cutoff or LARGEST)
    values[:, count <= 0] = np.nan
    return values


class _Found:
    """Running sums over the relevant nodes of each ranking, made when the first measure needs them.

    They add node by node, as trec_eval does; a product with a matrix would not on every machine.
    """

    def __init__(self, ranks: Floats, levels: Floats, ideal: Floats, count: Floats) -> None:
        self.ranks = ranks
        self.levels = levels
        self.ideal = ideal
        self.count = count
        self._rows = np.arange(len(ranks))
        self._hits: dict[int, Integers] = {}

    def hits(self, cutoff: int) -> Integers:
        """Return how many relevant nodes stand within a cutoff."""
        if cutoff not in self._hits:
            self._hits[cutoff] = (self.ranks <= cutoff).sum(axis=1)
        return self._hits[cutoff]

    def gain(self, cutoff: int) -> Floats:
        """Return the discounted gain within a cutoff."""
        gain: Floats = self._gains[self._rows, self.hits(cutoff)]
        return gain

    def ideal_gain(self, cutoff: int) -> Floats:
        """Return the discounted gain of the best ranking there is."""
        gain: Floats = self._ideals[:, min(cutoff, self._ideals.shape[1] - 1)]
        return gain

    def precision(self, cutoff: int) -> Floats:
        """Return the sum of the precisions at each relevant node within a cutoff."""
        precision: Floats = self._precisions[self._rows, self.hits(cutoff)]
        return precision

    @cached_property
    def _gains(self) -> Floats:
        return _running(self.levels / np.log2(self.ranks + 1))

    @cached_property
    def _ideals(self) -> Floats:
        return _running(self.ideal / np.log2(np.arange(2, self.ideal.shape[1] + 2)))

    @cached_property
    def _precisions(self) -> Floats:
        return _running(np.arange(1, self.ranks.shape[1] + 1) / self.ranks)


def _running(terms: Floats) -> Floats:
    """Return the sums of the first terms of each row, none of them first."""
    sums = np.zeros((terms.shape[0], terms.shape[1] + 1))
    np.cumsum(terms, axis=1, out=sums[:, 1:])
    return sums


def _reciprocal(found: _Found, cutoff: int) -> Floats:
    first = found.ranks[:, 0] if found.ranks.shape[1] else np.full(len(found.ranks), NOT_FOUND)
    return np.where(first <= cutoff, 1.0 / first, 0.0)


_KINDS: Mapping[str, Callable[[_Found, int], Floats]] = {
    "nDCG": lambda found, cutoff: found.gain(cutoff) / found.ideal_gain(cutoff),
    "R": lambda found, cutoff: found.hits(cutoff) / found.count,
    "P": lambda found, cutoff: found.hits(cutoff) / cutoff,
    "RR": _reciprocal,
    "AP": lambda found, cutoff: found.precision(cutoff) / found.count,
    "Success": lambda found, cutoff: (found.hits(cutoff) > 0).astype(np.float64),
    "all-gold": lambda found, cutoff: (found.hits(cutoff) >= found.count).astype(np.float64),
}


def _parsed(name: str) -> tuple[str, int | None] | None:
    """Return the kind and the cutoff of a measure; None when it is none of these."""
    match = _NAME.fullmatch(name)
    if match is None or (match[2] is None and match[1] not in _WITHOUT_CUTOFF):
        return None
    cutoff = int(match[2]) if match[2] else None
    return None if cutoff is not None and cutoff > LARGEST else (match[1], cutoff)


def _of(name: str) -> tuple[str, int | None]:
    parsed = _parsed(name)
    if parsed is None:
        raise ValueError(f"{name!r} is no measure with a cutoff")
    return parsed
