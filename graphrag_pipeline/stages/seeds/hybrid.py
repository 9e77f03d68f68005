"""Seeds by name and by text together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.contract import Seed, SeedParams
from graphrag_pipeline.stages.seeds.bm25 import best_positions
from graphrag_pipeline.stages.seeds.mention import MentionValueParams, mention_values
from graphrag_pipeline.stages.seeds.params import Bm25Params, Share


class HybridSeedsParams(SeedParams):
    """How the two lists are joined."""

    fusion: Literal["union", "rrf"] = "union"
    """``union`` keeps values and takes the better; ``rrf`` adds 1 / (rrf_k + rank) of both lists, by the
    most there can be."""
    mention_quota: int = Field(default=10, ge=0, le=10_000)
    """Most seeds by name."""
    text_quota: int = Field(default=5, ge=0, le=10_000)
    """Most seeds by text."""
    text_weight: Share = 0.6
    """Value of the best seed by text, for ``union``."""
    damp_text: Share = 1.0
    """How much text counts less where mentions explain the query: · (1 - damp_text · coverage)."""
    rrf_k: float = Field(default=60.0, ge=0, le=10_000)
    """The constant of ``rrf``."""
    mention: MentionValueParams = MentionValueParams()
    """How mentions are valued."""
    bm25: Bm25Params = Bm25Params()
    """How text is matched."""


class HybridSeeds(Component[HybridSeedsParams]):
    """Mentions and the best by BM25, each up to its quota; evidence ``mention`` and ``bm25``.

    ``union``: a seed's score is the better of its mention's value and text_weight · (1 - damp_text ·
    coverage) · bm25 / max, where coverage is the share of the query that its mentions explain; range
    0 … 1. ``rrf``: reciprocal rank fusion, Cormack et al. 2009, as a share of its highest value; range
    0 … 1. Ties are in node order.
    """

    name = "hybrid"
    Params = HybridSeedsParams

    def retrieve(self, query: Query, index: GraphIndex, k: int) -> Sequence[Seed]:
        """Return at most ``k`` nodes, best first."""
        named = self._named(query, index)
        texts = self._texts(query, index)
        score = self._fused(named, texts)
        best = sorted(score.items(), key=lambda entry: (-entry[1], entry[0]))[:k]
        ids = index.ids_at(np.array([node for node, _ in best], dtype=np.int64))
        return [
            Seed(node_id, value, {"mention": named.get(node, 0.0), "bm25": texts.get(node, 0.0)})
            for node_id, (node, value) in zip(ids, best, strict=True)
            if value > 0
        ]

    def _named(self, query: Query, index: GraphIndex) -> dict[int, float]:
        values = mention_values(query, index, self.params.mention)
        best = sorted(values.items(), key=lambda entry: (-entry[1], entry[0]))
        return dict(best[: self.params.mention_quota])

    def _texts(self, query: Query, index: GraphIndex) -> dict[int, float]:
        """Return the best by BM25, as shares of the best one, damped."""
        question = index.text.ask(query.text)
        score = question.bm25(self.params.bm25.form)
        best = best_positions(score, self.params.text_quota)
        if not best.size:
            return {}
        damped = (1.0 - self.params.damp_text * question.coverage) / score[best[0]]
        return dict(zip(best.tolist(), (score[best] * damped).tolist(), strict=True))

    def _fused(self, named: Mapping[int, float], texts: Mapping[int, float]) -> dict[int, float]:
        lists = (named, {node: self.params.text_weight * value for node, value in texts.items()})
        fused: dict[int, float] = {}
        for values in lists:
            for rank, (node, value) in enumerate(values.items(), 1):
                if self.params.fusion == "rrf":
                    # As a share of what the first of both lists has.
                    fused[node] = (
                        fused.get(node, 0.0) + (self.params.rrf_k + 1) / (self.params.rrf_k + rank) / 2
                    )
                else:
                    fused[node] = max(fused.get(node, 0.0), value)
        return fused
