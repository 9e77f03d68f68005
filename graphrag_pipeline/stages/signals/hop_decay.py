"""How near a candidate is to its seed."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class HopDecayParams(Params):
    """How fast nearness falls."""

    decay: float = Field(default=0.7, ge=0, le=1)
    """Factor for each hop."""


class HopDecay(Component[HopDecayParams]):
    """decay^hop: 1 for a seed and for a node of a bridge, less with each hop, never below 0."""

    name = "hop_decay"
    Params = HopDecayParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the decay of each candidate's hop."""
        factors = np.full(int(candidates.hop.max(initial=0)) + 1, self.params.decay)
        factors[0] = 1.0
        # Products of the same numbers are the same everywhere; powers may differ in the last bit.
        power: FloatArray = np.multiply.accumulate(factors)[candidates.hop]
        return power
