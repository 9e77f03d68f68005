"""One for every candidate: presence itself counts."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class BaselineParams(Params):
    """The baseline takes no parameters."""


class Baseline(Component[BaselineParams]):
    """1 for every candidate."""

    name = "baseline"
    Params = BaselineParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return ones."""
        return np.ones(len(candidates))
