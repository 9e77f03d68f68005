"""No expansion: the seeds are the candidates."""

from __future__ import annotations

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import ExpanderParams


class NoExpansion(Component[ExpanderParams]):
    """Keeps the seeds as they are."""

    name = "none"
    Params = ExpanderParams

    def expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        """Return the seeds."""
        return Candidates.seeds(seeds.node)
