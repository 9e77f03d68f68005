"""Seeds whose texts mean what the query means."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Literal

from pydantic import Field

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.contract import Seed, SeedParams
from graphrag_pipeline.stages.dense.embedding import Embedding, needed
from graphrag_pipeline.stages.dense.memory import MEMORY
from graphrag_pipeline.stages.dense.params import DenseParams
from graphrag_pipeline.stages.dense.search import CellSearch, nearest, need_faiss
from graphrag_pipeline.stages.dense.vectors import DECIMALS, NodeVectors


class DenseSeedsParams(SeedParams, DenseParams):
    """Which texts are searched, and how."""

    min_similarity: float = Field(default=0.0, ge=0, le=1)
    """Least similarity of a seed; one of 0 or less is never a seed."""
    index: Literal["flat", "ivf"] = "flat"
    """``flat`` looks at every node and is exact; ``ivf`` looks at some, and needs faiss."""
    cells: int | None = Field(default=None, ge=1, le=1_000_000)
    """Cells of ``ivf``; null means the square root of the number of texts."""
    probe: int = Field(default=16, ge=1, le=1_000_000)
    """Cells of ``ivf`` that a query looks into."""


class DenseSeeds(Component[DenseSeedsParams]):
    """The nodes whose vectors have the highest cosine with the query's; evidence ``dense``.

    The cosine is the score; range above 0 … 1. Ties are in node order; cosines are equal when six decimals
    are.

    Args:
        params: Which texts are searched, and how.
        embedding: Where vectors come from; a pipeline gives it.
    """

    name = "dense"
    Params = DenseSeedsParams

    def __init__(self, params: DenseSeedsParams | None = None, embedding: Embedding | None = None) -> None:
        super().__init__(params)
        self.embedding = needed(embedding, self.name)
        if self.params.index == "ivf":
            need_faiss()
        self._lock = Lock()
        self._search: CellSearch | None = None

    def retrieve(self, query: Query, index: GraphIndex, k: int) -> Sequence[Seed]:
        """Return at most ``k`` nodes; none where the text is blank, or the embedder knows nothing of it."""
        row = self.embedding.row(query.text)
        if row is None:
            return []
        vectors = MEMORY.of(index, self.embedding, self.params)
        least = max(self.params.min_similarity, 10.0**-DECIMALS)
        if self.params.index == "ivf":
            found = self._cells(vectors).nearest(row, k, least, self.params.probe)
        else:
            found = nearest(vectors, row, k, least)
        ids = index.ids_at(found.node)
        return [
            Seed(node_id, similarity, {"dense": similarity})
            for node_id, similarity in zip(ids, found.similarity.tolist(), strict=True)
        ]

    def _cells(self, vectors: NodeVectors) -> CellSearch:
        with self._lock:
            if self._search is None or self._search.vectors is not vectors:
                self._search = CellSearch(vectors, self.params.cells)
            return self._search
