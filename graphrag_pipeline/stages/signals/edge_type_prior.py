"""How welcome candidates are that were discovered over an edge of some type."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.signals.priors import Prior, by_name


class EdgeTypePriorParams(Params):
    """A number for each type."""

    types: dict[str, Prior] = Field(default_factory=dict)
    """Prior of each edge type, as the type is written in the graph."""
    default: Prior = 0.0
    """Prior of every other type."""
    seed: Prior = 0.0
    """Prior of candidates that no edge led to: seeds, and nodes of a bridge."""


class EdgeTypePrior(Component[EdgeTypePriorParams]):
    """The prior of the type of the discovering edge, whichever way it was walked."""

    name = "edge_type_prior"
    Params = EdgeTypePriorParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the prior of each candidate's edge."""
        priors = np.full(len(candidates), self.params.seed)
        led = candidates.edge >= 0
        edges = index.table.edges.type
        priors[led] = by_name(edges, candidates.edge[led], self.params.types, self.params.default)
        return priors
