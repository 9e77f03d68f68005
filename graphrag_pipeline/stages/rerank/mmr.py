"""Rerank by maximal marginal relevance: good candidates that do not repeat one another."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.rerank.order import MOST, best_first, scores_in_order
from graphrag_pipeline.stages.rerank.terms import Likeness, Similarity, rarest, terms_of
from graphrag_pipeline.stages.scorers.normalise import normalised


class MaximalMarginalRelevanceParams(Params):
    """How many candidates are looked at, and what counts more: being good, or being new."""

    depth: int = Field(default=50, ge=1, le=MOST)
    """How many of the best candidates are put in a new order."""
    trade_off: float = Field(default=0.7, ge=0, le=1)
    """λ: 1 looks at the score only, 0 only at how little a candidate is like those above it."""
    similarity: Similarity = "cosine"
    """How alike two candidates are by the terms of their label, aliases, type and text."""
    max_terms: int = Field(default=128, ge=1, le=1024)
    """Terms of a candidate that are compared, the rarest first."""


class MaximalMarginalRelevance(Component[MaximalMarginalRelevanceParams]):
    """Next comes the candidate with the highest λ · relevance - (1 - λ) · max similarity to those above it.

    Relevance is the score as it lies between the lowest and the highest of all candidates, 0 to 1. Of equals
    the one with the better score comes first, then the one visited first.

    Source: J. Carbonell, J. Goldstein, "The use of MMR, diversity-based reranking for reordering documents
    and producing summaries", SIGIR 1998.
    """

    name = "mmr"
    Params = MaximalMarginalRelevanceParams

    def rerank(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return the scores, those of the best ``depth`` candidates dealt out in the new order."""
        rows = best_first(candidates.score, self.params.depth)
        idf = index.text.idf
        terms = [
            rarest(of_one, idf, self.params.max_terms) for of_one in terms_of(index, candidates.node[rows])
        ]
        likeness = Likeness(terms, idf, self.params.similarity).matrix()
        relevance = normalised(candidates.score, "minmax")[rows]
        return scores_in_order(candidates.score, rows[self._order(relevance, likeness)])

    def _order(self, relevance: FloatArray, likeness: FloatArray) -> IntArray:
        good = self.params.trade_off * relevance
        nearest = np.zeros(good.size)
        order = np.zeros(good.size, dtype=np.int64)
        for place in range(good.size):
            value = good - (1 - self.params.trade_off) * nearest
            value[order[:place]] = -np.inf
            order[place] = np.argmax(value)
            nearest = np.maximum(nearest, likeness[order[place]])
        return order
