"""How new a candidate is, by a date among its properties."""

from __future__ import annotations

from typing import Annotated
from weakref import WeakKeyDictionary

import numpy as np
from pydantic import Field, field_validator

from graphrag_pipeline.graph.arrays import Array, FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.signals.days import day_of, newest_day

CHUNK = 4096
"""Nodes whose properties are read at a time."""
UNREAD, UNDATED = 0, -1
"""In place of the day of a node."""


class RecencyParams(Params):
    """Which dates count, and how fast they grow old."""

    keys: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        default=("date", "updated", "modified", "published", "created", "year"), min_length=1
    )
    """Properties that hold a date; the first that can be read as one counts."""
    half_life_days: float = Field(default=365.0, gt=0, le=1e6)
    """Age at which half is left."""
    reference: str | None = None
    """Date that ages are counted from; null is the newest date of the graph."""

    @field_validator("reference")
    @classmethod
    def _is_a_date(cls, reference: str | None) -> str | None:
        if reference is not None and day_of(reference) is None:
            raise ValueError(f"{reference!r} is no date: write a year, YYYY-MM or YYYY-MM-DD")
        return reference


class Recency(Component[RecencyParams]):
    """0.5^(age / half-life): 1 at the reference date and after it, less with age, 0 without a date.

    Ages are in days. A year is its first of January, and a month its first day. The clock is never asked,
    so a query gives the same tomorrow. Nodes of a bridge are their own graph: without ``reference`` the
    newest of them is 1.
    """

    name = "recency"
    Params = RecencyParams

    def __init__(self, params: RecencyParams | None = None) -> None:
        super().__init__(params)
        self._known: WeakKeyDictionary[GraphIndex, Array] = WeakKeyDictionary()
        self._newest: WeakKeyDictionary[GraphIndex, int] = WeakKeyDictionary()

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return what is left of each candidate."""
        days = self._days(index, candidates.node)
        age = np.maximum(self._reference(index) - days, 0)
        return np.where(days == UNDATED, 0.0, np.exp2(-age / self.params.half_life_days))

    def _reference(self, index: GraphIndex) -> int:
        if self.params.reference is not None:
            return day_of(self.params.reference) or 0
        newest = self._newest.get(index)
        if newest is None:
            starts = range(0, index.node_count, CHUNK)
            chunks = (np.arange(start, min(start + CHUNK, index.node_count)) for start in starts)
            newest = max((int(self._days(index, nodes).max()) for nodes in chunks), default=UNDATED)
            self._newest[index] = newest
        return newest

    def _days(self, index: GraphIndex, nodes: IntArray) -> IntArray:
        """Return the day of each node; each is read once for each graph."""
        known = self._known.get(index)
        if known is None:
            known = self._known.setdefault(index, np.zeros(index.node_count, dtype=np.int32))
        fresh = nodes[known[nodes] == UNREAD]
        if fresh.size:
            rows = index.table.nodes.properties.many(fresh)
            known[fresh] = [newest_day(properties, self.params.keys) or UNDATED for properties in rows]
        return known[nodes].astype(np.int64)
