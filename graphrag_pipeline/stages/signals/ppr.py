"""How often a walk from the seeds comes by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.expand.push import PageRankParams, page_rank


class PprSignalParams(PageRankParams):
    """Personalized PageRank, and how it is scaled."""

    power: float = Field(default=0.5, gt=0, le=4)
    """Power of the rank's share of the highest."""


class PprSignal(Component[PprSignalParams]):
    """(rank / highest rank) ^ power of personalized PageRank from the candidates of hop 0; 0 … 1.

    Walks start in proportion to the scores that the seed stage gave. Where the score stage ran before, or
    there are no such candidates, all of hop 0 count alike.
    """

    name = "ppr"
    Params = PprSignalParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return one number per candidate."""
        seeds = candidates.keep(candidates.hop == 0)
        if candidates.signals:
            seeds = replace(seeds, score=np.ones(len(seeds)))
        rank = page_rank(seeds, index, self.params)
        highest = float(rank.max(initial=0.0))
        if not highest:
            return np.zeros(len(candidates))
        share: FloatArray = (rank[candidates.node] / highest) ** self.params.power
        return share
