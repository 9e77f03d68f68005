"""Seeds by BM25 over the text of nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.contract import Seed, SeedParams
from graphrag_pipeline.stages.seeds.params import Bm25Params


class Bm25SeedsParams(SeedParams, Bm25Params):
    """Which BM25, over which fields."""


class Bm25Seeds(Component[Bm25SeedsParams]):
    """The nodes of the highest BM25, which is the score as a share of the highest; evidence ``bm25``.

    Source: Robertson and Zaragoza 2009; the variants as in Kamphuis et al. 2020. Ties are in node order.
    """

    name = "bm25"
    Params = Bm25SeedsParams

    def retrieve(self, query: Query, index: GraphIndex, k: int) -> Sequence[Seed]:
        """Return at most ``k`` nodes that share a term with the query."""
        score = index.text.ask(query.text).bm25(self.params.form)
        best = best_positions(score, k)
        shares = (score[best] / score[best[:1]]).tolist() if best.size else []
        ids = index.ids_at(best)
        return [Seed(node_id, share, {"bm25": share}) for node_id, share in zip(ids, shares, strict=True)]


def best_positions(score: FloatArray, count: int) -> IntArray:
    """Return the positions of the highest scores above 0, highest first, ties in order."""
    if count <= 0:
        return np.zeros(0, dtype=np.int64)
    found = np.flatnonzero(score > 0)
    if found.size > count:
        bar = np.partition(score[found], found.size - count)[found.size - count]
        found = found[score[found] >= bar]
    return found[np.argsort(-score[found], kind="stable")][:count]
