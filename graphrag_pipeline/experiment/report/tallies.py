"""Relevant nodes by Zachman cell: how many there are, were found, and are in the context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.experiment.result_rows import context_rows, ids_of_rows
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.zachman import Interrogative, Perspective
from graphrag_pipeline.pipeline.trace import Trace
from graphrag_pipeline.pipeline.working import NodesThere

GOLD, FOUND, KEPT = range(3)
ROW_ONLY = len(Interrogative)
"""The column of nodes whose cell names no column."""


def _zeros() -> NDArray[np.int64]:
    return np.zeros((3, len(Perspective), ROW_ONLY + 1), dtype=np.int64)


@dataclass(slots=True)
class Tally:
    """Counts of pairs of a query and a relevant node; it is added to query by query.

    Args:
        counts: By what became of the node, row and column.
        without: Pairs whose node has no readable cell or is not in the graph.
    """

    counts: NDArray[np.int64] = field(default_factory=_zeros)
    without: int = 0

    def add(self, relevant: Sequence[str], index: GraphIndex, trace: Trace | None) -> None:
        """Count the relevant nodes of a query; None is a query that failed."""
        found: NodesThere | frozenset[str] = frozenset()
        kept: frozenset[str] = frozenset()
        if trace is not None:
            found = NodesThere.of(trace.working, index)
            kept = frozenset(ids_of_rows(context_rows(trace.working, index), trace.working, index))
        for node_id in relevant:
            cell = cell_of(node_id, index)
            if cell is None:
                self.without += 1
                continue
            self.counts[(GOLD, *cell)] += 1
            self.counts[(FOUND, *cell)] += node_id in found
            self.counts[(KEPT, *cell)] += node_id in kept


def cell_of(node_id: str, index: GraphIndex) -> tuple[int, int] | None:
    """Return row and column of a node; the column may be :data:`ROW_ONLY`."""
    position = index.position(node_id)
    if position is None or index.perspectives[position] < 0:
        return None
    column = int(index.interrogatives[position])
    return int(index.perspectives[position]), column if column >= 0 else ROW_ONLY
