"""What a rule says about candidates, and what it may look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates

CHUNK = 256
"""Candidates whose properties are read at a time."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a rule says of some candidates.

    Args:
        holds: Whether it holds; read only where ``judged`` is true.
        judged: Whether it can be told at all. A seed has no edge, so no rule about edges judges it.
        reason: Code of the reason; read only where it is judged not to hold.
    """

    holds: BoolArray
    judged: BoolArray
    reason: IntArray

    @classmethod
    def of(cls, holds: BoolArray, reason: IntArray | int = 0) -> Judgement:
        """Return a judgement of every candidate."""
        codes = np.full(holds.size, reason) if isinstance(reason, int) else reason
        return cls(holds, np.ones(holds.size, dtype=np.bool_), codes)

    @classmethod
    def none(cls, size: int) -> Judgement:
        """Return a judgement of no candidate."""
        no = np.zeros(size, dtype=np.bool_)
        return cls(no, no, np.zeros(size, dtype=np.int64))

    @property
    def keep(self) -> BoolArray:
        """What a filter keeps: all that is not judged to fail."""
        keep: BoolArray = self.holds | ~self.judged
        return keep


@dataclass(frozen=True, slots=True)
class Scene:
    """The candidates of one call.

    Args:
        candidates: The candidates.
        query: The query.
        index: The graph they are in.
        cells: Whether rules about cells judge; they do not where it is asked what the others keep.
    """

    candidates: Candidates
    query: Query
    index: GraphIndex
    cells: bool = True

    # Any: a property holds whatever the graph's owner stored there.
    def properties(self, rows: IntArray) -> Iterator[Mapping[str, Any]]:
        """Yield the properties of some candidates, one after the other.

        They are not kept for another rule: so many small objects at once cost more than reading twice.
        """
        column, node = self.index.table.nodes.properties, self.candidates.node[rows]
        for start in range(0, rows.size, CHUNK):
            yield from column.many(node[start : start + CHUNK])


class Test(Protocol):
    """One question about each candidate: what a rule is that has no rules in it."""

    @property
    def label(self) -> str:
        """What reasons and messages call it."""
        ...

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why a candidate fails; judgements hold indexes into this."""
        ...

    def applies(self, query: Query) -> bool:
        """Whether the query has what the test is about, such as a cell or a persona."""
        ...

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Judge the candidates in some rows; called only for queries that it applies to."""
        ...

    def remarks(self, scene: Scene) -> tuple[str, ...]:
        """Say what in it is unknown to the graph and may be misspelt."""
        ...
