"""How welcome nodes of a candidate's type are."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.signals.priors import Prior, by_name


class NodeTypePriorParams(Params):
    """A number for each type."""

    types: dict[str, Prior] = Field(default_factory=dict)
    """Prior of each node type, as the type is written in the graph."""
    default: Prior = 0.0
    """Prior of every other type."""


class NodeTypePrior(Component[NodeTypePriorParams]):
    """The prior of the node's type; the range is that of the numbers given."""

    name = "node_type_prior"
    Params = NodeTypePriorParams

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the prior of each candidate's type."""
        types = index.table.nodes.type
        if not self.params.types:
            return np.full(len(candidates), self.params.default)
        return by_name(types, candidates.node, self.params.types, self.params.default)
