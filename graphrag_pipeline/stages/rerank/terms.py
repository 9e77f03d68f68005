"""The terms of candidates, and how alike two candidates are by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex

Similarity: TypeAlias = Literal["cosine", "jaccard"]

BLOCK = 16
"""Texts that are compared with all others at a time, which bounds the memory."""


def terms_of(index: GraphIndex, nodes: IntArray) -> list[IntArray]:
    """Return the distinct terms of each node, ascending."""
    return [index.text.terms_at(node) for node in nodes.tolist()]


def rarest(terms: IntArray, idf: FloatArray, most: int) -> IntArray:
    """Return the terms with the highest idf, ascending; of equals those of the lowest code."""
    if terms.size <= most:
        return terms
    return np.sort(terms[np.argsort(-idf[terms], kind="stable")[:most]])


class Likeness:
    """How alike texts are by the idf of the terms they share; every term counts once.

    ``cosine`` is Σ idf² of the shared terms / √(Σ idf² of one · Σ idf² of the other); ``jaccard`` is Σ idf of
    the shared terms / Σ idf of the terms of either. Both lie between 0 and 1; a text without a term is
    like none.

    Args:
        terms: Distinct terms of each text, ascending.
        idf: By term.
        similarity: Which of the two.
    """

    def __init__(self, terms: Sequence[IntArray], idf: FloatArray, similarity: Similarity) -> None:
        self._size = len(terms)
        self._similarity = similarity
        self._begin = np.cumsum([0, *(of_one.size for of_one in terms)])
        self._text = np.repeat(np.arange(self._size), np.diff(self._begin))
        every = np.concatenate([*terms, np.zeros(0, dtype=np.int64)])
        codes, self._term = np.unique(every, return_inverse=True)
        self._weight = idf[codes] ** 2 if similarity == "cosine" else idf[codes]
        self._start = np.concatenate([[0], np.cumsum(np.bincount(self._term, minlength=codes.size))])
        self._holder = self._text[np.argsort(self._term, kind="stable")]
        self._mass = np.bincount(self._text, self._weight[self._term], self._size)

    def matrix(self) -> FloatArray:
        """Return how alike each two texts are."""
        starts = range(0, self._size, BLOCK)
        blocks = [self._rows(start, min(start + BLOCK, self._size)) for start in starts]
        return np.concatenate(blocks) if blocks else np.zeros((0, 0))

    def _rows(self, first: int, end: int) -> FloatArray:
        """Return the rows of some texts; terms are added in their order, so equal texts have equal sums."""
        own = slice(self._begin[first], self._begin[end])
        term, text = self._term[own], self._text[own] - first
        count = self._start[term + 1] - self._start[term]
        before = np.cumsum(count) - count
        entry = np.arange(int(count.sum())) + np.repeat(self._start[term] - before, count)
        pair = np.repeat(text, count) * self._size + self._holder[entry]
        shape = (end - first, self._size)
        shared = np.bincount(pair, np.repeat(self._weight[term], count), shape[0] * shape[1]).reshape(shape)
        mass = self._mass[first:end, np.newaxis]
        if self._similarity == "cosine":
            either = np.sqrt(mass * self._mass)
        else:
            either = mass + self._mass - shared
        alike: FloatArray = np.divide(shared, either, out=np.zeros(shape), where=either > 0)
        return np.minimum(alike, 1.0)
