"""How much there is around a candidate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import Signal
from graphrag_pipeline.stages.signals.bm25 import Bm25Signal, ResidualSignal
from graphrag_pipeline.stages.signals.idf_coverage import IdfCoverage


class NeighbourSmoothingParams(Params):
    """What is looked for at the neighbours."""

    of: dict[str, Annotated[float, Field(ge=-1000, le=1000)]] = Field(
        default_factory=lambda: {"bm25": 0.5, "path_max": 0.5}, min_length=1
    )
    """Columns, and the weight of each: ``bm25``, ``residual``, ``idf_coverage``, or a name of evidence."""
    shrink: float = Field(default=2.0, ge=0, le=1e6)
    """Added to the number of neighbours, so that one good neighbour is not yet a good neighbourhood."""
    max_degree: int = Field(default=1000, ge=1, le=1_000_000)
    """Neighbours up to which a node's list is read; an edge between two larger ones is not seen."""


class NeighbourSmoothing(Component[NeighbourSmoothingParams]):
    """The sum of the neighbours' values / √(shrink + neighbours); neighbours are candidates, too.

    A neighbour's value is the weighted sum of the columns: ``bm25``, ``residual`` and ``idf_coverage`` are
    the signals of these names with their default parameters; any other name is evidence as seeds and
    expanders gave it, 0 where nobody did. With values from 0 to 1 and n neighbours the signal lies between
    0 and √n. Nodes of a bridge have no neighbours: 0.
    """

    name = "neighbour_smoothing"
    Params = NeighbourSmoothingParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the smoothed value of each candidate's neighbourhood."""
        size = len(candidates)
        start = index.adjacency.start
        degree = start[candidates.node + 1] - start[candidates.node]
        read = np.flatnonzero(degree <= self.params.max_degree)
        owner, neighbour, _ = index.adjacency.gather(candidates.node[read])
        one, other = read[owner], index.rows(candidates.node, neighbour)
        one, other = one[other >= 0], other[other >= 0]
        # The list of a hub was not read: what others say of the edge to it counts for both.
        back = degree[other] > self.params.max_degree
        one, other = np.concatenate([one, other[back]]), np.concatenate([other, one[back]])
        total = np.bincount(one, self._values(candidates, query, index)[other], size)
        count = np.bincount(one, minlength=size)
        # Without neighbours the total is 0, whatever it is divided by.
        smoothed: FloatArray = total / np.sqrt(np.maximum(self.params.shrink + count, 1))
        return smoothed

    def _values(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        total = np.zeros(len(candidates))
        for name, weight in self.params.of.items():
            signal = _TEXT.get(name)
            column = (
                candidates.evidence_of(name) if signal is None else signal.compute(candidates, query, index)
            )
            total = total + weight * column
        return total


_TEXT: Mapping[str, Signal] = {
    "bm25": Bm25Signal(),
    "residual": ResidualSignal(),
    "idf_coverage": IdfCoverage(),
}
