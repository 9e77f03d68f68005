"""How few neighbours a candidate has."""

from __future__ import annotations

from typing import Literal

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class DegreePenaltyParams(Params):
    """How the penalty grows."""

    form: Literal["reciprocal", "log"] = "reciprocal"
    """``reciprocal`` is 1 / (1 + ln degree), ``log`` is -ln degree."""


class DegreePenalty(Component[DegreePenaltyParams]):
    """Low for hubs, which are near to everything and about nothing.

    Degree is the number of distinct neighbours in the whole graph, at least 1. ``reciprocal`` lies above
    0 and up to 1, ``log`` is 0 or less. Nodes of a bridge have no neighbours: the highest value.
    """

    name = "degree_penalty"
    Params = DegreePenaltyParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the penalty of each candidate's degree."""
        start = index.adjacency.start
        degree = start[candidates.node + 1] - start[candidates.node]
        logarithm: FloatArray = np.log(np.maximum(degree, 1).astype(np.float64))
        # Not -logarithm, which is -0.0 for one neighbour.
        return 1 / (1 + logarithm) if self.params.form == "reciprocal" else 0.0 - logarithm
