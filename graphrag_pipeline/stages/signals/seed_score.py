"""What the seed retriever said of a seed."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class SeedScoreParams(Params):
    """Seed score takes no parameters."""


class SeedScore(Component[SeedScoreParams]):
    """The score that a seed came with, and 0 for what was reached from seeds.

    The range is the seed retriever's. A node of a bridge came with ``bridge.extra_score``. After an
    earlier score slot it is what that slot gave to the seeds.
    """

    name = "seed_score"
    Params = SeedScoreParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the score where the hop is 0."""
        return np.where(candidates.hop == 0, candidates.score, 0.0)
