"""How near in meaning a candidate is to the query."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.dense.embedding import Embedding, needed
from graphrag_pipeline.stages.dense.memory import MEMORY
from graphrag_pipeline.stages.dense.params import DenseParams


class DenseSimilarity(Component[DenseParams]):
    """The cosine of the query's vector and the candidate's; range -1 … 1.

    0 for a candidate without a text, and for every candidate when the query is blank. The nodes of a bridge
    are embedded like others.

    Args:
        params: Which texts become vectors.
        embedding: Where vectors come from; a pipeline gives it.
    """

    name = "dense_similarity"
    Params = DenseParams

    def __init__(self, params: DenseParams | None = None, embedding: Embedding | None = None) -> None:
        super().__init__(params)
        self.embedding = needed(embedding, self.name)

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return one cosine per candidate, with six decimals."""
        row = self.embedding.row(query.text)
        if row is None:
            return np.zeros(len(candidates))
        # The small graph of a bridge's nodes has no edges.
        vectors = MEMORY.of(index, self.embedding, self.params, passing=not index.edge_count)
        return vectors.similarity(row, candidates.node)
