"""Which node has which term how often: an inverted index, and BM25 over it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from graphrag_pipeline.graph.arrays import Array, FloatArray, IntArray
from graphrag_pipeline.graph.columns.text import TextColumn
from graphrag_pipeline.graph.text.fields import FIELDS

Variant: TypeAlias = Literal["lucene", "robertson", "atire", "bm25l", "bm25plus"]
"""Forms of BM25, named as by Kamphuis et al. 2020, "Which BM25 Do You Mean?"."""


@dataclass(frozen=True)
class Postings:
    """Terms by node and nodes by term.

    Args:
        terms: The distinct terms, in order of first use; a term's place is its *code*.
        start: Where the postings of each term start: one more entry than there are terms.
        node: Node of each posting, ascending within a term.
        count: How often the node has the term, one row per field of :data:`~.fields.FIELDS`.
        length: Terms of each node, one row per field.
    """

    terms: TextColumn
    start: Array
    node: Array
    count: Array
    length: Array

    @cached_property
    def code_of(self) -> Mapping[str, int]:
        """The code of each term."""
        return {term: code for code, term in enumerate(self.terms)}

    @property
    def node_count(self) -> int:
        """How many nodes were indexed, those without any term included."""
        return int(self.length.shape[1])

    @cached_property
    def idf(self) -> FloatArray:
        """Inverse document frequency of each term: ln(1 + (N - n + 0.5) / (n + 0.5)), above 0."""
        held = np.diff(self.start).astype(np.float64)
        idf: FloatArray = np.log1p((self.node_count - held + 0.5) / (held + 0.5))
        return idf

    @cached_property
    def label_idf(self) -> FloatArray:
        """Sum of the idf of the distinct terms in each node's label."""
        code = np.repeat(np.arange(len(self.terms)), np.diff(self.start))
        named = self.count[0] > 0
        total = np.bincount(self.node[named], self.idf[code[named]], self.node_count)
        return total.astype(np.float64)

    @cached_property
    def _by_node(self) -> tuple[IntArray, IntArray]:
        code = np.repeat(np.arange(len(self.terms)), np.diff(self.start))
        order = np.argsort(self.node, kind="stable")
        start = np.zeros(self.node_count + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.node, minlength=self.node_count), out=start[1:])
        return start, code[order]

    def terms_at(self, node: int) -> IntArray:
        """Return the codes of a node's distinct terms, ascending."""
        start, code = self._by_node
        return code[start[node] : start[node + 1]]

    def codes(self, terms: Iterable[str]) -> IntArray:
        """Return the codes of the terms that are known, in the order given."""
        known = (self.code_of.get(term) for term in terms)
        return np.array([code for code in known if code is not None], dtype=np.int64)

    def rows(self, code: int) -> slice:
        """Return where the postings of a term are."""
        return slice(int(self.start[code]), int(self.start[code + 1]))

    def bm25(self, codes: IntArray, weights: FloatArray, form: Bm25) -> FloatArray:
        """Score every node.

        Args:
            codes: Distinct terms of the query.
            weights: How often the query has each, or any other factor.
            form: Which BM25.

        Returns:
            One number from 0 for each node; terms are added in the order given.
        """
        total = np.zeros(self.node_count)
        field_weight = form.field_weights
        length, mean = self._lengths(field_weight)
        for code, weight in zip(codes.tolist(), weights.tolist(), strict=True):
            rows = self.rows(code)
            node = self.node[rows]
            count = field_weight @ self.count[:, rows]
            held = int(np.count_nonzero(count)) if (field_weight == 0).any() else node.size
            if held:
                total[node] += weight * form.gain(count, length[node] / mean, held, self.node_count)
        return total

    def _lengths(self, field_weight: FloatArray) -> tuple[FloatArray, float]:
        key = tuple(field_weight.tolist())
        found = self._known_lengths.get(key)
        if found is None:
            length = field_weight @ self.length
            mean = float(length.sum()) / max(length.size, 1)
            found = self._known_lengths[key] = (length, max(mean, 1e-9))
        return found

    @cached_property
    def _known_lengths(self) -> dict[tuple[float, ...], tuple[FloatArray, float]]:
        return {}


