"""How much of the query a candidate's text covers."""

from __future__ import annotations

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates


class IdfCoverageParams(Params):
    """Coverage takes no parameters."""


class IdfCoverage(Component[IdfCoverageParams]):
    """The share of the query's idf that a candidate's terms make up, however often it has them; 0 … 1."""

    name = "idf_coverage"
    Params = IdfCoverageParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return one share per candidate."""
        return index.text.ask(query.text).idf_coverage(candidates.node)
