"""Choosing entries so that each says something new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.context.units import Unit

SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
TINY = float(np.finfo(np.float64).tiny)
ROUNDING = 1e-9
"""Shares are sums of floats: one that is a bound up to rounding does not pass it."""


class Novelty:
    """Entries, and the terms of each.

    Args:
        units: The entries, by rank.
        index: Knows the terms of nodes.
        diversity: How much it counts that an entry says something new, 0 to 1.
        max_overlap: Entries of which more than this share is written already are not chosen.
    """

    def __init__(
        self, units: Sequence[Unit], index: GraphIndex, diversity: float, max_overlap: float
    ) -> None:
        self._diversity, self._max_overlap = diversity, max_overlap + ROUNDING
        self._terms = [_terms(unit, index) for unit in units]
        sizes = [terms.size for terms in self._terms]
        flat = np.concatenate([*self._terms, np.zeros(0, dtype=np.int64)]).astype(np.int64)
        order = np.argsort(flat, kind="stable")
        idf = index.text.idf
        self._vocabulary = idf.size
        # By term, so that the entries that have a term stand together.
        self._ordered, self._owner = flat[order], np.repeat(np.arange(len(units)), sizes)[order]
        self._weight = idf[self._ordered]
        self._total = np.maximum(self._sums(np.arange(flat.size)), TINY)
        score = np.maximum([unit.score for unit in units], 0.0)
        self._worth = (1 - diversity) * score / max(float(score.max(initial=0.0)), TINY)

    def choose(
        self, left: Sequence[int], there: Sequence[int], weight: IntArray, room: int
    ) -> tuple[list[int], list[int]]:
        """Choose the entry that is best and newest, again and again, while any fits.

        An entry's gain is ``(1 - diversity) * score / best score - diversity * overlap``, where overlap is
        the share of its terms, weighted by idf, that are written already: maximal marginal relevance
        (Carbonell and Goldstein, SIGIR 1998) over terms, in the range -diversity … 1 - diversity. Of equal
        gains the better rank wins. Time is linear in the terms, and in the entries for each one chosen.

        Args:
            left: Places of the entries that may be chosen.
            there: Places of those that are written already.
            weight: The tokens of each.
            room: Tokens there are.

        Returns:
            Places of the entries that were chosen, in that order, and of those that fit and say too little.
        """
        said = np.zeros(self._vocabulary, dtype=np.bool_)
        for place in there:
            said[self._terms[place]] = True
        written = self._sums(np.flatnonzero(said[self._ordered]))
        may = np.zeros(weight.size, dtype=np.bool_)
        may[left] = True
        chosen: list[int] = []
        redundant: list[int] = []
        while (may := may & (weight <= room)).any():
            overlap = written / self._total
            stale = may & (overlap > self._max_overlap)
            redundant += np.flatnonzero(stale).tolist()
            may &= ~stale
            if not may.any():
                break
            pick = int(np.argmax(np.where(may, self._worth - self._diversity * overlap, -np.inf)))
            chosen.append(pick)
            may[pick] = False
            room -= int(weight[pick])
            new = self._terms[pick][~said[self._terms[pick]]]
            said[new] = True
            first, last = (np.searchsorted(self._ordered, new, side) for side in SIDES)
            written += self._sums(_ranges(first, last))
        return chosen, redundant

    def _sums(self, entries: IntArray) -> FloatArray:
        """Return the weight of some terms of entries, added up for each entry."""
        added = np.bincount(self._owner[entries], self._weight[entries], minlength=len(self._terms))
        return added.astype(np.float64)  # whole numbers where there is nothing to add


def _terms(unit: Unit, index: GraphIndex) -> IntArray:
    places = [index.position(node_id) for node_id in unit.ids]
    parts = [index.text.terms_at(place) for place in places if place is not None]
    if None in places:
        parts.append(index.text.codes(unit.text))
    # The terms of one node are distinct already.
    return np.unique(np.concatenate(parts)) if len(parts) > 1 or None in places else parts[0]


def _ranges(first: IntArray, last: IntArray) -> IntArray:
    """Return the whole numbers from each of ``first`` up to its ``last``, one range after the other."""
    counts = last - first
    before = np.cumsum(counts) - counts
    ranges: IntArray = np.arange(int(counts.sum())) + np.repeat(first - before, counts)
    return ranges