@dataclass(frozen=True, slots=True)
class Bm25:
    """A form of BM25.

    Args:
        k1: How soon more of one term stops counting.
        b: How much length counts, 0 … 1.
        variant: Which formula.
        delta: What BM25L and BM25+ add.
        fields: Weight of each field, in the order of :data:`~.fields.FIELDS`.
    """

    k1: float = 1.5
    b: float = 0.75
    variant: Variant = "lucene"
    delta: float = 0.5
    fields: tuple[float, ...] = (1.0,) * len(FIELDS)

    @property
    def field_weights(self) -> FloatArray:
        """The weights as an array."""
        return np.array(self.fields, dtype=np.float64)

    def gain(self, count: FloatArray, length: FloatArray, held: int, nodes: int) -> FloatArray:
        """Return what one term adds to nodes that have it.

        Args:
            count: How often each node has it.
            length: Their lengths, as multiples of the mean.
            held: How many nodes have it.
            nodes: How many nodes there are.
        """
        norm = 1 - self.b + self.b * length
        k1 = self.k1
        if self.variant == "bm25l":
            shifted = np.where(count > 0, count / norm + self.delta, 0.0)
            saturated = (k1 + 1) * shifted / (k1 + shifted)
        else:
            saturated = count / (count + k1 * norm)
            if self.variant in ("atire", "bm25plus"):
                saturated = (k1 + 1) * saturated
            if self.variant == "bm25plus":
                saturated = np.where(count > 0, saturated + self.delta, 0.0)
        return float(_idf(self.variant, held, nodes)) * saturated


def _idf(variant: Variant, held: int, nodes: int) -> float:
    if variant == "robertson":
        return max(float(np.log((nodes - held + 0.5) / (held + 0.5))), 0.0)
    if variant == "atire":
        return float(np.log(nodes / held))
    if variant == "bm25l":
        return float(np.log((nodes + 1) / (held + 0.5)))
    if variant == "bm25plus":
        return float(np.log((nodes + 1) / held))
    return float(np.log1p((nodes - held + 0.5) / (held + 0.5)))


class PostingsBuilder:
    """Takes the terms of nodes, in node order."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._code = array("i")
        self._node = array("i")
        self._count = array("i")
        self._length = array("i")
        self._nodes = 0

    def add(self, fields: Sequence[Sequence[str]]) -> None:
        """Add the next node: its terms, a list for each field."""
        counts: dict[int, list[int]] = {}
        for field, terms in enumerate(fields):
            for term in terms:
                code = self._codes.setdefault(term, len(self._codes))
                counts.setdefault(code, [0] * len(FIELDS))[field] += 1
            self._length.append(len(terms))
        for code, by_field in counts.items():
            self._code.append(code)
            self._node.append(self._nodes)
            self._count.extend(by_field)
        self._nodes += 1

    def finish(self) -> Postings:
        """Return the postings; the builder is used up."""
        code = np.frombuffer(self._code, dtype=np.int32) if self._code else np.zeros(0, dtype=np.int32)
        node = np.array(self._node, dtype=np.int32)
        order = np.argsort(code, kind="stable")
        start = np.zeros(len(self._codes) + 1, dtype=np.int64)
        np.cumsum(np.bincount(code, minlength=len(self._codes)), out=start[1:])
        count = np.array(self._count, dtype=np.int32).reshape(-1, len(FIELDS))
        length = np.array(self._length, dtype=np.int32).reshape(-1, len(FIELDS))
        return Postings(
            TextColumn.of(self._codes),
            start,
            node[order],
            np.ascontiguousarray(np.minimum(count[order], 65535).astype(np.uint16).T),
            np.ascontiguousarray(length.T),
        )
